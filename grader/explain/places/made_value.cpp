// One step further than the line that sets a variable: only where the text leaves no choice.
#include "explain/places/made_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/origin_place.h"
#include "explain/places/grid_division.h"
#include "source/call_value.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};

/// The first without blocks.
std::optional<std::size_t> empty_axis(const Index3& grid) {
  const auto empty = std::ranges::find(grid, 0U);
  return empty == grid.end() ? std::nullopt : std::optional(static_cast<std::size_t>(empty - grid.begin()));
}

/// "blocks(n)" of "dim3 grid(blocks(n), 1)", where the name is that of the variable; empty: the line is another one.
std::string_view extent_in(std::string_view line, std::string_view name, std::size_t axis) {
  constexpr std::size_t kLongest = 500;
  std::string_view found;
  for_each_name(line.substr(0, kLongest), [&](std::size_t at, std::string_view word) {
    if (word != name || !found.empty()) return;
    std::size_t open = past_spaces(line, at + word.size());
    if (open < line.size() && line[open] == '=') {
      open = past_spaces(line, open + 1);
      const std::size_t type = end_of_word(line, open);
      if (line.substr(open, type - open) == "dim3") open = type;
    }
    const bool opens = open < line.size() && (line[open] == '(' || line[open] == '{');
    const std::size_t end = opens ? past_bracket(line, open) : kNowhere;
    if (end == kNowhere) return;
    const auto extents = items_of(line.substr(open + 1, end - open - 2));
    if (axis < extents.size()) found = extents[axis];
  });
  return found;
}

/// "BLOCK_Y" and "BLOCK_X" of "(h + BLOCK_Y - 1) / BLOCK_X", where they differ.
std::optional<std::pair<std::string_view, std::string_view>> two_blocks(std::string_view text) {
  const std::size_t sign = text.find('/');
  const std::size_t close = sign == kNowhere ? kNowhere : before_spaces(text, sign);
  if (close == kNowhere || text[close] != ')') return std::nullopt;
  const std::string_view one = word_before(text, close);
  if (one != "1") return std::nullopt;
  const std::size_t minus = before_spaces(text, static_cast<std::size_t>(one.data() - text.data()));
  if (minus == kNowhere || text[minus] != '-') return std::nullopt;
  const std::string_view added = word_before(text, minus);
  const std::size_t right = past_spaces(text, sign + 1);
  const std::string_view divisor = text.substr(right, end_of_word(text, right) - right);
  if (added.empty() || divisor.empty() || added == divisor) return std::nullopt;
  return std::pair(added, divisor);
}

/// An extent of the grid that is 0: whatever its text says, it was rounded down.
void show_empty_grid(MergedFinding& finding, std::string_view code) {
  const auto axis = finding.launch.refused_grid ? empty_axis(*finding.launch.refused_grid) : std::nullopt;
  const std::vector<std::string_view> lines = text_lines(code);
  const std::uint32_t set = finding.other ? finding.other->place.line : 0;
  if (!axis || set == 0 || set > lines.size() || finding.other->role != PlaceRole::setting) return;
  const std::string name = finding.other->name;
  const auto made = value_of_call(code, extent_in(lines[set - 1], name, *axis));
  if (!made) return;
  const std::uint32_t line = made->where.line;
  finding.other = OtherPlace{fmt::format("`{}` gives the {} of `{}` in line {}", made->name, kAxes[*axis], name, set),
                             {finding.other->place.file, line, made->where.column},
                             {},
                             {}};
  const std::string_view division = plain_division(made->text);
  if (!division.empty() && made->text.find("ceil") != kNowhere) {
    finding.help = fmt::format(
        "`{}` divides whole numbers and drops what is left over before `ceil` can round it up: add the divisor less 1 "
        "before the division",
        division);
  } else if (const auto blocks = two_blocks(made->text)) {
    finding.help = fmt::format(
        "`{} - 1` is added, and it is divided by `{}`: to round up, both must be the extent of a block in that "
        "dimension",
        blocks->first, blocks->second);
  } else {
    finding.help = {Advice::check_grid_division,
                    fmt::format("every dimension of the grid must be at least 1; check the division in line {}", line)};
  }
}

