// The length of a row is known from the case, and what the launch gave.
#include "explain/accesses/float_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "explain/accesses/given_arguments.h"
#include "source/array_text.h"
#include "source/float_cut.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Whether a case of the finding has an array of that name and size whose rows are as long.
bool is_row_length(const MergedFinding& finding, std::uint64_t length, const SubmissionRun& submission_run) {
  const auto fits = [&](const auto& array) {
    return array.name == finding.access.array && array.shape.size() == 2 &&
           static_cast<std::uint64_t>(array.shape[1]) == length &&
           static_cast<std::uint64_t>(array.elements()) * datasets::size_in_bytes(array.type) ==
               finding.access.past_end_of;
  };
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
    return finding.is_seen_in(case_run.test.spec.name) &&
           (std::ranges::any_of(case_run.test.inputs, fits) || std::ranges::any_of(case_run.test.expected, fits));
  });
}

/// "p" of "b[k * p + at.col]" at the place: the name of the only number of the launch that its subscript multiplies by.
std::optional<NamedNumber> row_length_at(const MergedFinding& finding, std::string_view source, std::string_view code,
                                         std::size_t place) {
  const std::size_t open = past_spaces(code, end_of_word(code, place));
  constexpr std::size_t kLongest = 200;
  const std::size_t close =
      open < code.size() && code[open] == '[' ? past_bracket(code.substr(0, open + kLongest), open) : kNowhere;
  if (close == kNowhere) return std::nullopt;
  std::optional<NamedNumber> found;
  const std::vector<NamedNumber> numbers = numbers_given(finding, source);
  for (const std::string_view factor : factors_in(code.substr(open + 1, close - open - 2))) {
    const auto number = std::ranges::find(numbers, factor, &NamedNumber::name);
    if (number == numbers.end()) continue;
    if (found) return std::nullopt;
    found = *number;
  }
  return found;
}

/// In the function of the access, before it, or in one that is called there.
bool comes_before(const FloatCut& cut, std::string_view code, std::size_t access, const FunctionBody& function) {
  if (cut.function == function.name) return cut.place < access;
  const std::string_view before = code.substr(function.begin, access - function.begin);
  bool called = false;
  for_each_name(before, [&](std::size_t at, std::string_view name) {
    called = called || (name == cut.function && before.substr(past_spaces(before, at + name.size())).starts_with('('));
  });
  return called;
}

void show_float_index(MergedFinding& finding, std::string_view source, std::string_view code, const FloatCut& cut,
                      const SubmissionRun& submission_run) {
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column);
  const auto function = function_around_line(code, finding.where.line);
  if (!asks_for_sizes(finding.help) || !function || place < function->begin || place >= function->end ||
      cut.line == finding.where.line || !comes_before(cut, code, place, *function))
    return;
  const auto length = row_length_at(finding, source, code, place);
  if (!length || !is_row_length(finding, length->value, submission_run)) return;
  finding.other =
      OtherPlace{"a `float` becomes a whole number here", {finding.where.file, cut.line, cut.column}, {}, {}};
  finding.help = fmt::format(
      "rows of `{}` have `{}` elements, as this line has it: the number of a row or column is wrong; line {} drops the "
      "fraction of `{}`, and rounding may have made that too small: compute such numbers with integers, by `/` and `%`",
      finding.access.array, length->name, cut.line, cut.value);
}

}  // namespace

void show_float_indices(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run) {
  const auto may_be = [&](const MergedFinding& finding) {
    return finding.id == finding_ids::kGlobalOutOfBounds && finding.is_in_file(file) && !finding.proven &&
           !finding.other && finding.access.past_end_of != 0;
  };
  if (std::ranges::none_of(findings, may_be)) return;
  const std::string code = without_comments(source);
  const auto cut = only_float_cut(code);
  if (!cut) return;
  for (MergedFinding& finding : findings)
    if (may_be(finding)) show_float_index(finding, source, code, *cut, submission_run);
}

}  // namespace cudalabs
