// Runs a built submission on the cases of a lab.
#include "grading/case_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "check/judge.h"
#include "check/measured_cases.h"
#include "grading/alone.h"
#include "grading/audit.h"
#include "grading/input_copies.h"
#include "grading/leftover_values.h"
#include "grading/lost_checks.h"
#include "grading/prepared_case.h"
#include "run/run.h"
#include "sandbox/budget.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs {
namespace {

RunRequest request_for(const CaseRunSetup& setup, const BuildResult& built, const CaseRun& case_run) {
  RunRequest request;
  request.program = setup.lab;
  request.runner = built.runner;
  request.device_code = built.device_code;
  request.source = setup.source;
  request.test = &case_run.test;
  request.before = case_run.before ? &*case_run.before : nullptr;
  request.host = setup.host;
  request.lines = setup.lines;
  return request;
}

Observation observe(const CaseRunSetup& setup, const BuildResult& built, const CaseRun& case_run, bool checks,
                    const std::string& after, sandbox::Budget* budget) {
  const datasets::Case& test = case_run.test;
  RunRequest request = request_for(setup, built, case_run);
  request.checks = checks;
  request.access_counters = !checks && wants_counters(*setup.lab, test.spec);  // all others go unread
  request.hurry = !after.empty();
  request.budget = budget;
  request.record_accesses = checks && test.spec.name == setup.recorded;
  request.record_transfers = checks && !test.spec.faults.message_only;  // for the audit
  Observation observed = run(request);
  // A limit that is not of time is the same for those that are hurried.
  if (never_ended(observed) && observed.end != RunEnd::process_limit) observed.after = after;
  return observed;
}

/// The build with every check on splits a wide access into its elements, which are aligned where the whole is not. What
/// the optimised build is seen to do wrong with an access is the submission's fault as well, once: a device ends the
/// kernel there, and so ends the case.
void add_access_errors(Observation& observed, const Observation& fast) {
  std::vector<Finding> more;
  for (const Finding& finding : fast.findings) {
    if (finding.severity != Severity::error || !is_of(finding.id, FindingGroup::memory_errors)) continue;
    const bool known = std::ranges::any_of(observed.findings, [&](const Finding& other) {
      return other.id == finding.id && other.where.file == finding.where.file && other.where.line == finding.where.line;
    });
    if (known) continue;
    more.push_back(finding);
    std::string& note = more.back().note;
    add_to_first_line(note, std::string(note.empty() ? "" : "; ") +
                                "in the optimised build, where the access is as wide as it is written");
  }
  if (more.empty()) return;
  observed.findings.insert(observed.findings.end(), more.begin(), more.end());
  if (fast.end != RunEnd::runtime_error) return;
  observed.end = fast.end;
  observed.detail = fast.detail;
  observed.failed = fast.failed;
  observed.outputs.clear();
}

/// Whether the optimised build must be run on a right case: only wide accesses are better seen there than in the build
/// with every check on, and of kernels that it has launched already it is known that they have none. Device code is
/// loaded when it is first launched, so that other kernels may come from elsewhere. Safe to use from several threads.
class WideAccesses {
 public:
  bool possible(const Observation& checked) {
    const std::lock_guard lock(mutex_);
    return checked.launches.size() < checked.asked_launches ||
           !std::ranges::all_of(checked.launches, [&](const auto& launch) { return without_.contains(launch.kernel); });
  }

