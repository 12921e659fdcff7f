#include "explain/memory/unfreed_way_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "check/way_out.h"
#include "source/call_text.h"
#include "source/condition_text.h"
#include "source/early_exit.h"
#include "source/function_text.h"
#include "source/handed_out.h"
#include "source/loop_text.h"
#include "source/own_memory.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kAllocate = "cudaMalloc", kFree = "cudaFree";

/// The first of its cases; null where one of them has no call that is made to fail.
const CaseRun* failing_case(const MergedFinding& finding, const SubmissionRun& submission_run) {
  const CaseRun* first = nullptr;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (std::ranges::find(finding.cases, case_run.test.spec.name) == finding.cases.end()) continue;
    if (!case_run.test.spec.faults.any()) return nullptr;
    if (first == nullptr) first = &case_run;
  }
  return first;
}

/// Of the line that is shown: in it the error comes back, or a helper is called that gets it.
std::string learns_of_failure(const datasets::Faults& faults) {
  if (faults.allocation != 0) return "this allocation fails then";
  if (faults.copy != 0) return "this copy fails then";
  return fmt::format("the error of a {} is returned here then", faults.launch != 0 ? "launch" : "kernel");
}

std::string leaves(const WayOut& out) {
  if (out.skipped != 0) return fmt::format("the function returns without the `{}` in line {}", kFree, out.skipped);
  if (out.freed == 0) return "the function returns without freeing this memory";
  return fmt::format("the `{}` in line {} does not free this memory, and the function returns", kFree, out.freed);
}

/// What the call in that line does then: a launch, or a kernel, fails before the call that says so.
std::string fails_in(std::uint32_t line, const datasets::Faults& faults) {
  if (faults.allocation != 0) return fmt::format("the allocation in line {} fails", line);
  if (faults.copy != 0) return fmt::format("the copy in line {} fails", line);
  return fmt::format("the call in line {} returns the error of a {}", line, faults.launch != 0 ? "launch" : "kernel");
}

/// A variable, a member, or an element of an array.
std::string pointer_set_in(std::string_view code, std::uint32_t line) {
  for (const std::string_view allocate :
       {kAllocate, std::string_view("cudaMallocPitch"), std::string_view("cudaMallocManaged")}) {
    const std::string pointer = allocated_pointer(code, line, allocate);
    if (!pointer.empty()) return pointer;
    const std::string element = allocated_element(code, line, allocate);
    if (!element.empty()) return element;
  }
  return {};
}

/// The `goto` that is taken as the call in line `failed` gives an error.
bool show_goto(MergedFinding& finding, std::string_view code, const std::string& pointer, std::uint32_t failed,
               const datasets::Faults& faults) {
  for (const EarlyExit& exit : early_exits(code, finding.where.line, kAllocate, kFree, pointer)) {
    if (exit.asked_from != failed || !exit.jump.starts_with("goto")) continue;
    finding.other = OtherPlace{"this jump is taken then", {finding.where.file, exit.line, 0}, {}, {}};
    finding.note.insert(0, fmt::format("{}, and the jump goes past the `{}` in line {}\n", fails_in(failed, faults),
                                       kFree, exit.missed));
    finding.help =
        fmt::format("jump to a label that stands before this `{}({})`, or call it before the jump", kFree, pointer);
    return true;
  }
  return false;
}

/// The body of the condition frees the pointer: the text of the call, "release(d_a)".
std::string_view release_in(std::string_view code, const ConditionText& condition, std::string_view pointer) {
  constexpr std::size_t kLongestCall = 200, kMostHelpers = 8;
  const std::string_view body = code.substr(condition.body, condition.end_of_body - condition.body);
  std::string_view found;
  std::size_t helpers = 0;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(body, at + word.size());
    if (!found.empty() || open >= body.size() || body[open] != '(') return;
    const std::size_t end = past_bracket(body.substr(0, std::min(body.size(), open + kLongestCall)), open);
    if (end == kNowhere || without_outer_spaces(body.substr(open + 1, end - open - 2)) != pointer) return;
    const auto helper = word == kFree || ++helpers > kMostHelpers ? std::nullopt : only_body(code, word);
    const bool frees =
        word == kFree || (helper && has_name(code.substr(helper->begin, helper->end - helper->begin), kFree));
    if (frees) found = body.substr(at, end - at);
  });
  return found;
}

/// "d_c", "d_c != nullptr", "nullptr != d_c"
bool asks_for_pointer(std::string_view part, std::string_view pointer) {
  const std::string plain = without_blanks(part);
  for (const std::string_view null : {"nullptr", "NULL", "0"}) {
    if (plain == fmt::format("{}!={}", pointer, null) || plain == fmt::format("{}!={}", null, pointer)) return true;
  }
  return plain == pointer;
}

