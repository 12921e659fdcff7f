// One grading from submission to report.
#include "cli/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "check/catch_session.h"
#include "check/evidence.h"
#include "check/merge.h"
#include "cli/exit_code.h"
#include "cli/machine.h"
#include "cli/real_gpu.h"
#include "cli/trials.h"
#include "cli/usage_error.h"
#include "datasets/picture.h"
#include "run/gpu_session.h"
#include "run/run.h"
#include "score/score.h"
#include "speed/modelled_speed.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/model/device_model.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

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

/// What a student does now.
std::vector<std::string> next_steps(const Lab& lab, const Report& report, const GradeCommand& command) {
  if (exit_code_of(report) == kInternalError) {
    return {"this is not your fault: the grader failed; show this report to whoever runs the course"};
  }
  if (report.points >= report.max) return {};
  const bool errors = std::ranges::count(report.findings, Severity::error, &Finding::severity) > 0;
  const bool warnings = std::ranges::count(report.findings, Severity::warning, &Finding::severity) > 0;
  std::vector<std::string> steps{fmt::format("mend the first {1}, then: make {0} && ./grade {0}", lab.id,
                                             errors     ? "error"
                                             : warnings ? "warning"
                                                        : "check that failed")};
  const bool wrong_pixels = std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.id == finding_ids::kResultMismatch || finding.id == finding_ids::kUnwrittenOutput ||
           finding.id == finding_ids::kNonfiniteResult;
  });
  if (wrong_pixels && datasets::picture_generator_for(lab.slug) != nullptr && !command.pictures) {
    steps.push_back(
        fmt::format("see the wrong pixels: ./grade {}{} --pictures DIR", lab.id,
                    command.target.submission ? " --submission " + command.target.submission->string() : ""));
  }
  steps.push_back(fmt::format("stuck? ./grade hint {}", lab.id));
  return steps;
}

/// A GPU that does not work is no verdict on the submission: when it was asked for the grading breaks off, and when it
/// was there by chance the virtual GPU's verdict stands.
void go_on_without(Report& report, const GradeCommand& command, const GpuUnfit& why) {
  if (command.target.device == DeviceChoice::cuda) throw GpuUnfit(why);
  report.device += fmt::format("; {}", why.what());
}

/// Asked before anything is compiled.
bool reaches_real_device(Report& report, const GradeCommand& command) {
  try {
    runner::require_real_device();
    return true;
  } catch (const GpuUnfit& why) {
    go_on_without(report, command, why);
    return false;
  }
}

void add_real_device(Report& report, Evidence& evidence, const BuildRequest& request, const GradeCommand& command,
                     const Toolchain& nvcc, Progress& progress) {
  const auto start = Clock::now();
  try {
    add_real_gpu(evidence, request, nvcc, progress);
    report.device = fmt::format("{} and {}", evidence.real_gpu, report.device);
  } catch (const GpuUnfit& why) {
    go_on_without(report, command, why);
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
                                 const Toolchain& toolchain) {
  const Lab& lab = *evidence.lab;
  for (const SpeedTest& test : lab.speed) {
    if (was_measured(evidence, test)) continue;
    if (!fast.get().ok) {
      evidence.build = fast.get();
      return;
    }
    SpeedResult modelled = speed::modelled_speed(lab, test, fast.get().runner, source, toolchain);
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

void grade_into(Report& report, const GradeCommand& command, const Lab& lab, const Submission& submission,
                const Toolchain& toolchain, std::optional<Toolchain> nvcc, Progress& progress,
                const std::function<void(const Evidence&)>& look) {
  if (nvcc && !reaches_real_device(report, command)) nvcc.reset();
  Evidence evidence;
  evidence.lab = &lab;
  progress.say(fmt::format("{}: compiling", lab.id));
  auto start = Clock::now();
  const BuildRequest request{.lab = &lab,
                             .source = submission.source,
                             .beneath = submission.beneath,
                             .text = submission.text,
                             .frontend = toolchain.frontend,
                             .kind = BuildKind::checked};
  evidence.build = build(request, toolchain);
  report.timings["build"] = seconds_since(start);
  FastBuild fast(request, toolchain);

  start = Clock::now();
  if (evidence.build.ok)
    evidence.trials =
        run_trials({&lab, submission.source, report.seed, command.explain ? case_to_explain(lab) : std::string()},
                   evidence.build, fast, progress);
  report.timings["run"] = seconds_since(start);
  fail_build_of_bad_assembly(evidence);
  // What fails with optimisation alone is the submission's failure, too.
  if (fast.failed()) evidence.build = fast.get();
  if (nvcc && evidence.build.ok) add_real_device(report, evidence, request, command, *nvcc, progress);
  if (evidence.all_right()) {
    start = Clock::now();
    progress.say(fmt::format("{}: modelling the time it would take", lab.id));
    model_what_was_not_measured(evidence, fast, request.source, toolchain);
    report.timings["model"] = seconds_since(start);
  }
  report.timings["fast_build"] = fast.seconds();
  report.build_output = evidence.build.diagnostics;
  note_observations(evidence, report);
  report.findings = merge_findings(evidence);
  report.speed = evidence.speed;
  for (const SpeedResult& result : evidence.speed) {
    if (result.finding) report.findings.push_back(*result.finding);
  }

  look(evidence);

  set_evidence(&evidence);
  const auto registered = registered_tests();
  const auto outcomes = run_session(lab.id, command.catch_arguments);
  set_evidence(nullptr);
  report.checks = score(lab, registered, outcomes);
}

}  // namespace

Report grade(const GradeCommand& command, const Lab& lab, const Submission& submission, Progress& progress,
             const std::function<void(const Evidence&)>& look) {
  const auto start = Clock::now();
  const Toolchain toolchain = choose_toolchain(command.target.frontend);
  const std::optional<Toolchain> nvcc = choose_real_gpu(command.target.device);
  Report report;
  report.lab = lab.id;
  report.title = lab.title;
  report.submission = submission.source.string();
  report.device = fmt::format("virtual ({})", vgpu::device_model(lab.device_model).name);
  report.frontend = toolchain.version;
  report.seed = command.seed.value_or(lab.seed);
  try {
    report.sandbox = sandbox_tier().name;
    grade_into(report, command, lab, submission, toolchain, nvcc, progress, look);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  } catch (const std::exception& error) {
    report.checks = score_of_broken(lab, error.what());
  }
  const Total sum = total(report.checks);
  report.points = sum.points;
  report.max = sum.max;
  report.timings["total"] = seconds_since(start);
  report.next_steps = next_steps(lab, report, command);
  return report;
}

}  // namespace cudalabs
