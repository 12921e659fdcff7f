// Where the variables are set that a finding's statement depends on.
#include "check/setting_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "check/case_name.h"
#include "check/explanations.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::size_t kNone = std::string_view::npos, kMostLinesOfStatement = 8;

/// "=", "+=", "<<=" and the like, but no comparison.
bool is_assignment(std::string_view text) {
  if (text.starts_with("<<=") || text.starts_with(">>=")) return true;
  if (text.starts_with('=')) return !text.starts_with("==");
  return text.size() > 1 && text[1] == '=' && std::string_view("+-*/%&|^").find(text[0]) != kNone;
}

/// The name at `at`, which ends at `end`, gets a value: `name = `, `dim3 name(`, `int name{`.
bool is_set(std::string_view line, std::size_t at, std::size_t end) {
  const std::string_view rest = line.substr(past_spaces(line, end));
  if (is_assignment(rest)) return true;
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
  setting.condition = true;
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
  if (column > 0 && column <= statement.size() && is_assignment(statement.substr(column - 1))) return column - 1;
  for (std::size_t at = statement.find(']'); at != kNone; at = statement.find(']', at + 1)) {
    const std::size_t next = past_spaces(statement, at + 1);
    if (is_assignment(statement.substr(next))) return next;
  }
  // "*out = sum;"
  const std::size_t begin = past_spaces(statement, 0);
  if (!statement.substr(begin).starts_with('*')) return kNone;
  const std::size_t next = past_spaces(statement, end_of_word(statement, past_spaces(statement, begin + 1)));
  return is_assignment(statement.substr(next)) ? next : kNone;
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

/// The names that a part of a statement depends on. Of a value those that say which element it is for are no part of
/// it.
std::set<std::string_view> names_of(std::string_view statement, std::uint32_t column, Part part) {
  if (part == Part::launch) {
    const std::size_t begin = statement.find("<<<"), end = statement.find(">>>");
    if (begin == kNone || end == kNone || end < begin) return {};
    return names_in(statement.substr(begin + 3, end - begin - 3));
  }
  const std::size_t assignment = assignment_in(statement, column);
  if (assignment == kNone) return {};
  std::set<std::string_view> subscript = names_in(subscripts_before(statement, assignment));
  if (part == Part::subscript) return subscript;
  std::set<std::string_view> value =
      names_in(statement.substr(assignment, statement.find(';', assignment) - assignment));
  std::erase_if(value, [&](std::string_view name) { return subscript.contains(name); });
  return value;
}

/// Past the brackets that begin at `at`.
std::size_t past_brackets(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return at;
}

/// `name[i] = ` and `*name = `, where the name ends at `end`.
bool is_stored_to(std::string_view code, std::size_t at, std::size_t end) {
  const std::size_t next = past_spaces(code, end), last = before_spaces(code, at);
  if (code.substr(next).starts_with('['))
    return is_assignment(code.substr(past_spaces(code, past_brackets(code, next))));
  const bool pointed_to = last != kNone && code[last] == '*' && word_before(code, last).empty();
  return pointed_to && is_assignment(code.substr(next));
}

bool is_about_values(const Finding& finding) {
  return finding.id == finding_ids::kResultMismatch || finding.id == finding_ids::kNonfiniteResult;
}

bool is_about_launch(const Finding& finding) {
  return finding.id == finding_ids::kInvalidLaunch || finding.id == finding_ids::kWrongWhenTimed ||
         finding.id == finding_ids::kUnwrittenOutput;
}

/// Several threads store to one element in the line of `finding`.
bool collides(const Finding& finding, const std::vector<MergedFinding>& findings) {
  return std::ranges::any_of(findings, [&](const Finding& other) {
    return other.id == finding_ids::kGlobalRace && other.where.line == finding.where.line;
  });
}

std::optional<Setting> setting_for(const MergedFinding& finding, std::string_view source,
                                   const std::vector<MergedFinding>& findings) {
  const auto of = [&](Part part) { return setting_of(source, finding.where.line, finding.where.column, part); };
  const bool too_few_blocks = leads_to(finding.detector, CauseLine::Kind::first_launch) ||
                              leads_to(finding.detector, CauseLine::Kind::last_launch);
  if (is_about_launch(finding) || too_few_blocks) {
    if (auto setting = of(Part::launch)) return setting;
  }
  if (finding.other) return std::nullopt;
  if (finding.id == finding_ids::kUnwrittenOutput)
    return setting_of(source, finding.where.line, finding.where.column, Part::subscript, !collides(finding, findings));
  return is_about_values(finding) ? of(Part::value) : std::nullopt;
}

/// The names of questions that were asked.
std::set<std::string> questions_of(const SubmissionRun& submission_run) {
  std::set<std::string> names;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement) continue;
    for (const Comparison& comparison : case_run.judgement->comparisons) {
      for (const datasets::Question& question : comparison.questions) names.insert(question.name);
    }
  }
  return names;
}

