// The copy's number of bytes is its third argument; the pointer's type stands in its declaration.
#include "explain/accesses/pointer_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool is_plain_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && end_of_word(text, 0) == text.size();
}

/// Variables that are the number of bytes of a copy.
std::set<std::string_view> byte_counts(std::string_view statement) {
  std::set<std::string_view> names;
  for (std::size_t at = statement.find("cudaMemcpy"); at != kNowhere; at = statement.find("cudaMemcpy", at + 1)) {
    const std::size_t open = past_spaces(statement, end_of_word(statement, at));
    const std::size_t close =
        open < statement.size() && statement[open] == '(' ? past_bracket(statement, open) : kNowhere;
    if (close == kNowhere) continue;
    const std::vector<std::string_view> arguments = items_of(statement.substr(open + 1, close - open - 2));
    if (arguments.size() >= 3 && is_plain_name(arguments[2])) names.insert(arguments[2]);
  }
  return names;
}

/// "float* d_b = pool + bytes": the name at `at` is declared as a pointer to a type of more than one byte.
bool declares_wide_pointer(std::string_view line, std::size_t at) {
  constexpr std::array<std::string_view, 6> kTypes{"float", "double", "int", "float4", "float2", "unsigned"};
  const std::size_t star = before_spaces(line, at);
  if (star == kNowhere || line[star] != '*') return false;
  const std::string_view type = word_before(line, star);
  return std::ranges::find(kTypes, type) != kTypes.end();
}

/// The variable that is all that is added: "bytes" of "pool + bytes".
std::string_view added_in(std::string_view value) {
  const std::size_t plus = value.find('+');
  if (plus == kNowhere) return {};
  const std::size_t begin = past_spaces(value, plus + 1), last = before_spaces(value, value.size());
  return last == kNowhere || last < begin ? std::string_view() : value.substr(begin, last + 1 - begin);
}

}  // namespace

std::optional<Setting> bytes_added_to_pointer(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string_view statement =
      std::string_view(code).substr(static_cast<std::size_t>(lines[line - 1].data() - code.data()));
  const std::set<std::string_view> counts = byte_counts(statement.substr(0, statement.find(';')));
  std::optional<Setting> found;
  bool several = false;
  const std::uint32_t before = end_of_function_before(lines, line);
  for (std::size_t i = line - 1; i-- > before;) {
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      const std::string_view rest = lines[i].substr(past_spaces(lines[i], at + name.size()));
      if (!rest.starts_with('=') || rest.starts_with("==") || !declares_wide_pointer(lines[i], at)) return;
      const std::string_view added = added_in(rest.substr(1, rest.find_first_of(";,") - 1));
      if (!counts.contains(added)) return;
      several = several || found;
      found = {{std::string(name), std::string(added)},
               static_cast<std::uint32_t>(i) + 1,
               static_cast<std::uint32_t>(at) + 1};
    });
  }
  return several ? std::nullopt : found;
}

void show_pointer_step(MergedFinding& finding, std::string_view source) {
  const bool past_allocation = finding.id == finding_ids::kRuntimeError && finding.access.past_end_of != 0;
  if (!past_allocation || finding.access.kept || !finding.other) return;
  const auto step = bytes_added_to_pointer(source, finding.where.line);
  if (!step) return;
  const std::string &pointer = step->names[0], &bytes = step->names[1];
  if (finding.other->place.known())
    finding.note.insert(0, fmt::format("the allocation is in line {}\n", finding.other->place.line));
  finding.other = OtherPlace{fmt::format("`{}` is a number of bytes, and here it counts elements", bytes),
                             {finding.where.file, step->line, step->column},
                             {},
                             {}};
  finding.help = fmt::format(
      "`pointer + n` goes on by n elements, and not by n bytes: let `{}` begin after as many elements as the array "
      "before it has",
      pointer);
}

}  // namespace cudalabs
