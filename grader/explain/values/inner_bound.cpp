#include "explain/values/inner_bound.h"

#include <algorithm>
#include <set>
#include <string>

#include "source/case_value.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::string_view kInner = "n";

/// The condition of the only loop that begins in the line; where none does, the line.
std::string_view bound_in(std::string_view code, std::uint32_t line) {
  const std::vector<LoopText> loops = loops_of(code);
  const auto begins_here = [&](const LoopText& loop) { return loop.line == line; };
  const auto loop = std::ranges::find_if(loops, begins_here);
  if (loop == loops.end()) return text_lines(code)[line - 1];
  return std::ranges::count_if(loops, begins_here) == 1 ? loop->condition : std::string_view();
}

/// One of the names stands for something that the inner dimension is part of.
bool is_made_of_inner(std::string_view bound, std::uint32_t line, const CaseExpressions& expressions,
                      const FunctionBody& function) {
  constexpr std::size_t kMostNamesOfBound = 16;  // a text may be made to be long to read
  std::set<std::string_view> names;
  for_each_name(bound, [&](std::size_t, std::string_view name) {
    if (names.size() < kMostNamesOfBound) names.insert(name);
  });
  return std::ranges::any_of(names, [&](std::string_view name) {
    const auto value = expressions.of(name, line, function);
    return value && !value->counted && has_name(value->text, kInner);
  });
}

}  // namespace

bool show_inner_bound(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (!finding.detector.starts_with("product_sums_rows") && !finding.detector.starts_with("product_sums_columns"))
    return false;
  const std::string code = without_comments(source);
  const std::size_t place = place_of_line(code, finding.where.line, 0);
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  if (place == kNowhere || !sizes.contains(std::string(kInner))) return false;
  const CaseExpressions expressions(code, std::move(sizes));
  const FunctionBody* const function = expressions.around(place);
  if (function == nullptr) return false;
  if (!is_made_of_inner(bound_in(code, finding.where.line), finding.where.line, expressions, *function)) return false;
  finding.help =
      "this line goes by n already: look for what else ends the sum, such as a condition within the loop, or the end "
      "of "
      "a loop that stands in it";
  return true;
}

}  // namespace cudalabs
