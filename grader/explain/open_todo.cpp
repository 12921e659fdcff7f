// What a submission has left open of its skeleton.
#include "explain/open_todo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

#include "check/case_name.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A comment with a number, and the code below it up to the next one.
struct Todo {
  int number = 0;
  std::uint32_t line = 0, column = 0;
  std::vector<std::string> above;  // the lines of code between the one before and this one
  std::string below;
};

std::string without_space(std::string_view line) {
  std::string packed(line);
  std::erase_if(packed, [](unsigned char letter) { return std::isspace(letter) != 0; });
  return packed;
}

/// Nothing on a line without such a comment.
std::optional<Todo> todo_on(std::string_view line) {
  constexpr std::string_view kSlashes = "//", kWord = "TODO ";
  const std::size_t slashes = line.find_first_not_of(" \t");
  if (slashes == std::string_view::npos || line.substr(slashes, 2) != kSlashes) return std::nullopt;
  const std::size_t word = line.find_first_not_of(" \t", slashes + 2);
  if (word == std::string_view::npos || line.substr(word, kWord.size()) != kWord) return std::nullopt;
  const std::string_view number = line.substr(word + kWord.size());
  Todo todo;
  if (std::from_chars(number.data(), number.data() + number.size(), todo.number).ec != std::errc()) return std::nullopt;
  todo.column = static_cast<std::uint32_t>(slashes) + 1;
  return todo;
}

std::vector<Todo> todos_in(std::string_view text) {
  const std::string code = without_comments(text);
  const std::vector<std::string_view> lines = text_lines(text), of_code = text_lines(code);
  std::vector<Todo> todos;
  std::vector<std::string> above;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (auto todo = todo_on(lines[i])) {
      todo->line = static_cast<std::uint32_t>(i) + 1;
      todo->above = std::exchange(above, {});
      todos.push_back(*std::move(todo));
      continue;
    }
    const std::string packed = i < of_code.size() ? without_space(of_code[i]) : std::string();
    if (packed.empty()) continue;
    if (!todos.empty()) todos.back().below += packed;
    above.push_back(packed);
  }
  return todos;
}

/// What stands in the skeleton below `todo`, and below those after it that the submission has no more.
std::string code_below(const std::vector<Todo>& skeleton, std::size_t todo, const std::vector<Todo>& submission) {
  std::string code = skeleton[todo].below;
  for (std::size_t next = todo + 1; next < skeleton.size(); ++next) {
    if (std::ranges::find(submission, skeleton[next].number, &Todo::number) != submission.end()) break;
    code += skeleton[next].below;
  }
  return code;
}

/// Something new stands between the skeleton's last line above a comment and the comment.
bool is_done_above(const Todo& asked, const Todo& left) {
  if (asked.above.empty() || left.above.empty() || left.above.back() == asked.above.back()) return false;
  return std::ranges::find(left.above, asked.above.back()) != left.above.end();
}

bool is_wholly_unwritten(const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [](const CaseRun& case_run) {
    return std::ranges::any_of(case_run.judged().mismatches, [](const Mismatch& mismatch) {
      return mismatch.fault == Fault::unwritten && !mismatch.follows && mismatch.elements > 0 &&
             mismatch.finding.count == static_cast<std::uint64_t>(mismatch.elements);
    });
  });
}

bool failed_besides_speed(const TestOutcome& outcome, const Lab& lab) {
  if (outcome.failures.empty()) return false;
  return std::ranges::any_of(lab.checks, [&](const Check& check) {
    return check.category != Category::speed && outcome.test.has_tag(check.id);
  });
}

std::string further_text(std::span<const OpenTodo> further) {
  if (further.empty()) return {};
  std::vector<int> numbers;
  for (const OpenTodo& todo : further) numbers.push_back(todo.number);
  const int last = numbers.back();
  numbers.pop_back();
  if (numbers.empty()) return fmt::format("TODO {} is open, too", last);
  return fmt::format("TODO {} and {} are open, too", fmt::join(numbers, ", "), last);
}

}  // namespace

std::vector<OpenTodo> open_todos(std::string_view skeleton, std::string_view submission) {
  const std::vector<Todo> asked = todos_in(skeleton), left = todos_in(submission);
  std::vector<OpenTodo> open;
  for (std::size_t begin = 0; begin < asked.size();) {
    std::size_t end = begin;  // of a group, without code between its comments
    while (end + 1 < asked.size() && asked[end].below.empty()) ++end;
    ++end;
    std::vector<OpenTodo> of_group;
    bool touched = false;
    for (std::size_t i = begin; i < end; ++i) {
      const auto still = std::ranges::find(left, asked[i].number, &Todo::number);
      if (still == left.end()) continue;
      touched = touched || (i == begin && is_done_above(asked[i], *still));
      const bool is_open = still->below == code_below(asked, i, left);
      if (!is_open) of_group.clear();
      if (is_open) of_group.push_back({asked[i].number, still->line, still->column});
    }
    if (!touched) open.insert(open.end(), of_group.begin(), of_group.end());
    begin = end;
  }
  return open;
}

std::optional<MergedFinding> unfinished(std::span<const OpenTodo> open, const std::filesystem::path& source,
                                        const SubmissionRun& submission_run, const std::vector<MergedFinding>& findings,
                                        const std::vector<TestOutcome>& outcomes) {
  if (open.empty() || !submission_run.build.ok) return std::nullopt;
  const auto failed = [&](const TestOutcome& outcome) { return failed_besides_speed(outcome, *submission_run.lab); };
  if (std::ranges::none_of(outcomes, failed)) return std::nullopt;
  const bool explained = std::ranges::count(findings, Severity::error, &Finding::severity) > 0;
  if (explained && !is_wholly_unwritten(submission_run)) return std::nullopt;
  MergedFinding finding;
  finding.id = finding_ids::kUnfinished;
  finding.message = fmt::format("TODO {} is still open: nothing was written for it", open.front().number);
  finding.where = {source.string(), open.front().line, open.front().column};
  finding.note = further_text(open.subspan(1));
  finding.help =
      "write the code that this comment asks for, and remove the comment; the handout, README.md, has the steps";
  return finding;
}

}  // namespace cudalabs
