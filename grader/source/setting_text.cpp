// Backwards from a statement to what its names depend on.
#include "source/setting_text.h"

#include <algorithm>
#include <array>
#include <set>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kNone = std::string_view::npos, kMostLinesOfStatement = 8;

/// "= 3" of ".y = 3", and of "= 3"
std::string_view past_member(std::string_view rest) {
  if (!rest.starts_with('.')) return rest;
  const std::size_t name = past_spaces(rest, 1), end = end_of_word(rest, name);
  return end == name ? rest : rest.substr(past_spaces(rest, end));
}

/// The name at `at`, which ends at `end`, gets a value, or a member of it does: `name = `, `name.y = `, `dim3 name(`,
/// `int name{`.
bool is_set(std::string_view line, std::size_t at, std::size_t end) {
  const std::string_view rest = line.substr(past_spaces(line, end));
  if (begins_assignment(past_member(rest))) return true;
  if (!rest.starts_with('(') && !rest.starts_with('{')) return false;
  constexpr std::array<std::string_view, 5> kNoTypes{"return", "else", "case", "new", "throw"};
  const std::string_view type = word_before(line, at);
  return !type.empty() && std::ranges::find(kNoTypes, type) == kNoTypes.end();
}

std::set<std::string_view> names_in(std::string_view text) {
  std::set<std::string_view> names;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    const std::string_view rest = text.substr(past_spaces(text, at + name.size()));
    if (!rest.starts_with('(')) names.insert(name);
  });
  return names;
}

Setting setting_in(std::string_view line, const std::set<std::string_view>& wanted) {
  Setting setting;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    if (!wanted.contains(name) || !is_set(line, at, at + name.size())) return;
    if (std::ranges::find(setting.names, name) != setting.names.end()) return;
    if (setting.names.empty()) setting.column = static_cast<std::uint32_t>(at) + 1;
    setting.names.emplace_back(name);
  });
  return setting;
}

/// The names that an `if` of the line asks about.
Setting condition_in(std::string_view line, const std::set<std::string_view>& wanted) {
  Setting setting;
  setting.how = Setting::How::asked;
  bool asked = false;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    asked = asked || name == "if";
    if (!asked || !wanted.contains(name)) return;
    if (std::ranges::find(setting.names, name) != setting.names.end()) return;
    if (setting.names.empty()) setting.column = static_cast<std::uint32_t>(at) + 1;
    setting.names.emplace_back(name);
  });
  return setting;
}

std::string statement_from(const std::vector<std::string_view>& lines, std::size_t first) {
  std::string statement;
  for (std::size_t i = first; i < std::min(lines.size(), first + kMostLinesOfStatement); ++i) {
    statement += lines[i];
    statement += '\n';
    if (lines[i].find(';') != kNone) break;
  }
  return statement;
}

/// The place of the assignment to an element; `column` from 1, 0: not known.
std::size_t assignment_in(std::string_view statement, std::uint32_t column) {
  if (column > 0 && column <= statement.size() && begins_assignment(statement.substr(column - 1))) return column - 1;
  for (std::size_t at = statement.find(']'); at != kNone; at = statement.find(']', at + 1)) {
    const std::size_t next = past_spaces(statement, at + 1);
    if (begins_assignment(statement.substr(next))) return next;
  }
  // "*out = sum;"
  const std::size_t begin = past_spaces(statement, 0);
  if (!statement.substr(begin).starts_with('*')) return kNone;
  const std::size_t next = past_spaces(statement, end_of_word(statement, past_spaces(statement, begin + 1)));
  return begins_assignment(statement.substr(next)) ? next : kNone;
}

/// "[ty][tx]" of "tile[ty][tx] ", which ends at `end`.
std::string_view subscripts_before(std::string_view statement, std::size_t end) {
  const std::size_t last = before_spaces(statement, end);
  if (last == kNone) return {};
  std::size_t begin = last + 1;
  while (begin > 0 && statement[begin - 1] == ']') {
    int depth = 0;
    do {
      --begin;
      depth += statement[begin] == ']' ? 1 : statement[begin] == '[' ? -1 : 0;
    } while (depth > 0 && begin > 0);
    if (depth > 0) return {};
  }
  return statement.substr(begin, last + 1 - begin);
}

