// From the line that stores, backwards through the lines that give values to what it names.
#include "explain/values/narrowed_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "source/function_text.h"
#include "source/narrow_constant.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Those between its braces.
struct LinesOfFunction {
  std::uint32_t first = 0, last = 0;
};

/// By name, the lines of a function that give it a value: in a statement of one line.
std::map<std::string_view, std::vector<std::uint32_t>> settings_in(const std::vector<std::string_view>& lines,
                                                                   LinesOfFunction function) {
  std::map<std::string_view, std::vector<std::uint32_t>> settings;
  for (std::uint32_t number = function.first; number <= function.last; ++number) {
    const std::string_view line = lines[number - 1];
    const std::size_t sign = line.find('=');
    if (sign == kNowhere) continue;
    for_each_name(line.substr(0, sign), [&](std::size_t, std::string_view name) { settings[name].push_back(number); });
  }
  return settings;
}

/// The lines that a statement depends on, its own among them, and the names in them.
struct Dependence {
  std::set<std::uint32_t> lines;
  std::set<std::string_view> names;
};

Dependence dependence_of(const std::vector<std::string_view>& lines, LinesOfFunction function, std::uint32_t line) {
  const auto settings = settings_in(lines, function);
  Dependence found;
  std::vector<std::uint32_t> open{line};
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    if (!found.lines.insert(next).second) continue;
    for_each_name(lines[next - 1], [&](std::size_t, std::string_view name) {
      if (!found.names.insert(name).second) return;
      if (const auto set = settings.find(name); set != settings.end())
        open.insert(open.end(), set->second.begin(), set->second.end());
    });
  }
  return found;
}

/// The functions of a source.
class Functions {
 public:
  Functions(std::string_view code, const std::vector<std::string_view>& lines) : code_(code), lines_(lines) {
    for (const FunctionBody& body : function_bodies(code)) ends_.emplace(body.begin, body.end);
  }

  /// With that line between its braces.
  std::optional<LinesOfFunction> around(std::uint32_t line) const {
    const std::string_view text = lines_[line - 1];
    const auto begin = static_cast<std::size_t>(text.data() - code_.data());
    const auto next = ends_.upper_bound(begin + text.size());
    if (next == ends_.begin() || std::prev(next)->second <= begin) return std::nullopt;
    const auto [first, end] = *std::prev(next);
    return LinesOfFunction{line_at(code_, first), line_at(code_, end - 1)};
  }
  bool have(std::size_t place) const {
    const auto next = ends_.upper_bound(place);
    return next != ends_.begin() && place < std::prev(next)->second;
  }

 private:
  std::string_view code_;
  const std::vector<std::string_view>& lines_;
  std::map<std::size_t, std::size_t> ends_;  // by where the body begins
};

/// The first constant that the statement in that line depends on.
std::optional<NarrowConstant> constant_behind(std::string_view code, std::uint32_t line) {
  const std::vector<NarrowConstant> constants = narrow_constants_of(code);
  if (constants.empty()) return std::nullopt;
  const std::vector<std::string_view> lines = text_lines(code);
  const Functions functions(code, lines);
  const auto function = functions.around(line);
  if (!function) return std::nullopt;
  const Dependence dependence = dependence_of(lines, *function, line);
  for (const NarrowConstant& each : constants) {
    if (dependence.lines.contains(each.line)) return each;
    // A constant of the whole source, which no variable of the function hides.
    if (each.name.empty() || !dependence.names.contains(each.name)) continue;
    const auto place = static_cast<std::size_t>(each.name.data() - code.data());
    if (!functions.have(place)) return each;
  }
  return std::nullopt;
}

/// Nothing, or where a variable of the statement is set.
bool says_little(const std::optional<OtherPlace>& other) {
  return !other || other->role == PlaceRole::setting;
}

}  // namespace

bool show_narrowed_value(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  if (findings.empty()) return false;
  MergedFinding& finding = findings.front();
  if (!finding.is_of_output() || finding.id == finding_ids::kNonfiniteResult || finding.proven || finding.known ||
      !says_little(finding.other) || !finding.where.known() || !finding.is_in_file(file))
    return false;
  const std::string code = without_comments(source);
  if (finding.where.line > text_lines(code).size()) return false;
  const auto constant = constant_behind(code, finding.where.line);
  if (!constant) return false;
  const NarrowType& type = constant->type;
  const SourcePlace place{finding.where.file, constant->line, constant->column};
  const std::string what =
      fmt::format("{} does not fit in `{}` and becomes {}", constant->value, type.spelling, constant->held());
  if (finding.where.line != place.line) finding.other = OtherPlace{what, place, {}, {}};
  const std::string advice = constant->argument       ? "give this parameter a wider type"
                             : constant->name.empty() ? "use a wider type"
                                                      : fmt::format("give `{}` a wider type", constant->name);
  finding.help =
      fmt::format("{}`{}` holds {} to {}: {}, such as `int`", finding.where.line == place.line ? what + "; " : "",
                  type.spelling, type.least, type.most, advice);
  return true;
}

}  // namespace cudalabs
