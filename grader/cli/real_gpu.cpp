#include "cli/real_gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/judge.h"
#include "run/gpu_session.h"
#include "speed/gpu_facts.h"
#include "speed/measure.h"

namespace cudalabs {
namespace {

bool has_errors(const Judgement& judgement) {
  return judgement.ending.has_value() || !judgement.mismatches.empty() ||
         std::ranges::count(judgement.device, Severity::error, &Finding::severity) > 0;
}

bool all_right(const Evidence& evidence) {
  // A case that was left out had no chance to be right.
  return evidence.build.ok && evidence.trials.size() == evidence.lab->cases.size() &&
         std::ranges::none_of(evidence.trials, [](const Trial& trial) { return has_errors(trial.judged()); });
}

}  // namespace

void add_real_gpu(Evidence& evidence, BuildRequest request, const Toolchain& nvcc, Progress& progress) {
  const Lab& lab = *evidence.lab;
  progress.say(fmt::format("{}: compiling for the GPU", lab.id));
  const speed::GpuFacts gpu = speed::gpu_facts(nvcc);
  evidence.real_gpu = gpu.name;
  request.frontend = Frontend::nvcc;
  request.device = Device::cuda;
  request.kind = BuildKind::fast;
  BuildResult built = build(request, nvcc);
  if (!built.ok) {
    evidence.build = std::move(built);
    evidence.trials.clear();
    return;
  }

  GpuSession session(lab, built.runner);
  std::size_t done = 0;
  for (Trial& trial : evidence.trials) {
    progress.say(fmt::format("{}: case {} of {} on the {}", lab.id, ++done, evidence.trials.size(), gpu.name));
    if (trial.test.spec.faults.any() || has_errors(trial.judged())) continue;
    trial.real = session.run(trial.test);
  }
  judge(evidence.trials);
  if (lab.speed.empty() || !all_right(evidence)) return;
  speed::Stadium stadium{&gpu, &nvcc,
                         [&](const std::string& what) { progress.say(fmt::format("{}: {}", lab.id, what)); }};
  for (const SpeedTest& test : lab.speed) evidence.speed.push_back(stadium.measure(lab, test, built.runner));
}

}  // namespace cudalabs
