// Variables are followed back from the launch, as far as the text leaves no choice.
#include "explain/places/grid_division.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "source/call_value.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kAxisNames = "xyz";
constexpr std::size_t kLongestExtent = 400;
constexpr int kMostStepsBack = 4;

/// "p", "32", "shape.p": where the operand that ends before `at` begins.
std::size_t begin_of_operand(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && (is_word_letter(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  return begin;
}

std::size_t end_of_operand(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_word_letter(text[at]) || text[at] == '.')) ++at;
  return at;
}

/// "256.0" and "256f" are no integers.
bool is_number_with_fraction(std::string_view operand) {
  return is_digit(operand.front()) && operand.find_first_of(".fFeE") != kNowhere && !operand.starts_with("0x");
}

/// The source declares a `float` or a `double` of that name, or gives it a number with a fraction.
bool may_have_fraction(std::string_view code, std::string_view operand) {
  if (operand.empty() || is_number_with_fraction(operand)) return true;
  if (is_digit(operand.front())) return false;
  const std::size_t dot = operand.rfind('.');
  const std::string_view name = dot == kNowhere ? operand : operand.substr(dot + 1);
  bool found = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (found || word != name) return;
    const std::string_view type = word_before(code, at);
    std::size_t value = past_spaces(code, at + word.size());
    const bool set = value < code.size() && (code[value] == '=' || code[value] == '{');
    if (set) value = past_spaces(code, value + 1);
    const std::string_view text = code.substr(value, end_of_operand(code, value) - value);
    const bool fraction = (set || type == "define") && !text.empty() && is_number_with_fraction(text);
    found = type == "float" || type == "double" || type == "auto" || fraction;
  });
  return found;
}

/// An expression, and the place in the code of the name that gets its value.
struct ExtentText {
  std::string_view text;
  std::size_t place = 0;
};

/// Of a definition or assignment whose name ends at `end`: the part of what stands there for that dimension; of one
/// that is no `dim3`, the whole for the first.
std::optional<std::string_view> value_at(std::string_view code, std::size_t end, std::size_t axis) {
  const std::string_view near = code.substr(0, std::min(code.size(), end + kLongestExtent));
  std::size_t open = past_spaces(near, end);
  bool assigned = open < near.size() && near[open] == '=' && !near.substr(open).starts_with("==");
  if (assigned) {
    open = past_spaces(near, open + 1);
    const std::size_t type = end_of_word(near, open);
    if (near.substr(open, type - open) == "dim3") {
      open = type;
      assigned = false;
    }
  }
  const bool opens = open < near.size() && (near[open] == '(' || near[open] == '{');
  if (!assigned && !opens) return std::nullopt;
  if (!assigned || near[open] == '{') {
    const std::size_t past = past_bracket(near, open);
    if (past == kNowhere) return std::nullopt;
    const auto extents = items_of(near.substr(open + 1, past - open - 2));
    return axis < extents.size() ? std::optional(extents[axis]) : std::nullopt;
  }
  const std::size_t semicolon = near.find(';', open);
  if (semicolon == kNowhere || axis != 0) return std::nullopt;
  const auto items = items_of(near.substr(open, semicolon - open));
  return items.empty() ? std::nullopt : std::optional(items.front());
}

/// Back from a launch to what one dimension of its grid is computed by.
class ExtentPath {
 public:
  ExtentPath(std::string_view code, std::uint32_t line) : code_(code), lines_(text_lines(code)), line_(line) {}