/// The terms of "[row * width + col]" that are products, or those that are none; all where there is one kind only, or
/// several subscripts.
std::set<std::string_view> names_of_terms(std::string_view subscripts, bool products) {
  std::set<std::string_view> all = names_in(subscripts), found;
  if (std::ranges::count(subscripts, '[') != 1) return all;
  int depth = 0;
  for (std::size_t begin = 1, at = 1; at < subscripts.size(); ++at) {
    depth += subscripts[at] == '(' ? 1 : subscripts[at] == ')' ? -1 : 0;
    if (depth != 0 || (subscripts[at] != '+' && subscripts[at] != ']')) continue;
    const std::string_view term = subscripts.substr(begin, at - begin);
    if ((term.find('*') != kNone) == products) found.merge(names_in(term));
    begin = at + 1;
  }
  return found.empty() ? all : found;
}

/// Those in brackets.
std::set<std::string_view> names_in_brackets(std::string_view statement) {
  std::set<std::string_view> names;
  int depth = 0;
  for (std::size_t begin = 0, at = 0; at < statement.size(); ++at) {
    if (statement[at] == '[' && depth++ == 0) begin = at;
    if (statement[at] == ']' && --depth == 0) names.merge(names_in(statement.substr(begin, at - begin)));
  }
  return names;
}

/// What stands behind so many commas that no brackets are around: "bytes, stream" of "grid, dim3(16, 16), bytes,
/// stream" behind two.
std::string_view behind_commas(std::string_view configuration, int commas) {
  int depth = 0;
  for (std::size_t at = 0; at < configuration.size(); ++at) {
    const char letter = configuration[at];
    depth += letter == '(' || letter == '{' ? 1 : letter == ')' || letter == '}' ? -1 : 0;
    if (letter == ',' && depth == 0 && --commas == 0) return configuration.substr(at + 1);
  }
  return {};
}

/// "bytes" of "grid, dim3(16, 16), bytes, stream"
std::string_view third_argument_of(std::string_view configuration) {
  const std::string_view rest = behind_commas(configuration, 2), behind = behind_commas(rest, 1);
  return behind.empty() ? rest : rest.substr(0, rest.size() - behind.size() - 1);
}

/// What stands between "<<<" and ">>>".
std::string_view configuration_in(std::string_view statement) {
  const std::size_t begin = statement.find("<<<"), end = statement.find(">>>");
  return begin == kNone || end == kNone || end < begin ? std::string_view()
                                                       : statement.substr(begin + 3, end - begin - 3);
}

/// The names that a part of a statement depends on. Of a value those that say which element it is for are no part of
/// it.
std::set<std::string_view> names_of(std::string_view statement, std::uint32_t column, Part part) {
  if (part == Part::launch) return names_in(configuration_in(statement));
  if (part == Part::block_and_shared) return names_in(behind_commas(configuration_in(statement), 1));
  if (part == Part::shared_size) return names_in(third_argument_of(configuration_in(statement)));
  if (part == Part::access) return names_in_brackets(statement);
  const std::size_t assignment = assignment_in(statement, column);
  if (assignment == kNone) return {};
  const std::string_view subscripts = subscripts_before(statement, assignment);
  if (part == Part::row || part == Part::column) return names_of_terms(subscripts, part == Part::row);
  std::set<std::string_view> subscript = names_in(subscripts);
  if (part == Part::subscript) return subscript;
  std::set<std::string_view> value =
      names_in(statement.substr(assignment, statement.find(';', assignment) - assignment));
  std::erase_if(value, [&](std::string_view name) { return subscript.contains(name); });
  return value;
}

