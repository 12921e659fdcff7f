// Statements are read in their order: what a variable is set from decides whether it changes with the call.
#include "explain/kept/first_call_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "source/function_head.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs {
namespace {

/// Longer declarations and arguments are not looked at.
constexpr std::size_t kLongestRead = 500;

using Names = std::set<std::string, std::less<>>;

bool has_any(std::string_view text, const Names& names) {
  bool found = false;
  for_each_name(text, [&](std::size_t, std::string_view name) { found = found || names.contains(name); });
  return found;
}

/// "blocks" and "= (n + 255) / 256" of "const int blocks = (n + 255) / 256"; "shape" and "{m, n, p}".
struct Initialised {
  std::string_view name, value;
};

/// The variable that a statement declares or assigns to, with what it is given; no name: neither.
Initialised initialised_in(std::string_view statement) {
  constexpr std::array<std::string_view, 8> kNoTypes{"return", "else", "new", "throw", "case", "goto", "delete", "do"};
  const std::size_t sign = statement.find_first_of("=({");
  if (sign == kNowhere || sign == 0) return {};
  const std::string_view name = word_before(statement, sign);
  if (name.empty() || is_digit(name.front())) return {};
  const auto at = static_cast<std::size_t>(name.data() - statement.data());
  const std::string_view value = statement.substr(sign);
  if (value.starts_with("==")) return {};
  if (value.starts_with('=')) return {name, value};
  const std::string_view type = word_before(statement, at);
  const std::size_t last = before_spaces(statement, at);
  const bool typed =
      !type.empty() ? std::ranges::find(kNoTypes, type) == kNoTypes.end() : last != kNowhere && statement[last] == '>';
  return typed ? Initialised{name, value} : Initialised{};
}

/// The parts between semicolons, and behind the braces that begin a block.
std::vector<std::string_view> statements_of(std::string_view body) {
  std::vector<std::string_view> statements;
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find(';', begin), body.size());
    std::string_view statement = body.substr(begin, std::min(end - begin, kLongestRead));
    for (std::size_t line = statement.find('\n'); line != kNowhere; line = statement.find('\n')) {
      const std::string_view head = without_outer_spaces(statement.substr(0, line));
      if (!head.empty() && !head.ends_with('{') && !head.ends_with('}') && !head.ends_with(')')) break;
      statement.remove_prefix(line + 1);
    }
    statement.remove_prefix(std::min(statement.size(), statement.find_first_not_of(" \t\n{}")));
    statements.push_back(statement);
    begin = end + 1;
  }
  return statements;
}

/// The parameters, and what the statements set from them.
Names changing_names(const FunctionBody& function, std::string_view code) {
  Names names;
  for (const std::string& parameter : function.parameters) {
    const std::string name = parameter_name(parameter);
    if (!name.empty()) names.insert(name);
  }
  for (const std::string_view statement : statements_of(code.substr(function.begin, function.end - function.begin))) {
    const auto [name, value] = initialised_in(statement);
    if (!name.empty() && has_any(value, names)) names.emplace(name);
  }
  return names;
}

/// The names that `text` calls; with `given`, only where an argument has one of these names.
Names called_with(std::string_view text, const Names* given) {
  Names called;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    const std::size_t open = past_spaces(text, at + name.size());
    if (open >= text.size() || text[open] != '(') return;
    const std::string_view near = text.substr(0, open + kLongestRead);
    const std::size_t end = given == nullptr ? kNowhere : past_bracket(near, open);
    if (given == nullptr || (end != kNowhere && has_any(near.substr(open, end - open), *given))) called.emplace(name);
  });
  return called;
}

