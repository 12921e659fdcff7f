// Runs a built submission on the cases of a lab.
#include "cli/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "check/judge.h"
#include "run/run.h"

namespace cudalabs {
namespace {

/// A case spends part of its time on one core (host process, sandbox) and part on all of them (kernels).
constexpr unsigned kAtATime = 2;

Observation observe(const TrialSetup& setup, const BuildResult& built, const datasets::Case& test, bool checks) {
  RunRequest request;
  request.lab = setup.lab;
  request.runner = built.runner;
  request.source = setup.source;
  request.device = setup.device;
  request.test = &test;
  request.checks = checks;
  return run(request);
}

}  // namespace

bool wants_counters(const Lab& lab, const datasets::CaseSpec& spec) {
  return std::ranges::any_of(lab.checks, [&](const Check& check) {
    return (check.category == Category::speed || check.category == Category::quality) &&
           std::ranges::find(spec.tags, check.id) != spec.tags.end();
  });
}

std::vector<Trial> run_trials(const TrialSetup& setup, const BuildResult& checked,
                              const std::optional<BuildResult>& fast, Progress& progress) {
  const Lab& lab = *setup.lab;
  const datasets::Generator generate = datasets::generator_for(lab.slug);
  if (generate == nullptr) throw std::runtime_error(fmt::format("no data generator is registered for {}", lab.slug));

  std::vector<Trial> trials(lab.cases.size());
  std::atomic<std::size_t> next = 0, done = 0;
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < trials.size(); i = next++) {
      try {
        Trial& trial = trials[i];
        progress.say(fmt::format("{}: case {} of {}", lab.id, done + 1, trials.size()));
        trial.test = generate(lab.cases[i], setup.seed);
        trial.observed = observe(setup, checked, trial.test, true);
        if (fast && wants_counters(lab, trial.test.spec)) trial.fast = observe(setup, *fast, trial.test, false);
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
    for (unsigned i = 0; i < kAtATime; ++i) workers.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
  judge(trials);
  return trials;
}

}  // namespace cudalabs