bool is_loop_head(std::string_view line) {
  const std::string_view begin = line.substr(past_spaces(line, 0));
  const std::string_view word = begin.substr(0, end_of_word(begin, 0));
  return word == "for" || word == "while";
}

/// "if (blocks == 0) blocks = 1;"
bool asks_for_none(std::string_view line) {
  const std::string_view begin = line.substr(past_spaces(line, 0));
  return begin.starts_with("if") && compares_with_zero(begin.substr(0, begin.find(')')));
}

/// Whether a line before `line`, in the same function, has an `if`.
bool asks_before(const std::vector<std::string_view>& lines, std::size_t line) {
  bool asks = false;
  for (std::size_t i = line; i-- > 0 && !lines[i].starts_with('}');)
    for_each_name(lines[i], [&](std::size_t, std::string_view name) { asks = asks || name == "if"; });
  return asks;
}

/// What the line sets or asks for of the names that matter for that part of a later line.
Setting setting_before(std::string_view line, const std::set<std::string_view>& wanted, Part part, bool conditions) {
  if (part == Part::launch && asks_for_none(line)) return {};
  if (part == Part::access && is_loop_head(line)) {
    // Only one that goes up to its end is of interest. Its first name is the counter.
    Setting setting = line.find("<=") == kNone ? Setting{} : setting_in(line, wanted);
    setting.how = Setting::How::asked;
    return setting;
  }
  Setting setting = setting_in(line, wanted);
  return setting.names.empty() && conditions ? condition_in(line, wanted) : setting;
}

/// Past the pair of braces, brackets or parentheses that begins at `at`.
std::size_t past_pair(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == open ? 1 : text[at] == close ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return at;
}

/// `name[i] = ` and `*name = `, where the name ends at `end`.
bool is_stored_to(std::string_view code, std::size_t at, std::size_t end) {
  const std::size_t next = past_spaces(code, end), last = before_spaces(code, at);
  if (code.substr(next).starts_with('['))
    return begins_assignment(code.substr(past_spaces(code, past_pair(code, next, '[', ']'))));
  const bool pointed_to = last != kNone && code[last] == '*' && word_before(code, last).empty();
  return pointed_to && begins_assignment(code.substr(next));
}

/// Between the braces of the only function of that name.
std::optional<std::string_view> body_of(std::string_view code, std::string_view name) {
  std::optional<std::string_view> found;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (word != name || !code.substr(open).starts_with('(')) return;
    std::size_t brace = past_spaces(code, past_pair(code, open, '(', ')'));
    for (const std::string_view behind : {"const", "noexcept"})
      if (code.substr(std::min(brace, code.size())).starts_with(behind))
        brace = past_spaces(code, brace + behind.size());
    if (!code.substr(std::min(brace, code.size())).starts_with('{')) return;
    several = several || found;
    found = code.substr(brace, past_pair(code, brace, '{', '}') - brace);
  });
  return several ? std::nullopt : found;
}

}  // namespace

Setting setting_at_place(std::string_view code, std::size_t at, std::string_view name, Setting::How how) {
  const std::string_view before = code.substr(0, at);
  const auto column = static_cast<std::uint32_t>(before.size() - (before.rfind('\n') + 1)) + 1;
  return {{std::string(name)}, line_at(code, at), column, how};
}

bool compares_with_zero(std::string_view condition) {
  for (const std::string_view question : {"== 0", "==0", "<= 0", "<=0", "< 1", "<1"}) {
    const std::size_t at = condition.find(question);
    if (at == kNone) continue;
    const std::size_t end = at + question.size();
    if (end >= condition.size() || !is_word_letter(condition[end])) return true;
  }
  return false;
}

