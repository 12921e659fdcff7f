// An error that is handed to a function which is to print it, and does not: it leaves before, or has a condition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

struct SilentReport {
  std::string function;    // "write"
  std::string condition;   // "level > level_"
  std::uint32_t line = 0;  // of it
  bool leaves = false;     // the function returns where it holds; else it prints there alone
  std::string variable;    // of the condition, which the function is not given; empty: there is none, or several
  std::uint32_t set = 0;   // the only line that gives that a value; 0: not known

  bool operator==(const SilentReport&) const = default;
};

/// Of the function that gets what the call at that place returns, or of one that this one calls to print: the only
/// condition, but for questions whether there is an error, that can keep it from printing. Nothing where it need not be
/// called, or where more than one thing may have kept it. `code` has no comments.
std::optional<SilentReport> silent_report(std::string_view code, std::size_t call);

/// Shows it for an error that the program got, and did not print. `source` is the text of `file`.
void show_silent_reports(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run);

}  // namespace cudalabs
