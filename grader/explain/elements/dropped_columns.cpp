// What is missing must be what the division drops.
#include "explain/elements/dropped_columns.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>

#include "explain/elements/seen_output.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "n" of "n / 4".
std::string_view dividend_of(const Division& division) {
  return without_outer_spaces(std::string_view(division.text).substr(0, division.text.rfind('/')));
}

/// What the division drops of each row, as many as all rows are short of, is missing at the end of the output, in every
/// case: rows of the shorter length lie one behind the other.
bool drops_end_of_rows(const Division& division, const MergedFinding& finding, const SubmissionRun& submission_run) {
  bool seen = false;
  for (const SeenOutput& seen_output : outputs_seen_in(finding, submission_run)) {
    const Comparison* comparison = seen_output.comparison;
    if (comparison == nullptr || comparison->count(Fault::unwritten) == 0) continue;
    const GridShape shape = comparison->grid();
    const std::int64_t missing = comparison->count(Fault::unwritten), left_over = shape.columns % division.divisor;
    const auto first = comparison->first(Fault::unwritten);
    const std::map<std::string, std::int64_t>& sizes = seen_output.case_run->test.spec.parameters;
    const auto size = sizes.find(std::string(dividend_of(division)));
    if (!first || first->index != comparison->elements() - missing || left_over == 0 ||
        missing != shape.rows * left_over || (size != sizes.end() && size->second != shape.columns))
      return false;
    seen = true;
  }
  return seen;
}

/// The line of the condition that the only launch of the kernel is under; 0: there is none.
std::uint32_t condition_of_launch(std::string_view code, const std::string& kernel) {
  const auto launch = only_launch(code, plain_name(kernel));
  const std::size_t place = launch ? place_of_line(code, launch->line, launch->column) : kNowhere;
  std::uint32_t line = 0;
  for (const ConditionText& condition : conditions_of(code))
    if (place != kNowhere && condition.decides_about(place)) line = condition.line;
  return line;
}

}  // namespace

bool show_dropped_columns(MergedFinding& finding, std::string_view source, const Division& division,
                          const SubmissionRun& submission_run) {
  if (!drops_end_of_rows(division, finding, submission_run)) return false;
  std::string here;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (comparison == nullptr || case_run->test.spec.hidden || case_run->test.spec.name != finding.shown) continue;
    const std::int64_t columns = comparison->grid().columns;
    here = fmt::format(", here {} of {} columns", columns % division.divisor, columns);
  }
  finding.other = OtherPlace{fmt::format("`{}` is computed here", division.text),
                             {finding.where.file, division.where.line, division.where.column},
                             {},
                             {}};
  const std::uint32_t condition = condition_of_launch(without_comments(source), finding.kernel);
  finding.help = fmt::format(
      "`{}` drops what is left over of each row{}: the kernel needs a `{}` that is a multiple of {}{}; {}let "
      "threads do the last columns of each row, too",
      division.text, here, dividend_of(division), division.divisor,
      condition == 0 ? "" : fmt::format(", and the condition in line {} launches it for others, too", condition),
      condition == 0 ? "" : "ask for that there, or ");
  return true;
}

}  // namespace cudalabs