std::optional<Setting> setting_of(std::string_view source, std::uint32_t line, std::uint32_t column, Part part,
                                  bool conditions) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string statement = statement_from(lines, line - 1);
  const std::set<std::string_view> wanted = names_of(statement, column, part);
  if (wanted.empty()) return std::nullopt;
  if (conditions && !condition_in(lines[line - 1], wanted).names.empty()) return std::nullopt;  // it is shown anyway
  for (std::size_t i = line - 1; i-- > 0 && !lines[i].starts_with('}');) {
    Setting setting = setting_before(lines[i], wanted, part, conditions);
    if (setting.names.empty()) continue;
    // An access that nothing is asked before misses its guard, whatever its index is.
    const bool of_index = part == Part::access && conditions && setting.how == Setting::How::set;
    if (of_index && !asks_before(lines, line - 1)) return std::nullopt;
    setting.line = static_cast<std::uint32_t>(i) + 1;
    return setting;
  }
  return std::nullopt;
}

std::optional<Setting> last_setting_of(std::string_view source, std::uint32_t line, std::string_view name) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  for (std::size_t i = std::min<std::size_t>(line, lines.size() + 1) - 1; i-- > 0 && !lines[i].starts_with('}');) {
    Setting setting = setting_in(lines[i], {name});
    if (setting.names.empty()) continue;
    setting.line = static_cast<std::uint32_t>(i) + 1;
    return setting;
  }
  return std::nullopt;
}

std::optional<Setting> grid_function_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string statement = statement_from(lines, line - 1);
  const std::string_view configuration = configuration_in(statement);
  std::size_t end = end_of_word(configuration, past_spaces(configuration, 0));
  std::string_view name = word_before(configuration, end);
  while (end < configuration.size() && configuration[end] == '.') {  // a member function, "shape.grid()"
    const std::size_t begin = end + 1;
    end = end_of_word(configuration, begin);
    name = configuration.substr(begin, end - begin);
  }
  const bool calls = !name.empty() && configuration.substr(past_spaces(configuration, end)).starts_with('(');
  if (!calls) return std::nullopt;
  const std::optional<std::string_view> body = body_of(code, name);
  std::vector<std::size_t> returns;
  if (body)
    for_each_name(*body, [&](std::size_t at, std::string_view word) {
      if (word == "return") returns.push_back(static_cast<std::size_t>(body->data() - code.data()) + at);
    });
  if (returns.size() != 1) return std::nullopt;
  return setting_at_place(code, returns.front(), name, Setting::How::returned);
}

std::optional<Setting> later_store_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  const auto stored_in = [](std::string_view text) {
    std::set<std::string_view> names;
    for_each_name(text, [&](std::size_t at, std::string_view name) {
      if (is_stored_to(text, at, at + name.size())) names.insert(name);
    });
    return names;
  };
  const std::set<std::string_view> arrays = stored_in(lines[line - 1]);
  if (arrays.size() != 1) return std::nullopt;
  std::optional<Setting> found;
  for (std::size_t i = line; i < lines.size() && !lines[i].starts_with('}'); ++i) {
    if (lines[i].find("<<<") != kNone || lines[i].find("cuda") != kNone) break;
    if (!stored_in(lines[i]).contains(*arrays.begin())) continue;
    if (found) return std::nullopt;
    const auto at = static_cast<std::size_t>(lines[i].data() - code.data()) + lines[i].find(*arrays.begin());
    found = setting_at_place(code, at, *arrays.begin(), Setting::How::stored);
  }
  return found;
}

std::optional<Setting> only_setting_of(std::string_view source, std::string_view name) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  std::optional<Setting> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Setting setting = setting_in(lines[i], {name});
    if (setting.names.empty()) continue;
    if (found) return std::nullopt;
    setting.line = static_cast<std::uint32_t>(i) + 1;
    found = std::move(setting);
  }
  return found;
}

std::optional<Setting> only_host_store(std::string_view source, std::string_view name) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::vector<std::size_t> stores;
  for_each_name(code, [&](std::size_t at, std::string_view found) {
    if (found == name && !bodies[at].device && is_stored_to(code, at, at + found.size())) stores.push_back(at);
  });
  if (stores.size() != 1) return std::nullopt;
  return setting_at_place(code, stores.front(), name, Setting::How::set);
}

}  // namespace cudalabs
