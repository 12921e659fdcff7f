// The row is taken from what the finding tells of the address, and its length from the array of a case.
#include "explain/accesses/misaligned_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "the address is 4 bytes past a multiple of 16, at `b[1][0]` (row 1, column 0)"
struct RowPlace {
  std::uint64_t past = 0, wide = 0, row = 0, column = 0;
  std::string array;
};

std::optional<std::uint64_t> number_behind(std::string_view text, std::string_view words, std::size_t from = 0) {
  const std::size_t at = text.find(words, from);
  if (at == kNowhere) return std::nullopt;
  std::uint64_t number = 0;
  const auto end = std::from_chars(text.data() + at + words.size(), text.data() + text.size(), number);
  return end.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<RowPlace> row_place(std::string_view note) {
  constexpr std::string_view kAt = ", at `";
  const auto past = number_behind(note, "the address is "), wide = number_behind(note, "past a multiple of ");
  const std::size_t at = note.find(kAt), end = at == kNowhere ? kNowhere : note.find('`', at + kAt.size());
  if (!past || !wide || *wide == 0 || end == kNowhere) return std::nullopt;
  const std::string_view element = note.substr(at + kAt.size(), end - at - kAt.size());
  const auto row = number_behind(element, "["), column = number_behind(element, "][");
  if (!row || !column || *row == 0) return std::nullopt;
  return RowPlace{*past, *wide, *row, *column, std::string(element.substr(0, element.find('[')))};
}

/// The length of a row of an array.
struct RowLength {
  std::uint64_t elements = 0, bytes = 0;  // of an element
  std::string name;                       // of the only size of the case that is as large; empty: there are several
};

std::optional<RowLength> row_length(const MergedFinding& finding, const RowPlace& place,
                                    const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (case_run.test.spec.hidden || !finding.is_seen_in(case_run.test.spec.name)) continue;
    std::optional<RowLength> found;
    const auto look_at = [&](const auto& array) {
      if (found || array.name != place.array || array.shape.size() != 2 || array.shape[1] < 1) return;
      const RowLength length{static_cast<std::uint64_t>(array.shape[1]), datasets::size_in_bytes(array.type), {}};
      const std::uint64_t begin = place.row * length.elements * length.bytes;
      const bool fits = std::int64_t(place.row) < array.shape[0] && begin % place.wide != 0 &&
                        (begin + place.column * length.bytes) % place.wide == place.past;
      if (fits) found = length;
    };
    std::ranges::for_each(case_run.test.inputs, look_at);
    std::ranges::for_each(case_run.test.expected, look_at);
    if (!found) continue;
    for (const auto& [name, size] : case_run.test.spec.parameters) {
      if (static_cast<std::uint64_t>(size) != found->elements) continue;
      found->name = found->name.empty() ? name : " ";
    }
    if (found->name == " ") found->name.clear();
    return found;
  }
  return std::nullopt;
}

/// Nothing else decides about the place, in the part that is executed where it holds, after the condition begins.
std::optional<ConditionText> innermost_around(std::string_view code, std::size_t place) {
  std::optional<ConditionText> innermost;
  for (const ConditionText& each : conditions_of(code))
    if (each.body <= place && place < each.end_of_body) innermost = each;
  return innermost;
}

/// "Vector" of "template <bool Vector>" before the function.
bool asks_for_template_parameter(std::string_view code, std::string_view condition, std::size_t place) {
  constexpr std::size_t kLongestHead = 600;
  const std::size_t from = place - std::min(place, kLongestHead);
  const std::string_view before = code.substr(from, place - from);
  const std::size_t at = before.rfind("template");
  if (at == kNowhere) return false;
  const std::size_t open = past_spaces(before, at + std::string_view("template").size());
  const std::size_t past = open < before.size() && before[open] == '<' ? past_bracket(before, open) : kNowhere;
  if (past == kNowhere) return false;
  const std::string_view parameters = before.substr(open, past - open);
  bool asks = false;
  for_each_name(parameters, [&](std::size_t name, std::string_view word) {
    if (word != "bool" || asks) return;
    const std::size_t begin = past_spaces(parameters, name + word.size()), end = end_of_word(parameters, begin);
    asks = has_name(condition, parameters.substr(begin, end - begin));
  });
  return asks;
}

/// Where the host decides to launch that instance of the template: the condition around the only launch of it, or the
/// line that sets the variable which it asks for.
std::optional<Setting> host_condition(std::string_view code, std::string_view kernel) {
  const std::size_t scope = kernel.rfind("::", kernel.find('<'));
  const std::string instance(scope == kNowhere ? kernel : kernel.substr(scope + 2));
  std::size_t launch = kNowhere;
  for (std::size_t at = code.find(instance); at != kNowhere; at = code.find(instance, at + 1)) {
    if (!code.substr(past_spaces(code, at + instance.size())).starts_with("<<<")) continue;
    if (launch != kNowhere) return std::nullopt;
    launch = at;
  }
  const auto condition = launch == kNowhere ? std::nullopt : innermost_around(code, launch);
  if (!condition) return std::nullopt;
  if (is_identifier(condition->condition))
    if (auto set = last_setting_of(code, condition->line, condition->condition)) return set;
  return setting_at_place(code, condition->begin, "if", Setting::How::asked);
}

std::optional<Setting> condition_for(const MergedFinding& finding, std::string_view code) {
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column);
  const auto condition = place == kNowhere ? std::nullopt : innermost_around(code, place);
  if (!condition) return std::nullopt;
  const auto function = function_around_line(code, condition->line);
  if (function && asks_for_template_parameter(code, condition->condition, function->begin))
    if (auto set = host_condition(code, finding.kernel)) return set;
  // What leaves the function for threads without an element lets all others go on.
  return setting_at_place(code, condition->begin, "if", Setting::How::asked);
}

}  // namespace

void show_misaligned_rows(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kMisalignedAccess || finding.other || !finding.is_in_file(file)) continue;
    const auto place = row_place(finding.note);
    const auto length = place ? row_length(finding, *place, submission_run) : std::nullopt;
    if (!length || length->bytes == 0 || place->wide % length->bytes != 0 || place->wide == length->bytes) continue;
    if (code.empty()) code = without_comments(source);
    const std::uint64_t together = place->wide / length->bytes;
    const std::string name = !length->name.empty() && has_name(code, length->name)
                                 ? fmt::format("`{} % {} == 0`", length->name, together)
                                 : fmt::format("the length of a row is a multiple of {}", together);
    finding.help = fmt::format(
        "row {} of `{}` begins after {} elements, which is no multiple of {}: read and write {} elements at once only "
        "where {}, and one by one otherwise",
        place->row, place->array, place->row * length->elements, together, together, name);
    const auto condition = condition_for(finding, code);
    if (!condition || condition->line == finding.where.line) continue;
    finding.other = OtherPlace{fmt::format("this lets the program do {} elements at once", together),
                               {finding.where.file, condition->line, condition->column},
                               {},
                               {}};
  }
}

}  // namespace cudalabs
