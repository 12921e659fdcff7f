#include "grading/real_gpu.h"

#include <fmt/format.h>

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
void run_cases(std::vector<Trial>& trials, const Lab& lab, const std::filesystem::path& runner, const std::string& gpu,
               const ProgressListener& progress) {
  GpuSession session(lab, runner);
  std::size_t done = 0;
  for (Trial& trial : trials) {
    progress(fmt::format("{}: case {} of {} on the {}", lab.id, ++done, trials.size(), gpu));
    if (trial.test.spec.faults.any() || trial.is_wrong()) continue;
    // For one case only: who waits to measure shall not wait long.
    const GpuTurn turn(lab.limits.cases_at_a_time == 1 ? GpuTurn::Kind::alone : GpuTurn::Kind::shared);
    trial.real = session.run(trial.test);
  }
  judge(trials);
}

}  // namespace

void add_real_gpu(Evidence& evidence, BuildRequest request, const Toolchain& nvcc, const ProgressListener& progress) {
  const Lab& lab = *evidence.lab;
  const auto say = [&](const std::string& what) { progress(fmt::format("{}: {}", lab.id, what)); };
  say("compiling for the GPU");
  request.frontend = Frontend::nvcc;
  request.device = Device::cuda;
  request.kind = BuildKind::fast;
  request.budget = nullptr;  // which is for what the virtual GPU's grading takes
  BuildResult built = build(request, nvcc);
  if (!built.ok) {
    evidence.build = std::move(built);
    evidence.trials.clear();
    return;
  }
  say("waiting for the GPU");
  const speed::GpuFacts gpu = [&] {
    const GpuTurn turn(GpuTurn::Kind::shared);
    return speed::gpu_facts(nvcc);
  }();
  evidence.real_gpu = gpu.name;
  run_cases(evidence.trials, lab, built.runner, gpu.name, progress);
  if (lab.speed.empty() || !evidence.all_right()) return;
  speed::Stadium stadium(&gpu, &nvcc, say);
  for (const SpeedTest& test : lab.speed) evidence.speed.push_back(stadium.measure(lab, test, built.runner));
}

}  // namespace cudalabs