  /// What gives the name its value, last before the line that was reached; of that dimension, where it is a `dim3`.
  std::optional<ExtentText> value_of(std::string_view name, std::size_t axis) {
    const char axis_name = kAxisNames[axis];
    for (std::size_t i = line_ - 1; i-- > 0 && !lines_[i].starts_with('}');) {
      const auto begin = static_cast<std::size_t>(lines_[i].data() - code_.data());
      std::optional<ExtentText> found;
      for_each_name(lines_[i], [&](std::size_t at, std::string_view word) {
        if (word != name || found) return;
        std::size_t end = begin + at + word.size();
        const bool member = end + 1 < code_.size() && code_[end] == '.' && code_[end + 1] == axis_name;
        if (member) end += 2;
        const std::string_view type = word_before(code_, begin + at);
        const std::size_t next = past_spaces(code_, end);
        const bool declares = !type.empty() && type != "return" && type != "else";
        const bool sets = next < code_.size() && code_[next] == '=';
        if (!declares && !sets) return;
        if (const auto value = value_at(code_, end, member ? 0 : axis)) found = ExtentText{*value, begin + at};
      });
      if (!found) continue;
      line_ = static_cast<std::uint32_t>(i) + 1;
      return found;
    }
    return std::nullopt;
  }
  /// On in another function, from the line of its `return`.
  void go_to(std::uint32_t line) { line_ = line; }

 private:
  std::string_view code_;
  std::vector<std::string_view> lines_;
  std::uint32_t line_;
};

/// "blocks" of "blocks", "(unsigned)blocks" and "static_cast<int>(blocks)"; empty: it is no variable alone.
std::string_view only_variable(std::string_view text) {
  constexpr std::array<std::string_view, 8> kTypes{"static_cast", "int",      "unsigned", "size_t",
                                                   "std",         "uint32_t", "uint",     "long"};
  if (text.find_first_of("+-*/%?&|") != kNowhere) return {};
  std::string_view only;
  bool several = false;
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    if (std::ranges::find(kTypes, word) != kTypes.end()) return;
    const std::size_t behind = past_spaces(text, at + word.size());
    several = several || !only.empty() || (behind < text.size() && text[behind] == '(');
    only = word;
  });
  return several ? std::string_view() : only;
}

}  // namespace

std::string_view plain_division(std::string_view text) {
  const std::size_t sign = text.find('/');
  if (sign == kNowhere || text.find('/', sign + 1) != kNowhere) return {};
  const std::size_t last = before_spaces(text, sign);
  const std::size_t begin = last == kNowhere ? sign : begin_of_operand(text, last + 1);
  const std::size_t right = past_spaces(text, sign + 1), end = end_of_operand(text, right);
  if (last == kNowhere || begin > last || end == right) return {};
  const std::size_t open = before_spaces(text, begin), close = past_spaces(text, end);
  const bool alone = open != kNowhere && text[open] == '(' && close < text.size() && text[close] == ')';
  return alone ? text.substr(begin, end - begin) : std::string_view();
}

std::optional<WholeDivision> whole_division(std::string_view code, std::string_view text) {
  text = without_outer_spaces(text);
  if (text.starts_with('(') && past_bracket(text, 0) == text.size())
    text = without_outer_spaces(text.substr(1, text.size() - 2));
  const std::size_t sign = text.find('/');
  if (sign == kNowhere) return std::nullopt;
  const std::string_view dividend = without_outer_spaces(text.substr(0, sign)),
                         divisor = without_outer_spaces(text.substr(sign + 1));
  for (const std::string_view side : {dividend, divisor})
    if (side.empty() || end_of_operand(side, 0) != side.size() || may_have_fraction(code, side)) return std::nullopt;
  return WholeDivision{text, dividend, divisor};
}

namespace {

bool is_operand(std::string_view text) {
  return !text.empty() && end_of_operand(text, 0) == text.size();
}

/// The function of that name returns what its first parameter has of its second one, rounded up.
bool is_rounding_up(std::string_view code, std::string_view name, std::string_view returned) {
  const auto function = only_body(code, name);
  if (!function || function->parameters.size() != 2) return false;
  const std::string size = parameter_name(function->parameters[0]), part = parameter_name(function->parameters[1]);
  const std::string text = without_blanks(returned);
  return text == fmt::format("({0}+{1}-1)/{1}", size, part) || text == fmt::format("({1}+{0}-1)/{1}", size, part) ||
         text == fmt::format("({0}-1)/{1}+1", size, part);
}

GridDivision rounded_twice(std::string_view code, const WholeDivision& division, std::string_view replaced) {
  const auto place = static_cast<std::size_t>(division.text.data() - code.data());
  return {std::string(division.text), setting_at_place(code, place, division.text), {}, std::string(replaced), {}};
}

}  // namespace

