// What was asked on the way to the launch is computed in the terms of the case.
#include "explain/elements/absent_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "explain/elements/seen_output.h"
#include "source/case_condition.h"
#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/launch_gates.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

bool launched_nothing(const CaseRun& case_run) {
  const Observation& observed = case_run.observed;
  return observed.end == RunEnd::finished && observed.asked_launches == 0 && observed.launches.empty() &&
         !observed.refused && !case_run.test.spec.faults.any();
}

/// Whether the launch gets past a gate; nothing: the text does not say so. `sizes`: those that decide it.
struct Passing {
  std::optional<bool> passes;
  std::set<std::string> sizes;
};

/// The condition asks for an error, and there was none.
bool asks_for_failure(std::string_view condition) {
  return condition.find("!= cudaSuccess") != kNowhere && condition.find("&&") == kNowhere;
}

Passing passing_of(const LaunchGate& gate, const CaseExpressions& expressions, const FunctionBody& function,
                   const Sizes& sizes) {
  Passing passing;
  bool all_known = true, all_as_wanted = true;
  for (const AskedCondition& asked : gate.asked) {
    CaseCondition known = condition_in_case(asked.text, asked.line, function, expressions, sizes, nullptr);
    if (!known.holds && asks_for_failure(asked.shown)) known.holds = false;
    all_known = all_known && known.holds;
    all_as_wanted = all_as_wanted && known.holds.value_or(asked.wanted) == asked.wanted;
    passing.sizes.merge(known.sizes);
  }
  if (gate.jump_line == 0) {
    if (all_known) passing.passes = all_as_wanted;
  } else if (!all_as_wanted) {
    passing.passes = true;
  } else if (all_known) {
    passing.passes = false;
  }
  return passing;
}

/// A launch, and what kept the program from it.
struct Kept {
  LaunchGates launch;
  LaunchGate gate;
  std::set<std::string> sizes;  // that it depends on
  std::size_t passed = 0;       // cases in which the gate is passed
};

/// The first gate that is known to be closed; else the only one of which nothing is known.
std::optional<Kept> kept_from(const LaunchGates& launch, const CaseExpressions& expressions,
                              const FunctionBody& function, const Sizes& sizes, bool only_launch) {
  std::vector<const LaunchGate*> unknown;
  for (const LaunchGate& gate : launch.gates) {
    Passing passing = passing_of(gate, expressions, function, sizes);
    if (passing.passes == false) return Kept{launch, gate, std::move(passing.sizes), 0};
    if (!passing.passes) unknown.push_back(&gate);
  }
  const bool sure = only_launch && launch.clear && unknown.size() == 1 && unknown.front()->asked.size() == 1;
  return sure ? std::optional(Kept{launch, *unknown.front(), {}, 0}) : std::nullopt;
}

/// Nobody but who calls the program, or one place of it that no condition is around, calls the function.
bool is_surely_called(const FunctionBody& function, const CaseExpressions& expressions, std::string_view code) {
  constexpr std::size_t kMostPlaces = 32;  // a text may be made to be long to read
  std::size_t places = 0;
  bool plain = true;
  const auto conditions = conditions_of(code);
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (name != function.name || (function.begin < at && at < function.end)) return;
    plain = plain && ++places <= kMostPlaces;
    const FunctionBody* const caller = plain ? expressions.around(at) : nullptr;
    if (caller == nullptr) return;
    plain = plain && std::ranges::none_of(conditions, [&](const auto& one) { return one.decides_about(at); }) &&
            code.substr(caller->begin, at - caller->begin).find("return") == kNowhere;
  });
  return plain;
}

std::set<std::string> kernels_that_write(const std::string& output, const SubmissionRun& submission_run) {
  std::set<std::string> kernels;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const vgpu::ArrayWriter& writer : case_run.observed.writers)
      if (writer.array == output) kernels.insert(plain_name(writer.kernel));
  return kernels;
}

/// Of the launches that could have written the output, each of which something kept: the one that most cases make.
std::optional<Kept> kept_launch(const MergedFinding& finding, std::string_view code, const CaseRun& shown,
                                const SubmissionRun& submission_run) {
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  const CaseExpressions expressions(code, std::move(sizes));
  std::vector<LaunchGates> launches = launch_gates_of(code);
  const std::set<std::string> kernels = kernels_that_write(finding.output, submission_run);
  if (!kernels.empty())
    std::erase_if(launches, [&](const LaunchGates& one) { return !kernels.contains(std::string(one.kernel)); });
  std::optional<Kept> found;
  for (const LaunchGates& launch : launches) {
    const FunctionBody* const function = expressions.around(launch.place);
    if (function == nullptr || !is_surely_called(*function, expressions, code)) return std::nullopt;
    auto kept = kept_from(launch, expressions, *function, shown.test.spec.parameters, launches.size() == 1);
    if (!kept) return std::nullopt;
    for (const CaseRun& case_run : submission_run.case_runs)
      kept->passed += static_cast<std::size_t>(
          passing_of(kept->gate, expressions, *function, case_run.test.spec.parameters).passes == true);
    if (!found || found->passed < kept->passed) found = std::move(kept);
  }
  return found;
}

