// Runs a built submission on the cases of a lab.
#include "cli/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "check/judge.h"
#include "check/measured_cases.h"
#include "run/run.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

Observation observe(const TrialSetup& setup, const BuildResult& built, const datasets::Case& test, bool checks) {
  RunRequest request;
  request.lab = setup.lab;
  request.runner = built.runner;
  request.source = setup.source;
  request.test = &test;
  request.checks = checks;
  request.record_accesses = checks && test.spec.name == setup.recorded;
  return run(request);
}

bool never_ended(const Observation& observed) {
  return observed.end == RunEnd::cpu_limit || observed.end == RunEnd::wall_limit ||
         observed.end == RunEnd::process_limit ||
         std::ranges::find(observed.findings, finding_ids::kTimedOut, &Finding::id) != observed.findings.end();
}

/// Spares a student the wait for cases that can no longer change the score: where one case of a check does not end, the
/// check fails whatever its other cases do, and so does every check that looks at all cases.
class Patience {
 public:
  bool lost_with(const datasets::CaseSpec& spec) {
    const std::lock_guard lock(mutex_);
    return !spec.tags.empty() &&
           std::ranges::all_of(spec.tags, [&](const std::string& tag) { return endless_.contains(tag); });
  }

  void note(const Trial& trial) {
    if (!never_ended(trial.observed)) return;
    const std::lock_guard lock(mutex_);
    endless_.insert(trial.test.spec.tags.begin(), trial.test.spec.tags.end());
  }

 private:
  std::mutex mutex_;
  std::set<std::string> endless_;  // tags with a case that never ended
};

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
    if (spec.hidden || spec.faults.any()) continue;
    if (wants_counters(lab, spec)) return spec.name;
    double size = 1;
    for (const auto& [name, value] : spec.parameters) size *= static_cast<double>(value);
    if (size <= best_size) continue;
    best_size = size;
    best = &spec;
  }
  return best == nullptr ? std::string() : best->name;
}

std::vector<Trial> run_trials(const TrialSetup& setup, const BuildResult& checked, FastBuild& fast,
                              Progress& progress) {
  const Lab& lab = *setup.lab;
  const datasets::Generator generate = datasets::generator_for(lab.slug);
  if (generate == nullptr) throw std::runtime_error(fmt::format("no data generator is registered for {}", lab.slug));

  std::vector<std::optional<Trial>> trials(lab.cases.size());
  std::atomic<std::size_t> next = 0, done = 0;
  std::exception_ptr failure;
  std::mutex failure_mutex;
  Patience patience;
  const Spoiled spoiled = spoiled_for(lab.slug);
  const auto work = [&] {
    for (std::size_t i = next++; i < trials.size(); i = next++) {
      try {
        if (patience.lost_with(lab.cases[i])) continue;
        progress.say(fmt::format("{}: case {} of {}", lab.id, done + 1, trials.size()));
        Trial& trial = trials[i].emplace();
        trial.test = generate(lab.cases[i], setup.seed);
        observe_unspoiled(trial, spoiled, [&] { return observe(setup, checked, trial.test, true); });
        if (wants_counters(lab, trial.test.spec) && gives_right_outputs(trial.observed, trial.test) && fast.get().ok)
          trial.fast = observe(setup, fast.get(), trial.test, false);
        patience.note(trial);
        ++done;
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = trials.size();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (std::uint64_t i = 0; i < lab.limits.cases_at_a_time; ++i) workers.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
  std::vector<Trial> run;
  for (auto& trial : trials) {
    if (trial) run.push_back(std::move(*trial));
  }
  judge(run);
  return run;
}

}  // namespace cudalabs
