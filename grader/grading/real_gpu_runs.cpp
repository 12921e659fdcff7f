#include "grading/real_gpu_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "check/judge.h"
#include "run/gpu_session.h"
#include "run/gpu_turn.h"
#include "speed/gpu_facts.h"
#include "speed/measure.h"

namespace cudalabs {
namespace {

/// Runs every case that nothing is known against.
void run_cases(std::vector<CaseRun>& case_runs, const Lab& lab, const std::filesystem::path& runner,
               const std::string& gpu, const ProgressListener& progress) {
  GpuSession session(lab, runner);
  // Seen where the virtual GPU called twice: what such a program does after other cases says nothing new.
  const bool keeps_something = std::ranges::any_of(
      case_runs, [](const CaseRun& case_run) { return case_run.before.has_value() && case_run.is_wrong(); });
  std::size_t done = 0;
  for (CaseRun& case_run : case_runs) {
    progress(fmt::format("{}: case {} of {} on the {}", lab.id, ++done, case_runs.size(), gpu));
    if (case_run.test.spec.faults.any() || case_run.is_wrong()) continue;
    // For one case only: who waits to measure shall not wait long.
    const GpuTurn turn(lab.limits.cases_at_a_time == 1 ? GpuTurn::Kind::alone : GpuTurn::Kind::shared);
    case_run.real = session.run(case_run.test);
    const bool wrong = case_run.real->end == RunEnd::finished && !gives_right_outputs(*case_run.real, case_run.test);
    // What a program keeps from call to call costs the check that asks for it, with or without a GPU.
    if (wrong && keeps_something && !session.was_first()) case_run.real = session.run_first(case_run.test);
  }
  judge(case_runs, lab.explanations);
}

}  // namespace

void add_real_gpu(SubmissionRun& submission_run, BuildRequest request, const Toolchain& nvcc,
                  const ProgressListener& progress) {
  const Lab& lab = *submission_run.lab;
  const auto say = [&](const std::string& what) { progress(fmt::format("{}: {}", lab.id, what)); };
  say("compiling for the GPU");
  request.frontend = Frontend::nvcc;
  request.device = Device::cuda;
  request.kind = BuildKind::fast;
  request.budget = nullptr;  // which is for what the virtual GPU's grading takes
  BuildResult built = build(request, nvcc);
  if (!built.ok) {
    submission_run.build = std::move(built);
    submission_run.case_runs.clear();
    return;
  }
  say("waiting for the GPU");
  const speed::GpuFacts gpu = [&] {
    const GpuTurn turn(GpuTurn::Kind::shared);
    return speed::gpu_facts(nvcc);
  }();
  submission_run.real_gpu = gpu.name;
  run_cases(submission_run.case_runs, lab, built.runner, gpu.name, progress);
  if (lab.speed.empty() || !submission_run.all_right()) return;
  speed::Benchmark benchmark(&gpu, &nvcc, say);
  for (const SpeedTest& test : lab.speed) submission_run.speed.push_back(benchmark.measure(lab, test, built.runner));
}

}  // namespace cudalabs
