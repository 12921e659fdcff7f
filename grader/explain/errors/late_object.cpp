// The calls of the case tell that the error was given while the object was made.
#include "explain/errors/late_object.h"

#include <fmt/format.h>

#include <utility>

#include "explain/errors/unreported_error.h"
#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::string_view kFetches = "cudaGetLastError", kLooks = "cudaPeekAtLastError";

/// The braces of the only "class X { ... }" or "struct X { ... }" have the place.
bool is_in_type(std::string_view code, std::string_view type, std::size_t place) {
  bool inside = false;
  std::size_t definitions = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "class" && word != "struct") return;
    const std::size_t name = past_spaces(code, at + word.size()), end = end_of_word(code, name);
    if (code.substr(name, end - name) != type) return;
    const std::size_t open = code.find_first_of("{;", end);
    if (open == kNowhere || code[open] == ';' || ++definitions > 1) return;
    const std::size_t close = past_bracket(code, open);
    inside = close != kNowhere && open < place && place < close;
  });
  return inside && definitions == 1;
}

/// The line between the braces of "~X() { ... }" that asks for the error; 0: none does, or there are several of these.
std::uint32_t question_in_destructor(std::string_view code, std::string_view type) {
  std::uint32_t line = 0;
  std::size_t destructors = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t sign = before_spaces(code, at);
    if (word != type || sign == kNowhere || code[sign] != '~') return;
    const std::size_t open = code.find_first_of("{;", at);
    if (open == kNowhere || code[open] == ';' || ++destructors > 1) return;
    const std::size_t close = past_bracket(code, open);
    if (close == kNowhere) return;
    for_each_name(code.substr(open, close - open), [&](std::size_t in_body, std::string_view name) {
      if (line == 0 && (name == kFetches || name == kLooks)) line = line_at(code, open + in_body);
    });
  });
  return destructors == 1 ? line : 0;
}

/// The call that gave the program the error, with where the function around it was called; null: it is not known.
const WatchedCall* fetched_in(const MergedFinding& finding, const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!finding.is_seen_in(case_run.test.spec.name)) continue;
    for (const WatchedCall& call : case_run.observed.after_failure)
      if (call.name == kFetches && call.status != 0 && call.where == finding.where) return &call;
  }
  return nullptr;
}

/// The launch that the finding shows stands before the line, in the same function.
bool is_behind_launch(const MergedFinding& finding, std::string_view code, std::uint32_t line) {
  if (!finding.other || finding.other->place.file != finding.where.file) return false;
  const auto launch = function_around_line(code, finding.other->place.line), here = function_around_line(code, line);
  return launch && here && launch->begin == here->begin && finding.other->place.line < line;
}

void show_late_object(MergedFinding& finding, const LateObject& object) {
  const std::uint32_t fetched = finding.where.line;
  show_error_beside(finding);
  finding.message =
      fmt::format("`{}` is made after the launch, and making it fetches and clears the launch's error", object.name);
  finding.note.insert(0, fmt::format("`~{}` asks in line {}, after line {} has cleared the error, and gets none\n",
                                     object.type, object.asked, fetched));
  finding.where = {finding.where.file, object.line, object.column};
  finding.help = fmt::format("declare `{}` before the launch: then its destructor gets the error", object.name);
  finding.count = 1;
  finding.proven = true;
}

}  // namespace

std::optional<LateObject> late_object(std::string_view code, std::uint32_t fetched, std::uint32_t declared) {
  const std::vector<std::string_view> lines = text_lines(code);
  const std::size_t place = place_of_line(code, fetched, 0);
  if (place == kNowhere || declared == 0 || declared > lines.size()) return std::nullopt;
  const std::string_view line = lines[declared - 1];
  std::optional<LateObject> found;
  std::string_view before;
  for_each_name(line, [&](std::size_t at, std::string_view word) {
    const std::string_view type = std::exchange(before, word);
    const std::size_t behind = past_spaces(line, at + word.size());
    const bool is_declared = behind < line.size() && std::string_view("({;").find(line[behind]) != kNowhere;
    if (found || type.empty() || !is_declared || word_before(line, at) != type) return;
    if (!is_in_type(code, type, place) || destructor_around(code, fetched) == type) return;
    const std::uint32_t asked = question_in_destructor(code, type);
    if (asked != 0)
      found = LateObject{type, word, declared, static_cast<std::uint32_t>(type.data() - line.data()) + 1, asked};
  });
  return found;
}

void show_late_objects(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!is_unreported(finding) || !finding.is_in_file(file)) continue;
    const WatchedCall* const told = fetched_in(finding, submission_run);
    if (told == nullptr || told->outer.file != told->where.file) continue;
    if (code.empty()) code = without_comments(source);
    const auto object = late_object(code, told->where.line, told->outer.line);
    if (object && is_behind_launch(finding, code, object->line)) show_late_object(finding, *object);
  }
}

}  // namespace cudalabs
