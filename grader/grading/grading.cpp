#include "grading/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "check/catch_session.h"
#include "check/evidence.h"
#include "check/merge.h"
#include "grading/machine.h"
#include "grading/real_gpu.h"
#include "grading/request_error.h"
#include "grading/trials.h"
#include "run/gpu_session.h"
#include "run/run.h"
#include "sandbox/budget.h"
#include "sandbox/machine_speed.h"
#include "score/score.h"
#include "speed/modelled_speed.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/model/device_model.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// What a whole grading may use: compilers, host processes and the virtual GPU together, runs on a real GPU apart.
/// Nobody waits longer than half a minute on an idle machine, one core or many. The solutions take 3 to 7 s, lab 6's
/// with nvcc the most, compiled anew and the grader's own part included. A slower machine gives as much more time.
sandbox::Expense most_for_a_grading() {
  return {.cpu_seconds = 21 * sandbox::slowness_of_machine(), .idle_seconds = 9};
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void note_observations(const Evidence& evidence, Report& report) {
  double kernels = 0;
  for (const Trial& trial : evidence.trials) {
    kernels += trial.observed.kernel_seconds;
    // What is printed of a failure that was asked for would look like one that was not.
    if (report.console.empty() && !trial.test.spec.faults.any()) report.console = trial.observed.console;
    if (!trial.fast) continue;
    for (const auto& launch : trial.fast->launches) {
      for (const auto& [name, value] : launch.values) {
        report.counters[fmt::format("{}.{}", trial.test.spec.name, name)] += value;
      }
    }
  }
  report.timings["kernels"] = kernels;
}

/// A GPU that does not work is no verdict on the submission: when it was asked for the grading breaks off, and when it
/// was there by chance the virtual GPU's verdict stands.
void go_on_without(Report& report, const GradingRequest& request, const GpuUnfit& why) {
  if (request.device == DeviceChoice::cuda) throw GpuUnfit(why);
  report.device += fmt::format("; {}", why.what());
}

/// Asked before anything is compiled.
bool reaches_real_device(Report& report, const GradingRequest& request) {
  try {
    runner::require_real_device();
    return true;
  } catch (const GpuUnfit& why) {
    go_on_without(report, request, why);
    return false;
  }
}

void add_real_device(Report& report, Evidence& evidence, const BuildRequest& submission, const GradingRequest& request,
                     const Toolchain& nvcc) {
  const auto start = Clock::now();
  try {
    add_real_gpu(evidence, submission, nvcc, request.progress);
    report.device = fmt::format("{} and {}", evidence.real_gpu, report.device);
  } catch (const GpuUnfit& why) {
    go_on_without(report, request, why);
  }
  report.timings["real_gpu"] = seconds_since(start);
}

/// Inline assembly is read when a kernel is launched. What is wrong with it is found no sooner, and means that the
/// submission does not build all the same.
void fail_build_of_bad_assembly(Evidence& evidence) {
  for (const Trial& trial : evidence.trials) {
    for (const Finding& finding : trial.observed.findings) {
      if (finding.id != finding_ids::kBuildFailed) continue;
      evidence.build.ok = false;
      evidence.build.findings = {finding};
      evidence.trials.clear();
      return;
    }
  }
}

bool was_measured(const Evidence& evidence, const SpeedTest& test) {
  const auto known = std::ranges::find(evidence.speed, test.check, &SpeedResult::check);
  return known != evidence.speed.end() && known->kind != SpeedResult::Kind::unknown;
}

/// Models the speeds that no real GPU told, and keeps the doubt that one had.
void model_what_was_not_measured(Evidence& evidence, FastBuild& fast, const fs::path& source,
                                 const Toolchain& toolchain, sandbox::Budget& budget) {
  const Lab& lab = *evidence.lab;
  for (const SpeedTest& test : lab.speed) {
    if (was_measured(evidence, test)) continue;
    if (!fast.get().ok) {
      evidence.build = fast.get();
      return;
    }
    SpeedResult modelled = speed::modelled_speed(lab, test, fast.get().runner, source, toolchain, &budget);
    const auto known = std::ranges::find(evidence.speed, test.check, &SpeedResult::check);
    if (known == evidence.speed.end()) {
      evidence.speed.push_back(std::move(modelled));
    } else {
      if (!modelled.doubt.empty()) modelled.doubt = "; " + modelled.doubt;
      modelled.doubt = fmt::format("the {} cannot tell: {}{}", known->device, known->doubt, modelled.doubt);
      *known = std::move(modelled);
    }
  }
}

void model_speed(Report& report, Evidence& evidence, FastBuild& fast, const GradingRequest& request,
                 const Toolchain& toolchain, sandbox::Budget& budget) {
  const auto start = Clock::now();
  request.progress(fmt::format("{}: modelling the time it would take", evidence.lab->id));
  model_what_was_not_measured(evidence, fast, request.submission.source, toolchain, budget);
  report.timings["model"] = seconds_since(start);
}

void judge_into(Report& report, const Evidence& evidence, const GradingRequest& request) {
  report.build_output = evidence.build.diagnostics;
  note_observations(evidence, report);
  report.findings = merge_findings(evidence);
  report.speed = evidence.speed;
  for (const SpeedResult& result : evidence.speed) {
    if (result.finding) report.findings.push_back(*result.finding);
  }
  report.checks =
      score(*evidence.lab, registered_tests(), run_session(evidence, evidence.lab->id, request.catch_arguments));
}

/// Everything but the score.
Evidence observe(Report& report, const GradingRequest& request, const Toolchain& toolchain,
                 std::optional<Toolchain> nvcc) {
  if (nvcc && !reaches_real_device(report, request)) nvcc.reset();
  const Lab& lab = *request.lab;
  sandbox::Budget budget(most_for_a_grading());
  Evidence evidence;
  evidence.lab = &lab;
  request.progress(fmt::format("{}: compiling", lab.id));
  auto start = Clock::now();
  const BuildRequest submission{.lab = &lab,
                                .source = request.submission.source,
                                .beneath = request.submission.beneath,
                                .text = request.submission.text,
                                .frontend = toolchain.frontend,
                                .kind = BuildKind::checked,
                                .budget = &budget};
  evidence.build = build(submission, toolchain);
  report.timings["build"] = seconds_since(start);
  FastBuild fast(submission, toolchain);

  start = Clock::now();
  if (evidence.build.ok) {
    const std::string recorded = request.record_accesses ? case_to_explain(lab) : std::string();
    evidence.trials =
        run_trials({&lab, submission.source, report.seed, recorded, &budget}, evidence.build, fast, request.progress);
  }
  report.timings["run"] = seconds_since(start);
  fail_build_of_bad_assembly(evidence);
  // What fails with optimisation alone is the submission's failure, too.
  if (fast.failed()) evidence.build = fast.get();
  if (nvcc && evidence.build.ok) add_real_device(report, evidence, submission, request, *nvcc);
  if (evidence.all_right()) model_speed(report, evidence, fast, request, toolchain, budget);
  report.timings["fast_build"] = fast.seconds();
  report.timings["processor"] = budget.used().cpu_seconds;
  return evidence;
}

}  // namespace

GradingResult grade(const GradingRequest& request) {
  const auto start = Clock::now();
  const Lab& lab = *request.lab;
  const Toolchain toolchain = choose_toolchain(request.frontend);
  const std::optional<Toolchain> nvcc = choose_real_gpu(request.device);
  GradingResult result;
  Report& report = result.report;
  report.lab = lab.id;
  report.title = lab.title;
  report.submission = request.submission.source.string();
  report.device = fmt::format("virtual ({})", vgpu::device_model(lab.device_model).name);
  report.frontend = toolchain.version;
  report.seed = request.seed.value_or(lab.seed);
  try {
    report.sandbox = sandbox_tier().name;
    Evidence evidence = observe(report, request, toolchain, nvcc);
    judge_into(report, evidence, request);
    result.evidence = std::move(evidence);
  } catch (const std::invalid_argument& error) {
    throw RequestError(error.what());
  } catch (const std::exception& error) {
    report.checks = score_of_broken(lab, error.what());
  }
  const Total sum = total(report.checks);
  report.points = sum.points;
  report.max = sum.max;
  report.timings["total"] = seconds_since(start);
  return result;
}

}  // namespace cudalabs
