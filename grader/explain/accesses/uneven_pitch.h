// Several arrays in one allocation, at a distance at which no wide access may begin.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/case_value.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "float* d_b = d_a + pitch;", where `d_a` leads to memory that the function allocates.
struct ArrayInside {
  Setting pointer;             // `d_b`
  std::string from;            // "d_a"
  std::string distance;        // "pitch", without a factor before or behind it
  std::string element;         // "float"; empty: another type
  std::int64_t bytes = 0;      // of one
  CaseExpression elements;     // the whole distance, in the terms of the case
  std::optional<Setting> set;  // where `distance` is a variable: the line that sets it
  std::string value;           // what that gives it, without a cast: "n"
};

/// All of the host's functions whose distance the text tells. `code` has no comments; `sizes` are those of the cases.
std::vector<ArrayInside> arrays_inside(std::string_view code, std::set<std::string> sizes);

/// Of a misaligned access to an array that the program has let begin there: shows the line that sets the distance, and
/// says to what it is to be rounded up, where it is no multiple of the access in any case of the finding. `source` is
/// the text of `file`.
void show_uneven_pitches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
