// A thread that was not launched is led to the store.
#include "explain/elements/few_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "explain/elements/launch_shape.h"
#include "explain/elements/seen_output.h"
#include "source/case_condition.h"
#include "source/launch_gates.h"
#include "source/launch_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Asks what stands before a store, for any thread of a case.
class StoreGates {
 public:
  StoreGates(std::string_view code, const FunctionBody& function, std::size_t store, const CaseExpressions& expressions)
      : gates_(gates_before(code, function, store)), function_(function), expressions_(expressions) {}

  /// There are conditions alone, and nothing else.
  bool clear() const {
    return gates_.clear && !gates_.gates.empty() &&
           std::ranges::none_of(gates_.gates, [](const LaunchGate& gate) { return gate.is_loop; });
  }
  /// The condition next to the store.
  std::uint32_t last_line() const { return gates_.gates.back().asked.back().line; }

  /// Whether the thread of that number, along x, comes to the store.
  std::optional<bool> pass(std::uint64_t number, const vgpu::LaunchConfig& config, const CaseRun& case_run) const {
    LaunchedThread thread{config};
    thread.block[0] = static_cast<std::uint32_t>(number / config.block[0]);
    thread.thread[0] = static_cast<std::uint32_t>(number % config.block[0]);
    for (const LaunchGate& gate : gates_.gates) {
      bool as_wanted = true;
      for (const AskedCondition& asked : gate.asked) {
        const auto holds =
            condition_in_case(asked.text, asked.line, function_, expressions_, case_run.test.spec.parameters, &thread)
                .holds;
        if (!holds) return std::nullopt;
        as_wanted = as_wanted && *holds == asked.wanted;
      }
      if (as_wanted == (gate.jump_line != 0)) return false;
    }
    return true;
  }

 private:
  LaunchGates gates_;
  const FunctionBody& function_;
  const CaseExpressions& expressions_;
};

/// The only launch of the kernel in the case, if its threads lie along x.
const vgpu::LaunchConfig* only_config(const CaseRun& case_run, const std::string& kernel) {
  const auto& launches = case_run.observed.launches;
  const auto launch = std::ranges::find(launches, kernel, &vgpu::LaunchCounters::kernel);
  const bool one = std::ranges::count(launches, kernel, &vgpu::LaunchCounters::kernel) == 1;
  return one && is_along_one_axis(launch->config) && launch->config.block[0] > 0 ? &launch->config : nullptr;
}

std::uint64_t threads_of(const vgpu::LaunchConfig& config) {
  return std::uint64_t{config.grid[0]} * config.block[0];
}

/// In all cases that miss elements the next thread would come to the store, and in no right one.
bool tells_wrong_from_right(const StoreGates& gates, const MergedFinding& finding,
                            const SubmissionRun& submission_run) {
  bool seen = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    const bool missing = finding.is_seen_in(case_run.test.spec.name);
    if (!case_run.judgement || (!missing && (case_run.is_wrong() || case_run.test.spec.faults.any()))) continue;
    const vgpu::LaunchConfig* const config = only_config(case_run, finding.kernel);
    if (config == nullptr && !missing) continue;
    const auto passes = config == nullptr ? std::nullopt : gates.pass(threads_of(*config), *config, case_run);
    if (passes != missing) return false;
    seen = seen || missing;
  }
  return seen;
}

/// How many threads would come to the store, or not even to its guard; nothing: too many more than there are.
std::optional<std::uint64_t> wanted_threads(const StoreGates& gates, const vgpu::LaunchConfig& config,
                                            const CaseRun& case_run) {
  constexpr std::uint64_t kMostMore = 1024;
  const std::uint64_t threads = threads_of(config);
  for (std::uint64_t more = 1; more <= kMostMore; ++more)
    if (gates.pass(threads + more, config, case_run) == false) return threads + more;
  return std::nullopt;
}

std::string help_for(const StoreGates& gates, const MergedFinding& finding, const SubmissionRun& submission_run) {
  const std::string rule =
      "compute the number of blocks from the number of threads that have something to do, rounded up";
  const auto shown = std::ranges::find_if(submission_run.case_runs,
                                          [&](const CaseRun& one) { return one.test.spec.name == finding.shown; });
  const vgpu::LaunchConfig* const config = shown == submission_run.case_runs.end() || shown->test.spec.hidden
                                               ? nullptr
                                               : only_config(*shown, finding.kernel);
  const auto wanted = config == nullptr ? std::nullopt : wanted_threads(gates, *config, *shown);
  if (!wanted)
    return fmt::format("the guard in line {} lets more threads work than are launched: {}", gates.last_line(), rule);
  return fmt::format("the guard in line {} lets threads up to {} work, and threads 0 to {} are launched: {}, here {}",
                     gates.last_line(), *wanted - 1, threads_of(*config) - 1, rule, *wanted);
}

}  // namespace

bool show_few_threads(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const std::string code = without_comments(source);
  const std::size_t store = place_of_line(code, finding.where.line, finding.where.column);
  const auto launch = only_launch(code, plain_name(finding.kernel));
  if (store == kNowhere || !launch || finding.right_at_first || has_conditional_parts(code)) return false;
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  const CaseExpressions expressions(code, std::move(sizes));
  const FunctionBody* const function = expressions.around(store);
  if (function == nullptr || function->name != plain_name(finding.kernel)) return false;
  const StoreGates gates(code, *function, store, expressions);
  if (!gates.clear() || !tells_wrong_from_right(gates, finding, submission_run)) return false;
  const std::string file = finding.where.file;
  const auto blocks = setting_of(source, launch->line, 0, Part::launch);
  finding.help = help_for(gates, finding, submission_run);
  finding.where = {file, launch->line, 0};
  finding.other = OtherPlace{"this guard lets more threads work", {file, gates.last_line(), 0}, {}, {}};
  if (blocks && !blocks->names.empty()) {
    finding.where = {file, blocks->line, blocks->column};
    finding.note.insert(0, fmt::format("line {} launches the kernel with this `{}`\n", launch->line, blocks->names[0]));
  }
  finding.kernel.clear();
  finding.proven = true;
  return true;
}

}  // namespace cudalabs
