// Both sides run once on the virtual GPU, on data of full size but only some blocks of each launch.
#include "speed/modelled_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>

#include "run/run.h"
#include "sandbox/budget.h"
#include "speed/baseline.h"
#include "speed/credit.h"
#include "speed/double_precision.h"
#include "speed/full_size.h"
#include "speed/idle_gpu.h"
#include "speed/model_case.h"
#include "speed/shared_work.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/model/modelled_time.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs::speed {
namespace {

/// Of each launch, spread over the grid.
constexpr std::uint64_t kSampledBlocks = 16;
/// Of a second sample, where blocks may share out their work.
constexpr std::uint64_t kFewerBlocks = kSampledBlocks / 2;
/// Of a block: few blocks that walk over all of the data execute far more than those of a good kernel, which execute
/// less than 100,000. How slow such a kernel is shows in what each of its blocks has done by then, 0.1 µs of a
/// processor's time an instruction.
constexpr std::uint64_t kMostInstructions = 8'000'000;
/// Of a launch with a block that executes more than that: as many, which each do, say how slow it is.
constexpr std::uint64_t kSlowBlocks = 4;
/// Of a processor, and of a launch: for all sampled blocks, on a slow machine.
constexpr double kMostSeconds = 40;
/// Of warps: what executes no more of them in all of its blocks is run once more, whole, and its results are looked at.
/// A vector add of 2^24 elements takes 6 million, and that run half a second of a processor; a reduction, 110 million.
constexpr std::uint64_t kMostInstructionsOfAll = 40'000'000;

/// Of a submission.
struct Modelled {
  vgpu::ModelledTime time;
  bool at_least = false;                          // it was stopped: it takes this long, and longer
  std::uint64_t instructions = 0;                 // of warps, all blocks
  bool over_budget = false;                       // it used up what the grading may use
  std::optional<Finding> refused = std::nullopt;  // a launch of it
  std::string idle = {};                          // what to do where most of the GPU is idle
};

bool timed_out(const Observation& observed) {
  return std::ranges::find(observed.findings, finding_ids::kTimedOut, &Finding::id) != observed.findings.end();
}

std::uint64_t instructions_of(const vgpu::LaunchCounters& launch) {
  const auto count = launch.values.find(std::string(vgpu::counter_names::kWarpInstructions));
  return count == launch.values.end() ? 0 : count->second;
}

/// What blocks of the last launch did until they were stopped, when that says how slow it is: all blocks were there, so
/// that none waited for one that was left out, or all of the sample came to the limit and none did the work of others.
bool says_how_slow(const Observation& observed) {
  if (!timed_out(observed) || observed.launches.empty() || !observed.launches.back().slow_blocks_stopped) return false;
  const vgpu::LaunchCounters& last = observed.launches.back();
  const std::uint64_t blocks = last.config.blocks();
  if (last.executed_blocks == blocks) return true;
  return !may_share_work(std::span(&last, 1)) && instructions_of(last) / blocks >= kMostInstructions;
}

/// Which blocks of each launch are executed.
struct Sample {
  std::uint64_t blocks = kSampledBlocks;  // 0: all of them
  bool stops_slow_blocks = false;
};

Observation run_on(const ModelCase& data, const Program& program, const Executable& executable, Sample sample,
                   sandbox::Budget* budget, runner::DeviceHost& host) {
  Program roomy = program;
  const std::uint64_t data_mib = (data.bytes() >> 20) + 1;
  roomy.limits.memory_mib += 2 * data_mib;
  roomy.limits.device_mib += data_mib;
  roomy.limits.wall_seconds += kMostSeconds;
  roomy.limits.kernel_seconds = kMostSeconds;
  roomy.limits.kernel_instructions = kMostInstructions;
  RunRequest request;
  request.program = &roomy;
  request.runner = executable.runner;
  request.device_code = executable.device_code;
  request.source = executable.source;
  request.test = &data.test;
  request.inputs = data.inputs;
  request.budget = budget;
  request.host = &host;
  request.checks = false;
  request.sampled_blocks = sample.blocks;
  request.stops_slow_blocks = sample.stops_slow_blocks;
  return run(request);
}

std::uint64_t instructions_of(const Observation& observed) {
  std::uint64_t instructions = 0;
  for (const vgpu::LaunchCounters& launch : observed.launches) instructions += instructions_of(launch);
  return instructions;
}

Modelled nothing_modelled(const Observation& observed) {
  return {{0, "", fmt::format("a sample of the blocks alone did not end well: {}", observed.detail)},
          false,
          timed_out(observed) ? 0 : instructions_of(observed)};
}

Modelled modelled(const Program& program, const Executable& executable, const ModelCase& data,
                  const vgpu::DeviceModel& device, sandbox::Budget* budget, runner::DeviceHost& host) {
  Observation observed = run_on(data, program, executable, {}, budget, host);
  if (observed.end != RunEnd::finished && timed_out(observed) && !observed.launches.empty()) {
    const bool few = observed.launches.back().config.blocks() <= kSampledBlocks;
    const Sample slow{.blocks = few ? kSampledBlocks : kSlowBlocks, .stops_slow_blocks = true};
    Observation stopped = run_on(data, program, executable, slow, budget, host);
    if (says_how_slow(stopped) || stopped.end == RunEnd::over_budget) observed = std::move(stopped);
  }
  if (observed.end == RunEnd::over_budget) return {.time = {}, .over_budget = true};
  const auto refused = std::ranges::find(observed.findings, finding_ids::kInvalidLaunch, &Finding::id);
  if (refused != observed.findings.end()) return {.time = {}, .refused = *refused};
  if (observed.end != RunEnd::finished && says_how_slow(observed)) {
    observed.launches.back().complete = true;
    return {.time = vgpu::modelled_time(device, observed.launches),
            .at_least = true,
            .idle = idle_gpu_advice(device, observed.launches)};
  }
  if (observed.end != RunEnd::finished) return nothing_modelled(observed);
  if (observed.launches.empty()) return {{0, "", "nothing was launched"}};
  if (may_share_work(observed.launches)) {
    const Observation fewer = run_on(data, program, executable, {.blocks = kFewerBlocks}, budget, host);
    if (fewer.end == RunEnd::over_budget) return {.time = {}, .over_budget = true};
    if (fewer.end != RunEnd::finished) return nothing_modelled(fewer);
    auto whole = with_shared_work(std::move(observed.launches), fewer.launches);
    if (!whole) return {{0, "", "what it launches depends on which of its blocks are executed"}};
    observed.launches = std::move(*whole);
  }
  return {.time = vgpu::modelled_time(device, observed.launches),
          .instructions = instructions_of(observed),
          .idle = idle_gpu_advice(device, observed.launches)};
}

Finding too_slow_to_model(const std::filesystem::path& source, const sandbox::Budget& budget) {
  Finding finding;
  finding.id = finding_ids::kTimeBudget;
  finding.message = fmt::format(
      "grading takes more than {:.0f} s of processor time: they were used up while the speed was "
      "modelled",
      budget.limit().cpu_seconds);
  finding.where.file = source.string();
  finding.help = "look for loops that do far more than the task needs";
  return finding;
}

vgpu::ModelledTime modelled_baseline(const SpeedTest& test, const vgpu::DeviceModel& device, const Toolchain& toolchain,
                                     runner::DeviceHost& host) {
  const Baseline baseline = read_baseline(test.baseline);
  if (baseline.on_host) return {0, "", "the model knows nothing of the host"};
  if (baseline.copies) {
    const auto elements = static_cast<double>(test.modelled_baseline_parameters.at("n"));
    return {vgpu::modelled_copy_seconds(device, elements * sizeof(float)), "memory", std::nullopt};
  }
  const Program& program = baseline.program;
  const Executable executable{.runner = built_baseline(baseline, toolchain, Device::virtual_gpu),
                              .device_code = {},
                              .source = program.folder / program.contract.source};
  return modelled(program, executable, model_case(baseline.work, test.modelled_baseline_parameters), device, nullptr,
                  host)
      .time;
}

/// The test with every size a quarter, where the baseline does the same work; nothing elsewhere. What a launch of few
/// blocks, which walk over all there is, does not get done at the full size, it may get done here; and it compares no
/// worse, for the fewer blocks others have, the fewer multiprocessors it leaves idle.
std::optional<SpeedTest> smaller(const SpeedTest& test) {
  constexpr std::int64_t kSmaller = 4;
  if (test.modelled_parameters != test.modelled_baseline_parameters || read_baseline(test.baseline).on_host) return {};
  SpeedTest small = test;
  for (auto* parameters : {&small.modelled_parameters, &small.modelled_baseline_parameters}) {
    for (auto& [name, value] : *parameters) value = std::max<std::int64_t>(1, value / kSmaller);
  }
  return small;
}

SpeedResult compare(const Program& program, const SpeedTest& test, const Executable& executable,
                    const Toolchain& toolchain, sandbox::Budget* budget, runner::DeviceHost& host,
                    bool may_be_smaller) {
  const vgpu::DeviceModel device = vgpu::device_model(program.device_model);
  SpeedResult result = nothing_known(test, device.name, program.device_model, test.modelled_parameters);
  const vgpu::ModelledTime theirs = modelled_baseline(test, device, toolchain, host);
  if (theirs.doubt) {
    result.doubt = *theirs.doubt;
    return result;
  }
  const ModelCase& data = model_case(test.work, test.modelled_parameters);
  const auto [mine, at_least, instructions, over_budget, refused, idle] =
      modelled(program, executable, data, device, budget, host);
  if (over_budget) {
    result.kind = SpeedResult::Kind::modelled;
    result.finding = too_slow_to_model(executable.source, *budget);
    return result;
  }
  if (refused) {
    result.kind = SpeedResult::Kind::modelled;
    result.finding = *refused;
    result.finding->note = fmt::format("with {}: {}", result.size, refused->note);
    return result;
  }
  if (!at_least && instructions > 0 && instructions <= kMostInstructionsOfAll) {
    result.finding =
        wrong_at_full_size(data, run_on(data, program, executable, {.blocks = 0}, budget, host), result.size);
    if (result.finding) {
      if (result.finding->missing) result.finding->missing->sizes = test.modelled_parameters;
      result.kind = SpeedResult::Kind::modelled;
      return result;
    }
  }
  if (mine.doubt || !(mine.seconds > 0)) {
    result.doubt = mine.doubt.value_or("the model gave no time");
    return result;
  }
  const double ratio = theirs.seconds / mine.seconds * test.share_of_baseline();
  const double points = credit(threshold_for(test, program.device_model), ratio);
  if (at_least) {
    result.doubt = "it was stopped before it was done, and is slower than that";
    if (points > 0) {
      const std::optional<SpeedTest> small = smaller(test);
      if (!small || !may_be_smaller) return result;
      SpeedResult at_small = compare(program, *small, executable, toolchain, budget, host, false);
      if (at_small.kind != SpeedResult::Kind::modelled || at_small.finding || at_small.credit > 0) return result;
      at_small.low = 0;
      at_small.doubt = "at the full size it was stopped before it was done";
      return at_small;
    }
  }
  result.kind = SpeedResult::Kind::modelled;
  result.seconds = mine.seconds;
  result.baseline_seconds = theirs.seconds;
  result.bound = mine.bound;
  result.advice = mine.bound == vgpu::kDoublePrecision ? double_precision_advice(device) : idle;
  result.ratio = result.high = ratio;
  result.low = at_least ? 0 : ratio;
  result.credit = points;
  return result;
}

}  // namespace

SpeedResult modelled_speed(const Program& program, const SpeedTest& test, const Executable& fast,
                           const Toolchain& toolchain, sandbox::Budget* budget, runner::DeviceHost& host) {
  return compare(program, test, fast, toolchain, budget, host, true);
}

}  // namespace cudalabs::speed
