// Casts and numbers are found in the text; the size and the element in what the finding tells.
#include "explain/values/float_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>

#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "256.0f" and "256.f" at `at`.
bool is_float_number(std::string_view code, std::size_t at) {
  const std::size_t digits = end_of_word(code, at);
  if (digits == at || !is_digit(code[at]) || digits >= code.size() || code[digits] != '.') return false;
  const std::string_view rest = code.substr(digits + 1, end_of_word(code, digits + 1) - digits - 1);
  return rest.ends_with('f') || rest.ends_with('F');
}

/// Names that the source declares as `float`, and as nothing else.
std::set<std::string_view> float_names(std::string_view code) {
  std::set<std::string_view> floats, others;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    const std::size_t before = before_spaces(code, at);
    if (before == kNowhere || !(is_word_letter(code[before]) || code[before] == '>' || code[before] == '*')) return;
    const std::string_view type = word_before(code, at);
    if (type == "return" || type == "else" || type == "case") return;
    (type == "float" ? floats : others).insert(name);
  });
  std::erase_if(floats, [&](std::string_view name) { return others.contains(name); });
  return floats;
}

/// Where a variable that is a `float` stands on one side of the sign at `sign`; kNowhere: on none.
std::size_t float_beside(std::string_view code, std::size_t sign, const std::set<std::string_view>& floats) {
  const std::size_t right = past_spaces(code, sign + 1), end = end_of_word(code, right);
  const bool is_name = end > right && (end == code.size() || std::string_view(".([-").find(code[end]) == kNowhere);
  if (is_name && floats.contains(code.substr(right, end - right))) return right;
  const std::string_view left = word_before(code, sign);
  if (left.empty() || !floats.contains(left)) return kNowhere;
  const auto at = static_cast<std::size_t>(left.data() - code.data());
  return is_member(code, at) ? kNowhere : at;
}

/// "float" at `at` makes one of a number: "(float)n", "static_cast<float>(n)", "float(n)", "float{n}".
bool is_cast_to_float(std::string_view code, std::size_t at) {
  const std::size_t before = before_spaces(code, at), behind = past_spaces(code, at + std::string_view("float").size());
  if (before == kNowhere || behind >= code.size()) return false;
  if (code[behind] == '(' || code[behind] == '{') return true;
  if (code[behind] == '>') return code[before] == '<' && word_before(code, before) == "static_cast";
  if (code[behind] != ')' || code[before] != '(') return false;
  // In "f(float)" it is a parameter.
  const std::size_t operand = past_spaces(code, behind + 1);
  return word_before(code, before).empty() && operand < code.size() &&
         (is_word_letter(code[operand]) || code[operand] == '(');
}

/// The statement around the place divides, or rounds up.
bool computes_count(std::string_view code, std::size_t at) {
  constexpr std::size_t kLongest = 300;
  const std::size_t from = at - std::min(at, kLongest);
  const std::size_t before = code.substr(from, at - from).find_last_of(";{}");
  const std::size_t begin = before == kNowhere ? from : from + before + 1;
  const std::string_view statement =
      code.substr(begin, code.substr(0, std::min(code.size(), at + kLongest)).find_first_of(";}", at) - begin);
  return statement.find('/') != kNowhere || statement.find("ceil") != kNowhere;
}

/// The size whose `float` is not above the element that misses: its name, and its value.
std::optional<std::pair<std::string, std::int64_t>> rounded_size(const MissingWhenTimed& missing) {
  for (const auto& [name, size] : missing.sizes) {
    const auto rounded = static_cast<std::int64_t>(static_cast<float>(size));
    if (rounded <= missing.element && missing.element < size) return std::pair(name, size);
  }
  return std::nullopt;
}

/// Not `float`, `ceilf` or a number.
bool is_variable(const Setting& line) {
  const std::string& name = line.names.front();
  return name != "float" && name != "ceilf" && !is_digit(name.front());
}

}  // namespace

std::optional<Setting> only_float_size(std::string_view code) {
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  bool several = false;
  std::size_t begin = 0, end = 0;  // of its line
  const auto add = [&](std::size_t at, std::string_view what) {
    if (several || !bodies[at].inside || bodies[at].device || !computes_count(code, at)) return;
    several = found && (at < begin || at >= end);
    if (found) return;
    found = setting_at_place(code, at, what);
    begin = at + 1 - found->column;
    end = std::min(code.find('\n', at), code.size());
  };
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word == "float" && is_cast_to_float(code, at)) add(at, word);
  });
  for (std::size_t at = code.find('/'); at != kNowhere && !several; at = code.find('/', at + 1)) {
    const std::size_t number = past_spaces(code, at + 1);
    if (is_float_number(code, number)) {
      const std::size_t past = end_of_word(code, code.find('.', number) + 1);
      add(number, code.substr(number, past - number));
    }
  }
  const std::set<std::string_view> floats = float_names(code);
  for (std::size_t at = code.find('/'); at != kNowhere && !several && !floats.empty(); at = code.find('/', at + 1)) {
    const std::size_t name = float_beside(code, at, floats);
    if (name != kNowhere) add(name, code.substr(name, end_of_word(code, name) - name));
  }
  // What it gets becomes a `float`, whatever it was.
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (word == "ceilf" && open < code.size() && code[open] == '(') add(at, word);
  });
  return several ? std::nullopt : found;
}

void show_float_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kWrongWhenTimed || !finding.is_in_file(file)) continue;
    const auto size = finding.missing ? rounded_size(*finding.missing) : std::nullopt;
    const auto line = size ? only_float_size(without_comments(source)) : std::nullopt;
    if (!line) continue;
    if (line->line != finding.where.line) finding.other = OtherPlace{"the launch", finding.where, {}, {}};
    finding.where = {finding.where.file, line->line, line->column};
    const std::string why =
        line->names.front() == "ceilf"
            ? fmt::format(
                  "`ceilf` gets a `float`, whose 24 bits leave no room for the fraction of so large a number: "
                  "with {} = {} it is cut off before it can be rounded up",
                  size->first, size->second)
            : fmt::format("{}a `float` holds every integer only up to 16777216: of {} = {} it makes {:.0f}",
                          is_variable(*line) ? fmt::format("`{}` is a `float`, and ", line->names.front()) : "",
                          size->first, size->second, static_cast<double>(static_cast<float>(size->second)));
    finding.help = fmt::format(
        "{}, so that the number of blocks is too small; compute it with integers, `(size + block - 1) / block`", why);
  }
}

}  // namespace cudalabs