/// "blocks = 1", "blocks += 1", "++blocks", "&blocks": somewhere in the function behind its declaration.
bool changes_later(std::string_view text, std::string_view wanted) {
  bool changes = false;
  for_each_name(text, [&](std::size_t at, std::string_view name) {
    if (name != wanted) return;
    const std::size_t next = past_spaces(text, at + name.size()), last = before_spaces(text, at);
    const std::string_view after = text.substr(std::min(next, text.size()));
    const bool assigns = begins_assignment(after) || after.starts_with("++") || after.starts_with("--");
    const bool returned = last != kNowhere && word_before(text, last) == "return";
    const bool before = last != kNowhere && last > 0 && !returned &&
                        ((text[last] == '&' && text[last - 1] != '&') || text.substr(last - 1, 2) == "++" ||
                         text.substr(last - 1, 2) == "--");
    changes = changes || assigns || before;
  });
  return changes;
}

/// "cudaMemcpyToSymbol": the first copy that the text calls.
std::string copy_in(std::string_view text) {
  std::string found;
  for_each_name(text, [&](std::size_t, std::string_view name) {
    if (found.empty() && name.starts_with("cudaMemcpy") && name.find("HostTo") == kNowhere) found = name;
  });
  return found;
}

/// Says what the function returns, where that leads to the variable.
void add_result(FirstCallValue& value, const FunctionBody& function, std::string_view code) {
  const auto head = head_of(code, function);
  if (!head || std::string_view("&*").find(head->result.back()) == kNowhere) return;
  const std::string_view name = value.declared.names.front();
  const std::string_view body = code.substr(function.begin, function.end - function.begin);
  const std::string_view sign = head->result.ends_with('*') ? "&" : "";
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word != "return") return;
    std::size_t begin = past_spaces(body, at + word.size());
    if (!body.substr(begin).starts_with(sign)) return;
    begin = past_spaces(body, begin + sign.size());
    // A member of it, too.
    const std::size_t end = end_of_word(body, begin);
    if (body.substr(begin, end - begin) != name || end >= body.size() || (body[end] != ';' && body[end] != '.')) return;
    value.result = head->result;
    value.result_line = head->line;
  });
}

/// Those of one function whose initialisers have one of the names.
void add_values_of(const FunctionBody& function, std::string_view code, const Names& names,
                   std::vector<FirstCallValue>& found) {
  constexpr std::string_view kStatic = "static";
  const std::string_view body = code.substr(0, function.end);
  for_each_name(body.substr(function.begin), [&](std::size_t begin, std::string_view word) {
    if (word != kStatic || found.size() > 1) return;  // several are as good as none
    const std::size_t at = function.begin + begin, end = std::min(body.find(';', at), body.size());
    if (end - at > kLongestRead) return;
    const std::string_view declaration = body.substr(at + kStatic.size(), end - at - kStatic.size());
    const auto [name, value] = initialised_in(declaration);
    if (name.empty() || !has_any(value, names)) return;
    const std::string_view type = declaration.substr(0, static_cast<std::size_t>(name.data() - declaration.data()));
    if (type.find_first_of("*&[") != kNowhere || type.find("constexpr") != kNowhere || value.find('[') != kNowhere)
      return;
    if (changes_later(body.substr(end), name)) return;
    const auto place = static_cast<std::size_t>(name.data() - code.data());
    found.push_back({setting_at_place(code, place, name), copy_in(value)});
    add_result(found.back(), function, code);
  });
}

/// What wrong sizes lead to.
bool may_come_of_sizes(const MergedFinding& finding) {
  return finding.is_of_output() || finding.id == finding_ids::kUninitializedRead ||
         is_of(finding.id, FindingGroup::memory_errors);
}

/// One of the cases that show it had a call with other sizes before.
bool comes_after_other_sizes(const MergedFinding& finding, const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& run) {
    return finding.is_seen_in(run.test.spec.name) && run.before &&
           run.before->spec.parameters != run.test.spec.parameters;
  });
}