std::optional<GridDivision> division_rounded_twice(std::string_view code, std::string_view extent) {
  extent = without_outer_spaces(extent);
  if (extent.empty() || extent.size() > kLongestExtent) return std::nullopt;
  if (extent.front() != '(') {
    const std::string_view name = extent.substr(0, end_of_word(extent, 0));
    if (name.size() >= extent.size() || extent[name.size()] != '(') return std::nullopt;
    const auto returned = value_of_call(code, extent);
    const auto arguments = items_of(extent.substr(name.size() + 1, extent.size() - name.size() - 2));
    if (!returned || arguments.size() != 2 || !is_operand(arguments[1])) return std::nullopt;
    const auto division = whole_division(code, arguments[0]);
    if (!division || !is_rounding_up(code, name, returned->text)) return std::nullopt;
    GridDivision found = rounded_twice(code, *division, extent);
    found.by = name;
    found.after = fmt::format("{}({}, {} * {})", name, division->dividend, division->divisor, arguments[1]);
    return found;
  }
  const std::size_t close = past_bracket(extent, 0), sign = close == kNowhere ? close : past_spaces(extent, close);
  if (sign >= extent.size() || extent[sign] != '/') return std::nullopt;
  const std::string_view part = without_outer_spaces(extent.substr(sign + 1));
  const std::string_view sum = extent.substr(1, close - 2);
  const std::size_t plus = sum.find('+');
  if (plus == kNowhere || !is_operand(part) || may_have_fraction(code, part)) return std::nullopt;
  if (without_blanks(sum.substr(plus + 1)) != fmt::format("{}-1", part)) return std::nullopt;
  const auto division = whole_division(code, sum.substr(0, plus));
  if (!division) return std::nullopt;
  GridDivision found = rounded_twice(code, *division, extent);
  found.by.clear();
  found.after = fmt::format("({0} + {1} * {2} - 1) / ({1} * {2})", division->dividend, division->divisor, part);
  return found;
}

