// Which variable of a line was never given a value.
#include "explain/places/unset_variable.h"

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

/// Behind the name, and the subscripts of an array.
std::size_t end_of_declared(std::string_view line, std::size_t end) {
  end = past_spaces(line, end);
  while (end < line.size() && line[end] == '[') {
    const std::size_t close = line.find(']', end);
    if (close == std::string_view::npos) return line.size();
    end = past_spaces(line, close + 1);
  }
  return end;
}

/// "float sum;", "int row, col;", "float v[4];": the name at `at` is declared there without a value.
bool declares_without_value(std::string_view line, std::size_t at, std::string_view name) {
  constexpr std::array<std::string_view, 7> kNoTypes{"return", "else", "case", "goto", "new", "throw", "__shared__"};
  const std::size_t end = end_of_declared(line, at + name.size());
  if (end >= line.size() || (line[end] != ';' && line[end] != ',')) return false;
  const std::size_t first = past_spaces(line, 0);
  const std::string_view type = line.substr(first, end_of_word(line, first) - first);
  const std::string_view before = word_before(line, at);
  const std::size_t sign = before_spaces(line, at);
  const bool in_list = before.empty() && sign != std::string_view::npos && line[sign] == ',';
  if (type.empty() || first == at || is_digit(type.front()) || std::ranges::find(kNoTypes, type) != kNoTypes.end())
    return false;
  // Behind a comma, the line must be a list of variables, and no call.
  return in_list ? line.find('(') == std::string_view::npos && !word_before(line, line.find(',')).empty() &&
                       past_spaces(line, first + type.size()) != line.find(',')
                 : !before.empty() && line.find('(') == std::string_view::npos;
}

bool sets(std::string_view line, std::string_view name) {
  bool found = false;
  for_each_name(line, [&](std::size_t at, std::string_view other) {
    if (other != name) return;
    const std::string_view rest = line.substr(past_spaces(line, at + name.size()));
    const std::size_t sign = before_spaces(line, at);
    found |=
        (rest.starts_with('=') && !rest.starts_with("==")) || (sign != std::string_view::npos && line[sign] == '&');
  });
  return found;
}

struct Candidate {
  Setting declaration;
  bool array = false;  // of whose elements some may have values
  bool set_before = false;
};

}  // namespace

std::optional<Setting> unset_variable_in(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  std::set<std::string_view> used;
  for_each_name(lines[line - 1], [&](std::size_t, std::string_view name) { used.insert(name); });
  std::vector<Candidate> candidates;
  for (std::size_t i = line; i-- > 0 && !lines[i].starts_with('}');) {
    for_each_name(lines[i], [&](std::size_t at, std::string_view name) {
      if (!used.contains(name) || !declares_without_value(lines[i], at, name)) return;
      used.erase(name);  // the innermost
      const std::size_t behind = past_spaces(lines[i], at + name.size());
      Candidate found{{{std::string(name)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1},
                      lines[i].substr(behind).starts_with('[')};
      for (std::size_t between = i + 1; between < line; ++between) found.set_before |= sets(lines[between], name);
      candidates.push_back(found);
    });
  }
  if (candidates.size() > 1) std::erase_if(candidates, [](const Candidate& c) { return c.set_before; });
  if (candidates.size() != 1 || candidates.front().array) return std::nullopt;
  return candidates.front().declaration;
}

void name_unset_variable(Finding& finding, std::string_view source) {
  const bool of_register = finding.id == finding_ids::kUninitializedRead && !finding.kernel.empty() && !finding.address;
  if (!of_register) return;
  const auto variable = unset_variable_in(source, finding.where.line);
  if (!variable) return;
  finding.message = fmt::format("`{}` is used here and was not given a value before", variable->names.front());
  if (finding.other || variable->line == finding.where.line) return;
  const SourcePlace declared{finding.where.file, variable->line, variable->column};
  finding.other = OtherPlace{"it is declared here, without a value", declared, std::nullopt, std::nullopt};
}

}  // namespace cudalabs