/// The only line of the device's functions that rounds to the nearest, and halves to even numbers.
std::optional<Setting> only_even_rounding(std::string_view code) {
  constexpr std::array<std::string_view, 8> kRounding{"rint",           "rintf",  "nearbyint", "nearbyintf",
                                                      "__float2int_rn", "lrintf", "lrint",     "__float2uint_rn"};
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (std::ranges::find(kRounding, name) == kRounding.end() || !bodies[at].device || several) return;
    Setting here = setting_at_place(code, at, name);
    several = found && found->line != here.line;
    if (!found) found = std::move(here);
  });
  return several ? std::nullopt : found;
}

/// The first line of the device's functions that divides by 256.
std::optional<Setting> first_division_by_256(std::string_view code) {
  const std::vector<BodyPlace> bodies = body_places(code);
  for (std::size_t at = code.find_first_of("/>"); at < code.size(); at = code.find_first_of("/>", at + 1)) {
    const bool shifts = code.substr(at, 2) == ">>";
    const std::size_t by = past_spaces(code, at + (shifts ? 2 : 1));
    const std::string_view number = code.substr(by, end_of_word(code, by) - by);
    if (!bodies[at].device || number != (shifts ? "8" : "256")) continue;
    return setting_at_place(code, at, shifts ? ">>" : "/");
  }
  return std::nullopt;
}

/// The line that rounds a grey value where it should not, or otherwise than it should.
void show_rounding(MergedFinding& finding, std::string_view code) {
  if (!finding.where.known()) return;
  std::optional<Setting> rounding;
  if (finding.detector == "gray_of_halves_to_even") rounding = only_even_rounding(code);
  if (finding.detector == "gray_of_divided_terms") rounding = first_division_by_256(code);
  if (!rounding || rounding->line == finding.where.line) return;
  finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, rounding->line, rounding->column};
}

/// "View" where the place is in the braces of "struct View"; empty: it is in none.
std::string_view structure_around(std::string_view code, std::size_t place) {
  std::vector<std::string_view> names;  // of what each brace belongs to
  for (std::size_t at = 0; at < std::min(place, code.size()); ++at) {
    if (code[at] == '}' && !names.empty()) names.pop_back();
    if (code[at] != '{') continue;
    const std::string_view name = word_before(code, at);
    const std::string_view kind =
        name.empty() ? name : word_before(code, static_cast<std::size_t>(name.data() - code.data()));
    names.push_back(kind == "struct" || kind == "class" ? name : std::string_view());
  }
  const auto innermost =
      std::find_if(names.rbegin(), names.rend(), [](std::string_view name) { return !name.empty(); });
  return innermost == names.rend() ? std::string_view() : *innermost;
}

/// "b" and "d_b" are one array to who reads them.
bool means_array(std::string_view name, std::string_view array) {
  return name == array ||
         (name.size() > array.size() && name.ends_with(array) && name[name.size() - array.size() - 1] == '_');
}

/// Behind the "<const float>" that may stand at `at`.
std::size_t past_template_arguments(std::string_view code, std::size_t at) {
  constexpr std::size_t kLongest = 200;
  const std::size_t open = past_spaces(code, at);
  if (open >= code.size() || code[open] != '<') return at;
  const std::size_t close = code.substr(0, open + kLongest).find_first_of(">;", open);
  return close == kNowhere || code[close] == ';' ? at : close + 1;
}

/// "In" of "using In = View<const float>;", and `type` itself.
std::set<std::string_view> names_of_type(std::string_view code, std::string_view type) {
  std::set<std::string_view> names{type};
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "using") return;
    const std::size_t name = past_spaces(code, at + word.size()), end = end_of_word(code, name);
    const std::size_t sign = past_spaces(code, end);
    if (end == name || sign >= code.size() || code[sign] != '=') return;
    const std::size_t what = past_spaces(code, sign + 1);
    if (code.substr(what, end_of_word(code, what) - what) == type) names.insert(code.substr(name, end - name));
  });
  return names;
}

