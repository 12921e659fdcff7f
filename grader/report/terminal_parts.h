// What the short and the full report on a terminal have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/paint.h"
#include "report/report.h"

namespace cudalabs {

constexpr unsigned kNarrowest = 40;  // columns that every report takes

/// `length` columns, full for full marks only.
std::string score_bar(const Report& report, std::size_t length, const Paint& paint);

/// "lab4: Tiled matrix product".
std::string title_of(const Report& report);

/// Joins parts, and begins a new line where the next part does not fit.
std::vector<std::string> flow(const std::vector<std::string>& parts, std::string_view separator, std::size_t width);

/// The sign of how a check ended.
std::string mark_of(CheckStatus status, const Paint& paint);

/// A check with its points, why it did not pass, and the speed behind it.
void append_check(std::string& out, const Report& report, const CheckResult& check, const TerminalStyle& style,
                  const Paint& paint);

/// What stands behind the check; empty where nothing was timed for it.
std::string speed_behind(const Report& report, const CheckResult& check);

/// What the compiler or the program printed: at most `lines` lines of `columns`, each marked, so that none can pass for
/// the report's own. Nothing where nothing was printed.
std::vector<std::string> quoted(const std::string& text, std::size_t lines, std::size_t columns, const Paint& paint);

constexpr std::size_t kWhole = SIZE_MAX;     // lines
constexpr std::size_t kLongestLine = 4'000;  // columns; no compiler says more about honest code in one line

/// It cannot be run, so that checks have nothing to say.
bool does_not_build(const Report& report);

/// "finding 2 of 5", for the finding with this index, from 0.
std::string number_of_finding(const Report& report, std::size_t index);

/// A compiler's error stands in what the compiler said, better than the report could say it again.
bool said_by_compiler(const Finding& finding, const Report& report);

/// What to do about errors that said_by_compiler() holds for, each help once; wrapped.
std::vector<std::string> help_with_build(const Report& report, std::size_t width);

/// What to do next, a sentence or a command each; several share a row where they fit.
void append_steps(std::string& out, const std::vector<std::string>& steps, std::size_t width, const Paint& paint);

}  // namespace cudalabs