std::optional<GridDivision> rounded_down_grid(std::string_view code, std::uint32_t launch, std::size_t axis) {
  const auto call = launch_in_line(code, launch);
  if (!call || axis >= kAxisNames.size()) return std::nullopt;
  const auto configuration = items_of(call->configuration);
  if (configuration.empty() || configuration.front().size() > kLongestExtent) return std::nullopt;
  ExtentText extent{configuration.front(), static_cast<std::size_t>(configuration.front().data() - code.data())};
  if (extent.text.starts_with("dim3") && !is_identifier(extent.text)) {
    const std::size_t end =
        static_cast<std::size_t>(extent.text.data() - code.data()) + std::string_view("dim3").size();
    const auto value = value_at(code, end, axis);
    if (!value) return std::nullopt;
    extent.text = *value;
    axis = 0;
  }
  ExtentPath path(code, launch);
  for (int step = 0; step < kMostStepsBack; ++step) {
    if (extent.text.substr(0, end_of_word(extent.text, 0)) == "dim3") {
      // What a function of the source returns.
      const auto value = value_at(code, extent.place + std::string_view("dim3").size(), axis);
      const bool is_made_here = static_cast<std::size_t>(extent.text.data() - code.data()) == extent.place;
      if (!value || !is_made_here) return std::nullopt;
      extent.text = *value;
      axis = 0;
    }
    if (auto twice = division_rounded_twice(code, extent.text)) return twice;
    const std::string_view division = extent.text.find("ceil") == kNowhere ? "" : plain_division(extent.text);
    if (!division.empty()) {
      const std::size_t sign = division.find('/');
      const bool whole = !may_have_fraction(code, without_outer_spaces(division.substr(0, sign))) &&
                         !may_have_fraction(code, without_outer_spaces(division.substr(sign + 1)));
      if (!whole) return std::nullopt;
      const std::size_t end = end_of_word(code, extent.place);
      const std::string_view dividend = without_outer_spaces(division.substr(0, sign)),
                             divisor = without_outer_spaces(division.substr(sign + 1));
      return GridDivision{std::string(division),
                          setting_at_place(code, extent.place, code.substr(extent.place, end - extent.place)), "ceil",
                          std::string(division), fmt::format("({0} + {1} - 1) / {1}", dividend, divisor)};
    }
    if (const auto made = value_of_call(code, extent.text)) {
      const auto place = static_cast<std::size_t>(made->text.data() - code.data());
      extent = {made->text, place};
      path.go_to(made->where.line);
      continue;
    }
    const std::string_view name = only_variable(extent.text);
    const auto value = name.empty() ? std::nullopt : path.value_of(name, axis);
    if (!value) return std::nullopt;
    // What a `dim3` is made of are numbers of one dimension.
    if (value->text != name) axis = 0;
    extent = *value;
  }
  return std::nullopt;
}

namespace {

/// Dimensions in which a grid has no blocks, or may have too few.
std::vector<std::size_t> short_axes(const MergedFinding& finding) {
  if (finding.id == finding_ids::kUnwrittenOutput &&
      finding.help.advises(Advice::round_up_blocks, Advice::more_blocks, Advice::more_blocks_x, Advice::more_blocks_y))
    return {0, 1};
  std::vector<std::size_t> axes;
  if (finding.id != finding_ids::kInvalidLaunch || !finding.launch.refused_grid) return axes;
  if (!finding.help.advises(Advice::check_grid_division)) return axes;
  for (std::size_t axis = 0; axis < kAxisNames.size(); ++axis)
    if ((*finding.launch.refused_grid)[axis] == 0) axes.push_back(axis);
  return axes;
}

/// Nothing where the line has the division several times, or written otherwise.
std::optional<ProposedChange> change_of(std::string_view code, const GridDivision& division) {
  const std::size_t begin = place_of_line(code, division.where.line, 1);
  if (begin == kNowhere) return std::nullopt;
  const std::string_view rest = code.substr(begin), line = rest.substr(0, rest.find('\n'));
  const std::size_t at = line.find(division.replaced);
  if (at == kNowhere || line.find(division.replaced, at + 1) != kNowhere) return std::nullopt;
  return ProposedChange{division.where.line, static_cast<std::uint32_t>(at) + 1, division.replaced, division.after};
}

}  // namespace

void show_grid_divisions(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!finding.is_in_file(file) || finding.proven) continue;
    const std::vector<std::size_t> axes = short_axes(finding);
    if (axes.empty()) continue;
    if (code.empty()) code = without_comments(source);
    for (const std::size_t axis : axes) {
      const auto division = rounded_down_grid(code, finding.where.line, axis);
      if (!division) continue;
      if (division->where.line != finding.where.line) {
        finding.other = OtherPlace{fmt::format("`{}` is rounded down here", division->text),
                                   {finding.where.file, division->where.line, division->where.column},
                                   {},
                                   {}};
      }
      const std::string before =
          division->by.empty() ? "the other division rounds up" : fmt::format("`{}` can round it up", division->by);
      finding.help = fmt::format("write `{}`: `{}` divides whole numbers and drops what is left over before {}",
                                 division->after, division->text, before);
      finding.proposed = change_of(code, *division);
      break;
    }
  }
}

}  // namespace cudalabs
