// What the kernel multiplies in its subscripts, against what the host multiplies in what it adds to the pointer.
#include "explain/accesses/other_row_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "explain/accesses/helper_access.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostAccesses = 64, kLongestSubscript = 300, kLongestOffset = 120;
constexpr int kMostCalls = 4;

using Names = std::set<std::string, std::less<>>;

/// By pointer, the parameters that its rows are as long as.
using RowLengths = std::map<std::string, Names, std::less<>>;

std::vector<std::string> names_of_parameters(const FunctionBody& function) {
  std::vector<std::string> names;
  for (const std::string& parameter : function.parameters) names.push_back(parameter_name(parameter));
  return names;
}

/// "n" of "(size_t)row * n + k".
bool is_factor(std::string_view text, std::size_t at, std::string_view name) {
  const std::size_t before = at == 0 ? kNowhere : before_spaces(text, at), behind = past_spaces(text, at + name.size());
  return (before != kNowhere && text[before] == '*') || text.substr(behind).starts_with('*');
}

/// What stands in the brackets behind a pointer, or is added to it up to the end of the statement.
std::string_view subscript_behind(std::string_view body, std::size_t end) {
  const std::string_view rest = body.substr(past_spaces(body, end)).substr(0, kLongestSubscript);
  if (rest.starts_with('[')) {
    const std::size_t past = past_bracket(rest, 0);
    return past == kNowhere ? std::string_view() : rest.substr(0, past);
  }
  return rest.starts_with('+') ? rest.substr(0, rest.find(';')) : std::string_view();
}

RowLengths row_lengths(std::string_view code, const FunctionBody& kernel) {
  Names numbers;
  RowLengths lengths;
  for (const std::string& parameter : kernel.parameters) {
    const std::string name = parameter_name(parameter);
    if (name.empty()) continue;
    if (parameter.find('*') == std::string::npos)
      numbers.insert(name);
    else
      lengths[name];
  }
  const std::string_view body = code.substr(kernel.begin, kernel.end - kernel.begin);
  std::size_t left = kMostAccesses;
  for_each_name(body, [&](std::size_t at, std::string_view name) {
    const auto pointer = lengths.find(name);
    if (pointer == lengths.end() || left == 0) return;
    const std::string_view subscript = subscript_behind(body, at + name.size());
    if (subscript.empty()) return;
    --left;
    for_each_name(subscript, [&](std::size_t place, std::string_view factor) {
      if (numbers.contains(factor) && is_factor(subscript, place, factor)) pointer->second.emplace(factor);
    });
  });
  return lengths;
}

/// A call or a launch: what it gives for the kernel's parameters, by their names, and which function it stands in.
struct Given {
  std::map<std::string, std::string_view, std::less<>> texts;
  const FunctionBody* around = nullptr;

  std::string_view text(std::string_view parameter) const {
    const auto found = texts.find(parameter);
    return found == texts.end() ? std::string_view() : found->second;
  }
};

/// "d_a" and "done * p" of "d_a + done * p" and "&d_a[done * p]".
struct MovedPointer {
  std::string_view pointer, offset;
};

std::optional<MovedPointer> moved_pointer(std::string_view argument) {
  const bool of_address = argument.starts_with('&') && argument.ends_with(']');
  const std::size_t sign = argument.find(of_address ? '[' : '+');
  if (sign == kNowhere) return std::nullopt;
  const std::size_t begin = of_address ? 1 : 0, end = of_address ? argument.size() - 1 : argument.size();
  const MovedPointer moved{without_outer_spaces(argument.substr(begin, sign - begin)),
                           without_outer_spaces(argument.substr(sign + 1, end - sign - 1))};
  return is_identifier(moved.pointer) ? std::optional(moved) : std::nullopt;
}

/// What is added, or what the variable that is added was set to; empty: it is no product of names alone.
std::string_view product_added(std::string_view code, std::string_view offset) {
  std::string_view value = offset;
  if (is_identifier(offset)) {
    const auto line = line_at(code, static_cast<std::size_t>(offset.data() - code.data()));
    const auto set = last_setting_of(code, line, offset);
    const std::size_t place = set ? place_of_line(code, set->line, set->column) : kNowhere;
    if (place == kNowhere) return {};
    const std::string_view statement = code.substr(place, code.find(';', place) - place).substr(0, kLongestOffset + 40);
    const std::size_t sign = statement.find('=');
    if (sign == kNowhere || !statement.starts_with(offset)) return {};
    value = without_outer_spaces(statement.substr(sign + 1));
  }
  const bool is_product = value.find('*') != kNowhere && value.find_first_of("+-/?%[&|\n") == kNowhere;
  return is_product && value.size() <= kLongestOffset ? value : std::string_view();
}

