// A Catch2 test case and what became of it, as plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// A test case as it was registered.
struct TestCase {
  std::string name;
  std::vector<std::string> tags;  // without brackets, in no particular order

  bool has_tag(std::string_view tag) const { return std::ranges::find(tags, tag) != tags.end(); }
};

/// What became of a test case that ran.
struct TestOutcome {
  TestCase test;
  std::size_t assertions = 0;
  std::vector<std::string> failures;  // messages of failed assertions: the submission fell short
  std::vector<std::string> errors;    // exceptions and the like: the check itself broke
  double credit = 0;                  // share of the points that it earns all the same when an assertion failed
  bool saw_fault = false;             // a failure tells what was seen, not that nothing could be
};

}  // namespace cudalabs