  void note(const Observation& optimised) {
    if (optimised.end != RunEnd::finished || optimised.wide_accesses) return;
    const std::lock_guard lock(mutex_);
    for (const vgpu::LaunchCounters& launch : optimised.launches) without_.insert(launch.kernel);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> without_;  // kernels of device code that has no wide access
};

/// Runs that are done again because the machine was busy cost the submission nothing. A submission that has them done
/// again on purpose must not keep the grader for ever: so much of what a grading may use.
constexpr double kShareForRepeats = 0.5;

/// The first run that is not disturbed. One that is done again only counts if the budget lasts to its end.
void observe_case(CaseRun& case_run, const CaseRunSetup& setup, sandbox::Budget& repeats,
                  const std::function<Observation(sandbox::Budget*)>& observe) {
  bool again = false;
  observe_undisturbed(
      case_run, disturbed_for(setup.lab->slug),
      [&] {
        if (!std::exchange(again, true)) return observe(setup.budget);
        if (repeats.spent() != sandbox::Budget::Spent::nothing) return case_run.observed;
        Observation repeated = observe(&repeats);
        return repeated.end == RunEnd::over_budget ? case_run.observed : repeated;
      },
      [&] { return setup.waits_for_calm && machine_is_busy(); });
}

/// A case that is not run, for nothing is left of the budget.
Observation not_run() {
  Observation observed;
  observed.end = RunEnd::over_budget;
  return observed;
}

/// Says in all cases that have ended for the budget which case they owe it to: `endless`, one that did not come to an
/// end by itself, if there is one; else the first in the order of lab.toml.
void explain_budget(std::vector<CaseRun>& case_runs, const sandbox::Budget& budget, const std::string& endless) {
  const sandbox::Expense limit = budget.limit();
  std::string why = fmt::format("{:.0f} s of processor time", limit.cpu_seconds);
  if (budget.spent() == sandbox::Budget::Spent::idle_time)
    why = fmt::format("{} s in which nothing happened", limit.idle_seconds);
  if (budget.spent() == sandbox::Budget::Spent::both_times)
    why = fmt::format("{:.0f} s of processor time and of waiting", budget.limit_together());
  std::string first = endless;
  for (CaseRun& case_run : case_runs) {
    if (case_run.observed.end != RunEnd::over_budget) continue;
    if (first.empty()) first = case_run.test.spec.name;
    case_run.observed.detail = fmt::format("{} were used up in case `{}`", why, first);
    case_run.observed.after = case_run.test.spec.name == first ? std::string() : first;
  }
}

}  // namespace

bool wants_counters(const Lab& lab, const datasets::CaseSpec& spec) {
  if (spec.faults.any()) return false;  // what a launch that failed did not do says nothing about speed
  return std::ranges::any_of(lab.checks, [&](const Check& check) {
    return (check.category == Category::speed || check.category == Category::quality) &&
           std::ranges::find(spec.tags, check.id) != spec.tags.end();
  });
}

std::string case_to_explain(const Lab& lab) {
  const datasets::CaseSpec* best = nullptr;
  double best_size = -1;
  for (const datasets::CaseSpec& spec : lab.cases) {
    if (spec.hidden || spec.faults.any() || spec.large) continue;  // large ones are not always run
    if (wants_counters(lab, spec)) return spec.name;
    double size = 1;
    for (const auto& [name, value] : spec.parameters) size *= static_cast<double>(value);
    if (size <= best_size) continue;
    best_size = size;
    best = &spec;
  }
  return best == nullptr ? std::string() : best->name;
}

std::vector<CaseRun> run_cases(const CaseRunSetup& setup, const BuildResult& checked, FastBuild& fast,
                               const ProgressListener& progress) {
  const Lab& lab = *setup.lab;
  std::vector<std::optional<CaseRun>> case_runs(lab.cases.size());
  const std::vector<std::size_t> order = running_order(lab.cases);
  const auto large = static_cast<std::size_t>(std::ranges::count(lab.cases, true, &datasets::CaseSpec::large));
  std::atomic<std::size_t> next = 0, done = 0;
  std::size_t end = 0;  // of those that run side by side
  std::exception_ptr failure;
  std::mutex failure_mutex;
  LostChecks lost_checks;
  WideAccesses wide_accesses;
  const sandbox::Expense limit = setup.budget->limit();
  sandbox::Budget repeats({kShareForRepeats * limit.cpu_seconds, kShareForRepeats * limit.idle_seconds});
  const auto work = [&] {
    for (std::size_t place = next++; place < end; place = next++) {
      const std::size_t i = order[place];
      try {
        if (lost_checks.lost_with(lab.cases[i])) continue;
        progress(fmt::format("{}: case {} of {}", lab.id, done + 1, case_runs.size()));
        CaseRun& case_run = case_runs[i].emplace(prepared_case(lab, lab.cases[i], setup.seed));
        if (setup.budget->spent() != sandbox::Budget::Spent::nothing) {
          case_run.observed = not_run();
          continue;
        }
        RunRequest first = request_for(setup, checked, case_run);
        first.budget = setup.budget;
        find_last_launch(case_run, first);
        observe_case(case_run, setup, repeats, [&](sandbox::Budget* budget) {
          return observe(setup, checked, case_run, true, lost_checks.tried(), budget);
        });
        if ((wide_accesses.possible(case_run.observed) || wants_counters(lab, case_run.test.spec)) &&
            !case_run.test.spec.faults.any() && gives_right_outputs(case_run.observed, case_run.test) &&
            fast.get().ok) {
          Observation optimised = observe(setup, fast.get(), case_run, false, "", setup.budget);
          if (optimised.end == RunEnd::over_budget) case_run.observed = not_run();
          wide_accesses.note(optimised);
          add_access_errors(case_run.observed, optimised);
          if (wants_counters(lab, case_run.test.spec)) case_run.fast = std::move(optimised);
        }
        lost_checks.note(case_run);
        ++done;
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = case_runs.size();
      }
    }
  };
  // Whether a large one is run must not depend on which others have ended by then.
  for (const std::size_t until : {case_runs.size() - large, case_runs.size()}) {
    next = std::exchange(end, until);
    std::vector<std::jthread> workers;
    for (std::uint64_t i = 0; i < lab.limits.cases_at_a_time; ++i) workers.emplace_back(work);
    workers.clear();
    if (failure) std::rethrow_exception(failure);
  }
  // On a busy machine the wall clock says little: what ran into it gets another run, alone.
  for (auto& case_run : case_runs) {
    if (!case_run || case_run->observed.end != RunEnd::wall_limit || case_run->observed.idle) continue;
    case_run->observed = observe(setup, checked, *case_run, true, "", setup.budget);
    if (case_run->observed.end == RunEnd::wall_limit) break;  // that was it: the rest would only take as long
  }
  std::vector<CaseRun> run;
  for (auto& case_run : case_runs) {
    if (case_run) run.push_back(std::move(*case_run));
  }
  const AuditSetup copies{&lab, checked.runner, setup.source, setup.budget, setup.host, setup.lines};
  find_repeated_copies(run, copies);
  find_leftover_values(run, copies);
  audit(run, copies);
  run_alone(run, copies);
  explain_budget(run, *setup.budget, lost_checks.tried());
  judge(run, lab.explanations);
  return run;
}

}  // namespace cudalabs