/// " with `n` = 1"; empty where the case is hidden, or no size is known to decide.
std::string values_of(const Kept& kept, const datasets::CaseSpec& spec) {
  std::string text;
  if (spec.hidden) return text;
  for (const std::string& name : kept.sizes)
    text += fmt::format("{} `{}` = {}", text.empty() ? " with" : " and", name, spec.parameters.at(name));
  return text;
}

std::string reason_of(const Kept& kept, const datasets::CaseSpec& spec) {
  constexpr std::size_t kLongestShown = 60;
  const AskedCondition& asked = kept.gate.asked.back();
  const bool plain = asked.shown.size() <= kLongestShown && asked.shown.find('\n') == kNowhere;
  const std::string condition = plain ? fmt::format("`{}`", asked.shown) : std::string("its condition");
  const std::string values = values_of(kept, spec);
  if (kept.gate.jump_line != 0)
    return fmt::format("line {} leaves before the launch in line {}, as {} in line {} is {}{}", kept.gate.jump_line,
                       kept.launch.line, condition, asked.line, asked.wanted ? "true" : "false", values);
  if (kept.gate.is_loop)
    return fmt::format("the launch in line {} is in the loop of line {}, and {} is false at once{}", kept.launch.line,
                       asked.line, condition, values);
  return fmt::format("the launch in line {} is made only where {} in line {} is {}, and it is {}{}", kept.launch.line,
                     condition, asked.line, asked.wanted ? "true" : "false", asked.wanted ? "false" : "true", values);
}

void explain_absent_launch(MergedFinding& finding, std::string_view source, const std::string& file,
                           const CaseRun& shown, const SubmissionRun& submission_run) {
  constexpr std::string_view kNone = "no kernel was launched: ";
  finding.message.insert(0, kNone);
  const std::string code = without_comments(source);
  // What keeps a program from its launches at the second of two calls is what the first has left behind.
  const auto kept = finding.right_at_first ? std::nullopt : kept_launch(finding, code, shown, submission_run);
  const bool empty = finding.help.advises(Advice::result_without_input);
  const std::string cure = empty ? "there is a result also when the input has no elements"
                                 : fmt::format("launch a kernel that stores `{}` in this case, too", finding.output);
  // A line of the host's code may be known; one of a kernel is not the cause.
  const bool in_kernel = !finding.kernel.empty();
  if (kept || in_kernel) finding.other.reset();
  finding.cause.reset();
  finding.kernel.clear();
  finding.reach = Reach::unsaid;
  if (!kept) {
    if (in_kernel) finding.where = {};
    if (!empty && !finding.right_at_first)
      finding.help = Help::where_to_look(fmt::format(
          "look at what decides whether the launch is made: a condition or a loop around it, or a `return` before it; "
          "{}",
          cure));
    return;
  }
  const std::uint32_t gate = kept->gate.jump_line != 0 ? kept->gate.jump_line : kept->gate.asked.back().line;
  finding.where = {file, gate, 0};
  if (kept->launch.line != gate)
    finding.other = OtherPlace{"the launch that was not made", {file, kept->launch.line, 0}, {}, {}};
  finding.proven = true;
  finding.help = fmt::format("{}: {}", reason_of(*kept, shown.test.spec), cure);
}

}  // namespace

void explain_absent_launches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                             const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kUnwrittenOutput) continue;
    const auto outputs = outputs_seen_in(finding, submission_run);
    const bool none = !outputs.empty() && std::ranges::all_of(outputs, [](const SeenOutput& seen) {
      return seen.comparison != nullptr && launched_nothing(*seen.case_run);
    });
    if (!none) continue;
    const auto shown = std::ranges::find_if(
        outputs, [&](const SeenOutput& seen) { return seen.case_run->test.spec.name == finding.shown; });
    explain_absent_launch(finding, source, file, *(shown == outputs.end() ? outputs.front() : *shown).case_run,
                          submission_run);
  }
}

}  // namespace cudalabs