/// "const Shape&" without what makes it a reference or a pointer.
std::string type_of_object(std::string_view result) {
  result = without_outer_spaces(result.substr(0, result.find_last_not_of(" &*") + 1));
  for (const std::string_view word : {"const ", " const"}) {
    if (word.ends_with(' ') && result.starts_with(word)) result.remove_prefix(word.size());
    if (word.starts_with(' ') && result.ends_with(word)) result.remove_suffix(word.size());
  }
  return std::string(without_outer_spaces(result));
}

/// Where the function returns no copy of the variable, an ordinary one would end before it is used.
std::string return_a_copy(const FirstCallValue& value) {
  constexpr std::size_t kLongestShown = 40;
  if (value.result.size() > kLongestShown)
    return fmt::format("return a copy, and not a {} (line {})", value.result.ends_with('*') ? "pointer" : "reference",
                       value.result_line);
  return fmt::format("return a copy (line {}: `{}`, not `{}`)", value.result_line, type_of_object(value.result),
                     value.result);
}

std::string help_for(const FirstCallValue& value) {
  const std::string& name = value.declared.names.front();
  if (value.result_line != 0) {
    return fmt::format("`{}` keeps the value of the first call: drop `static`, and {}", name, return_a_copy(value));
  }
  if (value.copy.empty()) {
    return fmt::format(
        "`{}` is computed in the first call only: a `static` variable keeps its value, and this call needs another "
        "one; make it an ordinary variable",
        name);
  }
  return fmt::format(
      "`{}` is set in the first call only, since it is `static`: `{}` is not called again, and the values of the first "
      "call stay; make it an ordinary variable",
      name, value.copy);
}

void place_at_value(MergedFinding& finding, const FirstCallValue& value, const std::string& file) {
  const Setting& declared = value.declared;
  const SourcePlace place{finding.where.known() ? finding.where.file : file, declared.line, declared.column};
  if (finding.where.known() && finding.where.line != declared.line) {
    finding.other = OtherPlace{"the second call goes wrong here", finding.where, finding.block, finding.thread,
                               PlaceRole::second_call};
    finding.block.reset();
    finding.thread.reset();
    finding.kernel.clear();
    finding.count = 1;  // of variables
  }
  finding.where = place;
  finding.help = {Advice::no_static_value, help_for(value)};
}

}  // namespace

std::optional<FirstCallValue> only_first_call_value(std::string_view source) {
  const std::string code = without_comments(source);
  if (code.find("static") == kNowhere) return std::nullopt;
  const std::vector<BodyPlace> bodies = body_places(code);
  std::vector<FunctionBody> functions = function_bodies(code);
  std::erase_if(functions, [&](const FunctionBody& function) {
    return function.begin + 1 >= bodies.size() || bodies[function.begin + 1].device;
  });
  const auto body_of = [&](const FunctionBody& function) {
    return std::string_view(code).substr(function.begin, function.end - function.begin);
  };
  Names called, given;
  for (const FunctionBody& function : functions) called.merge(called_with(body_of(function), nullptr));
  std::vector<FirstCallValue> found;
  for (const FunctionBody& function : functions) {
    if (called.contains(function.name)) continue;
    const Names names = changing_names(function, code);
    given.merge(called_with(body_of(function), &names));
    add_values_of(function, code, names, found);
  }
  for (const FunctionBody& function : functions) {
    if (called.contains(function.name) && given.contains(function.name))
      add_values_of(function, code, changing_names(function, code), found);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

void show_first_call_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                            const SubmissionRun& submission_run) {
  const auto is_meant = [&](const MergedFinding& finding) {
    return finding.right_at_first && !finding.access.kept && may_come_of_sizes(finding) &&
           (!finding.where.known() || finding.is_in_file(file)) && comes_after_other_sizes(finding, submission_run);
  };
  if (std::ranges::none_of(findings, is_meant)) return;
  const auto value = only_first_call_value(source);
  if (!value) return;
  for (MergedFinding& finding : findings) {
    if (is_meant(finding)) place_at_value(finding, *value, file);
  }
}

}  // namespace cudalabs