/// The release is only reached where another pointer, whose allocation has failed, is not null.
bool show_shared_condition(MergedFinding& finding, std::string_view code, const std::string& pointer,
                           std::uint32_t failed) {
  const std::string other = pointer_set_in(code, failed);
  const auto function = function_around_line(code, finding.where.line);
  if (other.empty() || other == pointer || !function) return false;
  constexpr std::size_t kMostAsking = 16;  // a text may be made to be long to read
  std::size_t asking = 0;
  for (const ConditionText& condition : conditions_of(code)) {
    if (condition.begin < function->begin || function->end <= condition.begin || condition.line <= failed) continue;
    const std::vector<std::string_view> parts = parts_of_condition(condition.condition, "&&");
    if (std::ranges::none_of(parts, [&](std::string_view part) { return asks_for_pointer(part, other); })) continue;
    if (++asking > kMostAsking) return false;
    const std::string_view release = release_in(code, condition, pointer);
    if (release.empty()) continue;
    finding.other = OtherPlace{
        fmt::format("this is false where `{}` is null", other), {finding.where.file, condition.line, 0}, {}, {}};
    finding.note.insert(0, fmt::format("the allocation of `{}` in line {} fails then\n", other, failed));
    finding.help = fmt::format(
        "let no other pointer decide about this one: `if ({} != nullptr) {};`, and each of the "
        "others likewise by itself",
        pointer, release);
    return true;
  }
  return false;
}

/// The pointer may be another one there: which memory is to be freed is left to the program. A later loop that frees
/// is there for all of it.
std::string free_all(std::string_view code, const WayOut& out, const std::string& pointer) {
  const std::uint32_t freed = later_call(code, out.line, kFree, "");
  const std::size_t left = place_of_line(code, out.line, 0), place = place_of_line(code, freed, 0);
  const auto has_free = [&](const LoopText& loop) {
    return left < loop.begin && loop.begin <= place && place < loop.end;
  };
  const bool frees_all = out.skipped != 0 || (freed != 0 && std::ranges::any_of(loops_of(code), has_free));
  return fmt::format(
      "`{}` may point to other memory there: let the function free all that it has allocated before it "
      "returns after that, too{}",
      pointer, frees_all ? fmt::format(", as line {} does", freed) : "");
}

void show_way_out(MergedFinding& finding, std::string_view code, const CaseRun& case_run) {
  const std::string pointer = pointer_set_in(code, finding.where.line);
  if (pointer.empty()) return;
  const bool own = has_own_memory(code, finding.where.line, kFree, pointer);
  const auto out = way_out_of(case_run.observed.after_failure, code, finding.where.line, kFree, pointer);
  if (!out || out->told->where.file != finding.where.file || out->line == finding.where.line) return;
  if (case_run.test.spec.faults.allocation != 0 && show_shared_condition(finding, code, pointer, out->line)) return;
  if (own && out->told->where.line == out->line &&
      show_goto(finding, code, pointer, out->line, case_run.test.spec.faults))
    return;
  finding.other = OtherPlace{learns_of_failure(case_run.test.spec.faults), {finding.where.file, out->line, 0}, {}, {}};
  finding.note.insert(0, leaves(*out) + "\n");
  if (const auto macro = call_by_macro(code, out->line, "return")) {
    finding.other->label =
        fmt::format("`{}` leaves the function here then, by the `return` in line {}", macro->macro, macro->line);
    const std::string before = own ? fmt::format("call `{}({})` before the macro returns; or ", kFree, pointer) : "";
    finding.help = fmt::format("{}let `{}` only print, and go on to the `{}`", before, macro->macro, kFree);
    return;
  }
  finding.help = !own ? free_all(code, *out, pointer)
                      : fmt::format("call `{}({})` before the function returns after that, too", kFree, pointer);
}

/// What a helper has allocated for its callers leaks in one of them: true where that is shown.
bool show_handed_out(MergedFinding& finding, std::string_view code, const CaseRun& case_run) {
  const std::vector<HandedOut> all = handed_out_pointers(code, finding.where.line, kAllocate);
  if (finding.other && std::ranges::find(all, finding.other->place.line, &HandedOut::line) == all.end()) return false;
  std::optional<WayOut> first;
  std::vector<std::string> calls;  // of the release that are missing
  for (const HandedOut& one : all) {
    const auto out = way_out_of(case_run.observed.after_failure, code, one.line, kFree, one.pointer);
    const bool leaves_it = out && out->told->where.file == finding.where.file && out->line > one.line &&
                           out->skipped != 0 && (!first || first->line == out->line);
    if (!leaves_it) continue;
    if (!first) first = out;
    calls.push_back(fmt::format("`{}({})`", kFree, one.pointer));
  }
  if (!first || calls.size() > finding.count) return false;
  finding.other =
      OtherPlace{learns_of_failure(case_run.test.spec.faults), {finding.where.file, first->line, 0}, {}, {}};
  finding.note.insert(0, leaves(*first) + "\n");
  finding.help = fmt::format(
      "`{}` hands this memory to its caller, who must free it: call {} before the function returns after line {}, too",
      allocating_function(code, finding.where.line), fmt::join(calls, " and "), first->line);
  return true;
}