/// What the functions around give for what is a parameter of theirs.
void go_to_call(std::string_view code, const std::vector<FunctionBody>& functions, Given& given) {
  const FunctionBody* const called = given.around;
  given.around = nullptr;
  const std::size_t open = called == nullptr ? kNowhere : only_call_of(code, *called);
  const std::size_t end = open == kNowhere ? kNowhere : past_bracket(code, open);
  if (end == kNowhere) return;
  given.around = function_at(functions, open);
  const std::vector<std::string_view> arguments = items_of(code.substr(open + 1, end - open - 2));
  const std::vector<std::string> names = names_of_parameters(*called);
  for (auto& [parameter, text] : given.texts) {
    const auto which = static_cast<std::size_t>(std::ranges::find(names, text) - names.begin());
    text = which < arguments.size() ? arguments[which] : std::string_view();
  }
}

struct OtherRowLength {
  std::size_t place = 0;  // of the argument
  std::string_view pointer, added, own, other;
};

/// The argument for one of the kernel's pointers, if it is moved on by rows of another one.
std::optional<OtherRowLength> mistaken_in(std::string_view code, const RowLengths& lengths, const Given& given,
                                          const std::string& pointer) {
  const auto moved = moved_pointer(given.text(pointer));
  const Names& own = lengths.at(pointer);
  if (!moved || own.size() != 1) return std::nullopt;
  const std::string_view length = given.text(*own.begin());
  const std::string_view added = product_added(code, moved->offset);
  if (!is_identifier(length) || added.empty() || has_name(added, length)) return std::nullopt;
  for (const auto& [other, others] : lengths) {
    for (const std::string& each : others) {
      const std::string_view name = given.text(each);
      if (name == length || !is_identifier(name) || !has_name(added, name)) continue;
      return OtherRowLength{static_cast<std::size_t>(moved->pointer.data() - code.data()), moved->pointer, added,
                            length, name};
    }
  }
  return std::nullopt;
}

std::optional<OtherRowLength> other_row_length(std::string_view code, const std::string& kernel) {
  const std::string name = plain_name(kernel);
  const auto body = only_body(code, name);
  const auto launch = body ? only_launch(code, name) : std::nullopt;
  if (!launch || launch->arguments.size() != body->parameters.size()) return std::nullopt;
  const RowLengths lengths = row_lengths(code, *body);
  const std::vector<FunctionBody> functions = function_bodies(code);
  const std::vector<std::string> names = names_of_parameters(*body);
  Given given;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty()) given.texts.emplace(names[i], launch->arguments[i]);
  given.around = function_at(functions, place_of_line(code, launch->line, launch->column));
  for (int calls = 0; given.around != nullptr && calls < kMostCalls; ++calls) {
    for (const auto& [pointer, own] : lengths)
      if (auto found = mistaken_in(code, lengths, given, pointer)) return found;
    go_to_call(code, functions, given);
  }
  return std::nullopt;
}

/// Of elements that are missing, the one that has the line that stores.
std::string kernel_of(const MergedFinding& finding, std::string_view code) {
  if (!finding.kernel.empty()) return finding.kernel;
  const bool is_shown = finding.other && finding.other->place.file == finding.where.file;
  const auto function = is_shown ? function_around_line(code, finding.other->place.line) : std::nullopt;
  return function ? function->name : std::string();
}

}  // namespace

void show_other_row_length(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  if (findings.empty()) return;
  MergedFinding& finding = findings.front();
  // Of parts of an output that launches have left out it may be proven, and only be said where to look.
  const bool says_change = finding.proven && finding.help.scope != HelpScope::place;
  const bool is_open =
      finding.id == finding_ids::kGlobalOutOfBounds || (finding.is_of_output() && !says_change && !finding.known);
  if (!is_open || !finding.is_in_file(file)) return;
  const std::string code = without_comments(source);
  const auto found = other_row_length(code, kernel_of(finding, code));
  if (!found) return;
  const std::uint32_t line = line_at(code, found->place);
  finding.other = OtherPlace{
      fmt::format("`{}` moves on by rows of `{}` elements here", found->pointer, found->other),
      {finding.where.file, line, static_cast<std::uint32_t>(found->place - place_of_line(code, line, 1)) + 1},
      {},
      {}};
  finding.help = fmt::format(
      "rows of `{0}` have `{1}` elements, but line {2} adds `{3}` to it: `{4}` is the length of another matrix's rows; "
      "multiply by `{1}` for `{0}`",
      found->pointer, found->own, line, found->added, found->other);
}

}  // namespace cudalabs