/// The only object of that type that is made of the array, outside of the type itself: "View b{d_b, n}".
std::optional<Setting> only_view_of(std::string_view code, std::string_view type, std::string_view array) {
  const std::set<std::string_view> types = names_of_type(code, type);
  std::optional<Setting> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (several || !types.contains(word)) return;
    const std::size_t name = past_spaces(code, past_template_arguments(code, at + word.size()));
    const std::size_t end = end_of_word(code, name);
    std::size_t open = past_spaces(code, end);
    if (open < code.size() && code[open] == '=') open = past_spaces(code, open + 1);
    if (open >= code.size() || (code[open] != '{' && code[open] != '(')) return;
    constexpr std::size_t kLongest = 400;
    const std::size_t close = past_bracket(code.substr(0, open + kLongest), open);
    if (close == kNowhere) return;
    const auto items = items_of(code.substr(open + 1, close - open - 2));
    const bool of_array = std::ranges::any_of(items, [&](std::string_view item) { return means_array(item, array); });
    if (!of_array) return;
    several = found.has_value();
    found = setting_at_place(code, end > name ? name : at, code.substr(name, end - name));
  });
  return several ? std::nullopt : found;
}

/// The only structure of the source of which there is one object that is made of the array; empty: there is none, or
/// there are several.
std::string_view type_of_only_view(std::string_view code, std::string_view array) {
  constexpr std::size_t kMostTypes = 8;
  std::set<std::string_view> types;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "struct" && word != "class") return;
    const std::size_t name = past_spaces(code, at + word.size()), end = end_of_word(code, name);
    const std::size_t open = past_spaces(code, end);
    if (end > name && open < code.size() && code[open] == '{') types.insert(code.substr(name, end - name));
  });
  if (types.size() > kMostTypes) return {};
  std::string_view found;
  for (const std::string_view type : types) {
    if (!only_view_of(code, type, array)) continue;
    if (!found.empty()) return {};
    found = type;
  }
  return found;
}

/// Values are as if a row of `b` held another number of them: the length is a member.
void show_members(MergedFinding& finding, std::string_view code) {
  const bool of_row = finding.of_values == "product_row_of_a" || finding.of_values == "product_row_of_b";
  if (finding.id != finding_ids::kGlobalOutOfBounds || finding.other || finding.access.array.empty() || !of_row) return;
  const std::vector<std::string_view> lines = text_lines(code);
  if (finding.where.line == 0 || finding.where.line > lines.size()) return;
  const auto place = static_cast<std::size_t>(lines[finding.where.line - 1].data() - code.data());
  std::string_view type = structure_around(code, place);
  if (type.empty()) type = type_of_only_view(code, finding.access.array);
  const auto view = type.empty() ? std::nullopt : only_view_of(code, type, finding.access.array);
  if (!view) return;
  finding.other = OtherPlace{fmt::format("the `{}` of `{}` gets its values here", type, finding.access.array),
                             {finding.where.file, view->line, view->column},
                             {},
                             {}};
}

/// "c[i] = brightness(rgb + 3 * i);": what the line stores is what a function of the source returns.
void show_returned_value(MergedFinding& finding, std::string_view code) {
  if (!finding.is_of_values() || finding.other) return;
  const std::vector<std::string_view> lines = text_lines(code);
  if (finding.where.line == 0 || finding.where.line > lines.size()) return;
  const std::string_view line = lines[finding.where.line - 1];
  const std::size_t sign = line.rfind('='), end = line.find(';', std::min(sign, line.size()));
  const bool assigns = sign != kNowhere && sign > 0 && end != kNowhere &&
                       (line[sign - 1] == ' ' || line[sign - 1] == ']') && line[sign + 1] != '=';
  const auto made = assigns ? value_of_call(code, line.substr(sign + 1, end - sign - 1)) : std::nullopt;
  if (!made || made->where.how != Setting::How::returned) return;
  finding.other = OtherPlace{
      fmt::format("`{}` returns this", made->name), {finding.where.file, made->where.line, made->where.column}, {}, {}};
}

}  // namespace

void show_made_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  const std::string code = without_comments(source);
  for (MergedFinding& finding : findings) {
    if (!finding.is_in_file(file)) continue;
    if (finding.id == finding_ids::kInvalidLaunch) show_empty_grid(finding, code);
    show_rounding(finding, code);
    show_members(finding, code);
    show_returned_value(finding, code);
  }
}

}  // namespace cudalabs