/// It leaks where no call fails: of the ways past its release only one is not for an error.
void show_early_exit(MergedFinding& finding, std::string_view code) {
  const std::string pointer = pointer_set_in(code, finding.where.line);
  std::vector<EarlyExit> exits = early_exits(code, finding.where.line, kAllocate, kFree, pointer);
  std::erase_if(exits, [](const EarlyExit& exit) { return exit.asked_from != 0; });
  if (exits.size() != 1 || !has_own_memory(code, finding.where.line, kFree, pointer)) return;
  const EarlyExit& exit = exits.front();
  const bool returns = exit.jump == "return";
  finding.other =
      OtherPlace{fmt::format("{} the `{}` in line {}",
                             returns ? "the function returns here without" : "this jump goes past", kFree, exit.missed),
                 {finding.where.file, exit.line, 0},
                 {},
                 {}};
  finding.help = fmt::format("call `{}({})` before the `{}` in line {}, too", kFree, pointer, exit.jump, exit.line);
}

/// It is seen where no call fails, and all such cases of it came to their end.
bool is_of_whole_runs(const MergedFinding& finding, const SubmissionRun& submission_run) {
  bool any = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (std::ranges::find(finding.cases, case_run.test.spec.name) == finding.cases.end()) continue;
    const bool whole = !case_run.test.spec.faults.any() && case_run.observed.end == RunEnd::finished;
    any = any || whole;
    if (!case_run.test.spec.faults.any() && !whole) return false;
  }
  return any;
}

/// "the other one is freed here", in a function of its own: the line of the allocating function that calls it.
void show_caller_of_free(MergedFinding& finding, std::string_view code, const CaseRun& case_run) {
  const SourcePlace& freed = finding.other->place;
  if (freed.file != finding.where.file) return;
  const auto& calls = case_run.observed.after_failure;
  const auto call = std::ranges::find_if(
      calls, [&](const WatchedCall& made) { return made.name == kFree && made.where.line == freed.line; });
  if (call == calls.end()) return;
  const std::uint32_t caller = line_in_function_of(code, finding.where.line, freed.line, call->outer.line);
  if (caller == 0 || caller == freed.line) return;
  finding.other->label += fmt::format(", by `{}` in line {}", kFree, freed.line);
  finding.other->place = {freed.file, caller, 0};
}

/// The allocation itself is the call that fails, in a later round of its loop.
void name_failing_round(MergedFinding& finding, const CaseRun& case_run) {
  const WatchedCall* told = first_told(case_run.observed.after_failure);
  if (told == nullptr || told->name != kAllocate || told->where != finding.where) return;
  finding.note.insert(0, "a later call in this line fails then, and the function returns\n");
  finding.help = {
      Advice::free_each,
      fmt::format("when a `{}` fails, free all that was allocated before it: which one is left out?", kAllocate)};
}

}  // namespace

void show_unfreed_ways_out(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                           const SubmissionRun& submission_run) {
  std::string code;
  const bool all_well = std::ranges::count(findings, Severity::error, &MergedFinding::severity) == 0;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kMemoryLeak || !finding.is_in_file(file)) continue;
    const bool others_freed = finding.other && finding.other->role == PlaceRole::freeing;
    const CaseRun* case_run = failing_case(finding, submission_run);
    if (case_run != nullptr && case_run->observed.end == RunEnd::finished && !others_freed) {
      if (code.empty()) code = without_comments(source);
      if (show_handed_out(finding, code, *case_run)) continue;
    }
    if (finding.other && !others_freed) continue;
    if (case_run == nullptr && all_well && !others_freed && is_of_whole_runs(finding, submission_run)) {
      if (code.empty()) code = without_comments(source);
      show_early_exit(finding, code);
    }
    if (case_run == nullptr || case_run->observed.end != RunEnd::finished) continue;
    if (code.empty()) code = without_comments(source);
    if (!others_freed) {
      show_way_out(finding, code, *case_run);
      continue;
    }
    show_caller_of_free(finding, code, *case_run);
    name_failing_round(finding, *case_run);
  }
}

}  // namespace cudalabs
