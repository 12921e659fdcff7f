#include "explain/kept/kept_allocation.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain/kept/kept_array.h"
#include "source/call_text.h"
#include "source/function_text.h"
#include "source/kept_objects.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kAllocates = "cudaMalloc", kFrees = "cudaFree";

bool leaks_without_failure(const MergedFinding& finding, const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
    return !case_run.test.spec.faults.any() && finding.is_seen_in(case_run.test.spec.name);
  });
}

constexpr std::size_t kMostFrees = 16, kLongestFree = 100;

/// "cudaFree(data)", "cudaFree(this->data)"
bool frees_it(std::string_view code, std::size_t at, std::string_view pointer) {
  const std::string_view text = code.substr(at, kLongestFree);
  const std::string_view call = text.substr(0, text.find(';'));
  for (std::size_t found = call.find(pointer); found != kNowhere; found = call.find(pointer, found + 1)) {
    if (!is_word_letter(call[found - 1]) && end_of_word(call, found) == found + pointer.size()) return true;
  }
  return false;
}

/// A function of that name is called elsewhere than in the class.
bool is_called_from_outside(std::string_view code, std::string_view function, std::string_view type) {
  std::size_t calls = 0;
  bool outside = false;
  for (std::size_t at = code.find(function); at != kNowhere && !outside; at = code.find(function, at + 1)) {
    const std::size_t end = at + function.size(), open = past_spaces(code, end);
    const bool whole = (at == 0 || !is_word_letter(code[at - 1])) && end_of_word(code, at) == end;
    if (whole && open < code.size() && code[open] == '(')
      outside = ++calls > kMostFrees || class_around(code, at) != type;
  }
  return outside;
}

/// Nothing frees what has that name but the destructor of `type`, other functions that it alone calls, and the function
/// that allocates, before it does so.
bool is_freed_before_alone(std::string_view code, std::size_t allocation, std::string_view pointer,
                           std::string_view type) {
  const std::string_view function = defined_around(code, allocation);
  std::size_t frees = 0;
  for (std::size_t at = code.find(kFrees); at != kNowhere; at = code.find(kFrees, at + 1)) {
    if (!frees_it(code, at, pointer)) continue;
    if (++frees > kMostFrees) return false;
    const std::string_view around = defined_around(code, at);
    const bool before = at < allocation && around == function;
    const bool destroys = !type.empty() && destructor_around(code, line_at(code, at)) == type;
    const bool own = !type.empty() && !around.empty() && class_around(code, at) == type;
    if (!before && !destroys && (!own || around == function || is_called_from_outside(code, around, type)))
      return false;
  }
  return true;
}

/// "`padded_a` is `static`", "`scratch` is declared outside of all functions"
std::string keeps_memory(std::string_view name, bool is_static) {
  return fmt::format("`{}` is {}: its memory is still there after the call", name,
                     is_static ? "`static`" : "declared outside of all functions");
}

void show_objects(MergedFinding& finding, std::string_view code, std::string_view type, std::string_view member) {
  const std::vector<KeptObject> objects = kept_objects(code, type);
  constexpr std::size_t kMostNamed = 3;
  if (objects.empty()) return;
  const KeptObject& first = objects.front();
  finding.other =
      OtherPlace{keeps_memory(first.name, first.is_static), {finding.where.file, first.line, first.column}, {}, {}};
  std::string others;
  for (std::size_t i = 1; i < std::min(objects.size(), kMostNamed); ++i)
    others += fmt::format("{}`{}` in line {}", i == 1 ? "" : ", ", objects[i].name, objects[i].line);
  if (objects.size() > kMostNamed) others += fmt::format(" and {} more", objects.size() - kMostNamed);
  if (!others.empty()) finding.note.insert(0, fmt::format("likewise {}\n", others));
  const bool frees = destructor_of(code, type).freed.contains(member);
  finding.help = fmt::format(
      "declare {} in the function{}, so that {}", objects.size() == 1 ? fmt::format("`{}`", first.name) : "them",
      first.is_static ? ", without `static`" : "",
      frees ? fmt::format("`~{}` frees the memory at the end of each call", type)
            : fmt::format("each call has its own, and free the memory at its end: `~{}() {{ {}({}); }}`", type, kFrees,
                          member));
}

void show_pointer(MergedFinding& finding, std::string_view code, std::string_view pointer) {
  const auto kept = kept_pointer_of(code, finding.where.line);
  if (!kept) return;
  const std::string_view line = text_lines(code)[kept->line - 1];
  const bool is_static = has_name(line.substr(0, kept->column), "static");
  finding.other = OtherPlace{keeps_memory(pointer, is_static), {finding.where.file, kept->line, kept->column}, {}, {}};
  finding.help = fmt::format(
      "let `{0}` be a variable of the function{1}, allocate in each call, and call `{2}({0})` before the function "
      "returns",
      pointer, is_static ? ", without `static`" : "", kFrees);
}

}  // namespace

void show_kept_allocations(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool leaks = finding.id == finding_ids::kMemoryLeak && finding.is_in_file(file);
    if (!leaks || !leaks_without_failure(finding, submission_run)) continue;
    if (code.empty()) code = without_comments(source);
    const std::string pointer = allocated_pointer(code, finding.where.line, kAllocates);
    const std::size_t line = place_of_line(code, finding.where.line, 0);
    const std::size_t place = line == kNowhere ? kNowhere : code.find(kAllocates, line);
    if (!is_identifier(pointer) || place == kNowhere) continue;
    const std::string_view type = class_around(code, place);
    if (!is_freed_before_alone(code, place, pointer, type)) continue;
    if (type.empty()) {
      show_pointer(finding, code, pointer);
    } else if (has_member(code, type, pointer)) {
      show_objects(finding, code, type, pointer);
    }
  }
}

}  // namespace cudalabs
