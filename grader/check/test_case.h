// A Catch2 test case and what became of it, as plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs {

/// A test case as it was registered.
struct TestCase {
  std::string name;
  std::vector<std::string> tags;  // without brackets, in no particular order

  bool has_tag(std::string_view tag) const { return std::ranges::find(tags, tag) != tags.end(); }
};

/// A case of the lab in which a check failed.
struct FailedCase {
  enum class Why : std::uint8_t {
    symptom,  // what came out is wrong, or nothing came out: errors in this case may be why
    finding,  // for the finding `id` at `where`
    own       // for something that only this check sees
  };
  std::string name;  // empty: no case, but the submission as a whole
  Why why = Why::own;
  std::string id = {};
  SourcePlace where = {};
  std::string after = {};  // it had little time or none, and did not end, for this case had used up the time
};

/// What became of a test case that ran.
struct TestOutcome {
  TestCase test;
  std::size_t assertions = 0;
  std::vector<std::string> failures;  // messages of failed assertions: the submission fell short
  std::vector<std::string> errors;    // exceptions and the like: the check itself broke
  double credit = 0;                  // share of the points that it earns all the same when an assertion failed
  bool explained = false;             // every failure says what to do, in each case
  bool saw_fault = false;             // a failure tells what was seen, not that nothing could be
  std::vector<FailedCase> failed_in = {};
  std::string unseen = {};  // cases that it passed without, and why nothing is known of them
};

}  // namespace cudalabs