/// Of a finding that has no place: where the host stores to the output that it is about.
std::optional<Setting> host_store_of(const Finding& finding, std::string_view source, std::string_view output) {
  const bool by_the_host = finding.id == finding_ids::kComputedOnTheHost || finding.id == finding_ids::kNoKernel ||
                           finding.id == finding_ids::kResultMismatch;
  return by_the_host ? only_host_store(source, output) : std::nullopt;
}

/// The output of all cases, where there is one only.
std::string only_output_of(const SubmissionRun& submission_run) {
  std::set<std::string> names;
  for (const CaseRun& case_run : submission_run.case_runs) {
    for (const datasets::ExpectedArray& expected : case_run.test.expected) names.insert(expected.name);
  }
  return names.size() == 1 ? *names.begin() : std::string();
}

/// The first name in backticks.
std::string_view first_quoted(std::string_view message) {
  const std::size_t begin = message.find('`');
  const std::size_t end = begin == kNone ? kNone : message.find('`', begin + 1);
  return end == kNone ? std::string_view() : message.substr(begin + 1, end - begin - 1);
}

}  // namespace

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
    Setting setting = setting_in(lines[i], wanted);
    if (setting.names.empty() && conditions) setting = condition_in(lines[i], wanted);
    if (setting.names.empty()) continue;
    setting.line = static_cast<std::uint32_t>(i) + 1;
    return setting;
  }
  return std::nullopt;
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
  const std::string_view before = std::string_view(code).substr(0, stores.front());
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1;
  const auto column = static_cast<std::uint32_t>(before.size() - (before.rfind('\n') + 1)) + 1;
  return Setting{{std::string(name)}, line, column};
}

void show_settings(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                   const SubmissionRun& submission_run) {
  const std::set<std::string> questions = questions_of(submission_run);
  const auto name_of = [](const std::string& path) { return std::filesystem::path(path).filename(); };
  for (MergedFinding& finding : findings) {
    if (!finding.where.known()) {
      const std::string name = finding.id == finding_ids::kNoKernel ? only_output_of(submission_run)
                                                                    : std::string(first_quoted(finding.message));
      const auto place =
          questions.contains(name) ? only_setting_of(source, name) : host_store_of(finding, source, name);
      if (place) finding.where = {file, place->line, place->column};
      continue;
    }
    if (name_of(finding.where.file) != name_of(file)) continue;
    const auto setting = setting_for(finding, source, findings);
    if (!setting) continue;
    const std::string names = list_names(setting->names);
    const std::string label = setting->condition
                                  ? fmt::format("the condition on {} is here", names)
                                  : fmt::format("{} {} set here", names, setting->names.size() == 1 ? "is" : "are");
    finding.other = OtherPlace{label, {finding.where.file, setting->line, setting->column}, {}, {}};
  }
}

}  // namespace cudalabs
