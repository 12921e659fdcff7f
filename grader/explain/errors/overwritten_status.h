// What a call that failed returned, stored in a variable that is set again before the program has read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "ok = fine(cudaMalloc(&a, n));" and "ok = fine(cudaMalloc(&b, n));", of which the second forgets the first.
struct OverwrittenStatus {
  Setting stored, again;        // both of the one variable
  std::uint32_t last_line = 0;  // of the statement that sets it again
  bool truth = false;           // it is declared as `bool`, and not as an error's number

  bool operator==(const OverwrittenStatus&) const = default;
};

/// Of the only call of `name` in that line, whose statement stores the result in a local variable: the next statement
/// with the variable sets it, in the same block, to what does not depend on it. Nothing where other code may read the
/// variable unseen: macros, lambdas, references. `code` has no comments.
std::optional<OverwrittenStatus> overwritten_status(std::string_view code, std::uint32_t line, std::string_view name);

/// Shows it for findings of cases in which a call was made to fail, where the program did set the variable again.
/// `source` is the text of `file`.
void show_overwritten_statuses(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                               const SubmissionRun& submission_run);

}  // namespace cudalabs
