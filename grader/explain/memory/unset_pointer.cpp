// Declarations are read as text, one statement after the other.
#include "explain/memory/unset_pointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// What is longer is no declaration that a person writes.
constexpr std::size_t kLongestDeclared = 300;

/// "db" of "cudaFree(db)" in the line, where it calls that once.
std::string_view freed_in(std::string_view line) {
  std::string_view freed;
  std::size_t calls = 0;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    if (name != "cudaFree") return;
    ++calls;
    const std::size_t open = past_spaces(line, at + name.size());
    const std::size_t close = open < line.size() && line[open] == '(' ? past_bracket(line, open) : kNowhere;
    if (close != kNowhere) freed = without_outer_spaces(line.substr(open + 1, close - open - 2));
  });
  return calls == 1 && is_identifier(freed) ? freed : std::string_view();
}

/// The name that one of the variables of a declaration is given, without what it is set to.
std::string_view declared_name(std::string_view item) {
  item = without_outer_spaces(item.substr(0, item.find('=')));
  return word_before(item, item.size());
}

/// "float *a" and "*a": words, and a star before the last of them.
bool is_pointer_alone(std::string_view item) {
  const std::string_view name = declared_name(item);
  if (name.empty() || item.find('=') != kNowhere || !item.ends_with(name)) return false;
  const std::string_view type = without_outer_spaces(item.substr(0, item.size() - name.size()));
  return type.ends_with('*') && std::ranges::all_of(type, [](char letter) {
           return is_word_letter(letter) || letter == ' ' || letter == '*' || letter == ':' || letter == '\n';
         });
}

/// Of the statement: where it declares the pointer without a value.
std::optional<UnsetPointer> declared_by(std::string_view code, std::string_view statement, std::string_view pointer) {
  constexpr std::array<std::string_view, 6> kNoTypes{"return", "delete", "throw", "goto", "static", "extern"};
  const std::size_t first = past_spaces(statement, 0);
  const std::string_view type = statement.substr(first, end_of_word(statement, first) - first);
  if (type.empty() || is_digit(type.front()) || std::ranges::find(kNoTypes, type) != kNoTypes.end())
    return std::nullopt;
  const std::vector<std::string_view> items = items_of(statement);
  // The first has the type before its star.
  if (items.empty() || declared_name(items.front()) == type || items.front().find('*') == kNowhere) return std::nullopt;
  const auto found = std::ranges::find_if(
      items, [&](std::string_view item) { return declared_name(item) == pointer && is_pointer_alone(item); });
  if (found == items.end()) return std::nullopt;
  const std::string_view name = declared_name(*found);
  UnsetPointer unset{setting_at_place(code, static_cast<std::size_t>(name.data() - code.data()), name), {}, {}};
  const bool last_alone = std::ranges::count_if(items, [](auto item) { return item.find('=') != kNowhere; }) == 1 &&
                          items.back().find('=') != kNowhere;
  if (last_alone) {
    unset.only_set = declared_name(items.back());
    unset.value = without_outer_spaces(items.back().substr(items.back().find('=') + 1));
  }
  return unset;
}

/// "db = host", "db += n", "++db"
bool gives_value(std::string_view code, std::string_view pointer) {
  bool gives = false;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name != pointer) return;
    const std::string_view behind = code.substr(past_spaces(code, at + name.size()));
    const std::size_t before = before_spaces(code, at);
    const bool stepped = before != kNowhere && before > 0 && (code[before] == '+' || code[before] == '-') &&
                         code[before - 1] == code[before];
    gives = gives || stepped || begins_assignment(behind) || behind.starts_with("++") || behind.starts_with("--");
  });
  return gives;
}

}  // namespace

std::optional<UnsetPointer> unset_pointer(std::string_view code, std::uint32_t line) {
  const auto function = function_around_line(code, line);
  if (!function) return std::nullopt;
  const std::string_view pointer = freed_in(text_lines(code)[line - 1]);
  const std::string_view body = code.substr(function->begin, function->end - function->begin);
  if (pointer.empty() || gives_value(body, pointer)) return std::nullopt;
  const auto end = static_cast<std::size_t>(pointer.data() - code.data());
  std::optional<UnsetPointer> found;
  for (std::size_t at = function->begin; at < end;) {
    const std::size_t next = std::min(code.find_first_of(";{}", at), end);
    const bool may = next < end && code[next] == ';' && next - at <= kLongestDeclared;
    auto unset = may ? declared_by(code, code.substr(at, next - at), pointer) : std::nullopt;
    if (unset && found) return std::nullopt;
    if (unset) found = std::move(unset);
    at = next + 1;
  }
  return found;
}

void show_unset_pointers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool not_allocated = finding.id == finding_ids::kInvalidFree && !finding.other && finding.wrong_pointer;
    if (!not_allocated || !finding.where.known() || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto unset = unset_pointer(code, finding.where.line);
    if (!unset) continue;
    const std::string& name = unset->pointer.names.front();
    const std::uint32_t line = unset->pointer.line;
    finding.other = OtherPlace{fmt::format("`{}` is declared here, without a value", name),
                               {finding.where.file, line, unset->pointer.column},
                               {},
                               {}};
    finding.help = unset->only_set.empty()
                       ? fmt::format("write `{} = nullptr` in line {}", name, line)
                       : fmt::format("`= {}` in line {} is for `{}` alone: write it for each pointer there",
                                     unset->value, line, unset->only_set);
    finding.help += ": `cudaFree` of a null pointer does nothing, and what has no value may point anywhere";
  }
}

}  // namespace cudalabs
