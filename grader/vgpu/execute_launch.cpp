// One launch: executed, repeated where one run does not tell enough, and what becomes of what its observers saw.
#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/access_samples.h"
#include "vgpu/added_reads.h"
#include "vgpu/check/finding_log.h"
#include "vgpu/check/race_verdict.h"
#include "vgpu/idle_stores.h"
#include "vgpu/inactive_values.h"
#include "vgpu/launch_findings.h"
#include "vgpu/launch_limits.h"
#include "vgpu/origin_places.h"
#include "vgpu/race_outcome.h"
#include "vgpu/repeated_launch.h"
#include "vgpu/unwritten_values.h"
#include "vgpu/virtual_gpu_state.h"
#include "vgpu/written_front.h"

namespace cudalabs::vgpu {

namespace {

LaunchStatus status_of(exec::LaunchError error) {
  switch (error) {
    case exec::LaunchError::none:
      return LaunchStatus::ok;
    case exec::LaunchError::illegal_address:
      return LaunchStatus::illegal_address;
    case exec::LaunchError::misaligned_address:
      return LaunchStatus::misaligned_address;
    case exec::LaunchError::cluster_block_missing:
      return LaunchStatus::launch_failure;
    case exec::LaunchError::illegal_instruction:
      return LaunchStatus::illegal_instruction;
    case exec::LaunchError::assert_failed:
      return LaunchStatus::assert_failed;
    case exec::LaunchError::trap:
      return LaunchStatus::trap;
    case exec::LaunchError::barrier_deadlock:
      return LaunchStatus::barrier_deadlock;
    case exec::LaunchError::too_many_instructions:
    case exec::LaunchError::timed_out:
      return LaunchStatus::timed_out;
  }
  return LaunchStatus::trap;
}

exec::LaunchResult never_begun(const Program& program, const KernelInfo& kernel) {
  exec::LaunchResult result;
  result.error = exec::LaunchError::timed_out;
  result.instruction = program.functions()[kernel.function].first;
  result.cut_short = true;
  return result;
}

/// A client decides how many different kernels there are; what is told of them is bounded.
constexpr std::size_t kMostFindings = 1000;

/// A launch with more accesses than this, of single lanes, is recorded in one order only: it takes a second or more.
/// What counts on an order does so in smaller launches, too.
constexpr std::uint64_t kMostRecordedTwice = 2'000'000;

}  // namespace

// Runs the kernel with the quick race filter. If that suspects a race, or if blocks that ran at once were cut short (so
// that how far they came depends on the machine), the run is undone and repeated, one block at a time, with the exact
// recorder: a run without a race computes the same in any order, so that results are the same on every machine.
//
// Where blocks may talk to each other, what a run shows depends on which comes first: who takes a lock later needs the
// fences of who had it before. The order in which people think of blocks hides most of such mistakes. So these blocks
// begin in descending order, and under the recorder in either order, unless that would take long: every two of them
// meet in both. With a seed there is one more run, or that in descending order is replaced.
//
// Findings and counts are those of these runs. Results are, too, unless a race that is an error was found: then those
// of a run in which threads get on in an order of a seed, if they differ. A launch that races has no right results, and
// wrong ones show more than one line of a report does.
exec::LaunchResult VirtualGpu::State::execute(const LoadedModule& module, const KernelInfo& kernel,
                                              const LaunchConfig& config, std::span<const std::byte> parameters,
                                              bool record_touched, std::uint32_t depth,
                                              std::optional<LaunchObservers>& observers) {
  exec::LaunchRequest request;
  request.program = module.program.get();
  request.kernel = &kernel;
  request.config = config;
  request.parameters = parameters;
  request.multiprocessors = options.model.multiprocessors;
  request.resident_blocks = resident_blocks(options.model, kernel, config);
  request.instruction_limit = options.instruction_limit;
  request.stops_slow_blocks = options.stops_slow_blocks;
  request.never_left = &module.never_left;
  request.interrupted = &interrupted;
  request.images = &images;
  request.heap_bytes = heap_bytes;
  request.grid_number = launch_number;
  request.depth = depth;
  request.can_launch = [this](const KernelInfo& other, const LaunchConfig& asked) {
    return can_launch(options.model, other, asked);
  };
  request.sampled_blocks = options.sampled_blocks;
  if (options.seconds_limit > 0) {
    request.processor_time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(options.seconds_limit));
  }

  if (config.cooperative) {
    constexpr std::uint64_t kBytes = exec::kGridWorkspaceBytes;
    if (grid_workspace == 0)
      grid_workspace = memory.allocate(kBytes, 0, AllocationKind::variable, "the barrier of a cooperative launch");
    if (!memory.fill(grid_workspace, 0, kBytes)) throw std::bad_alloc();
    request.grid_workspace = grid_workspace;
  }

  memory.begin_undo(kernel.allocates);
  const std::vector<ByteRange> written = writers.begin(outputs, memory.ranges());
  const bool both_ways = !kernel.concurrent && options.check_races && options.sampled_blocks == 0;
  using exec::BeginOrder;
  constexpr BeginOrder kAscending, kDescending{BeginOrder::Kind::descending};
  const BeginOrder shuffled{BeginOrder::Kind::shuffled, options.order_seed.value_or(0) + launch_number};
  const auto run = [&](BeginOrder order) {
    request.order = order;
    const std::vector<Observer*> list = observers->list();
    request.observers = list;
    exec::LaunchResult result = exec::run_launch(request, memory, pool);
    request.observers = {};
    return result;
  };
  const auto observe = [&] {
    observers.emplace(options, module, kernel, memory, inputs, written);
    if (record_touched) observers->touches.emplace();
  };
  observe();
  if (shadow) {
    observers->filter.emplace(*shadow);
    request.abandoned = [&] { return observers->filter->suspicious(); };
  }
  exec::LaunchResult result = run(!both_ways ? kAscending : options.order_seed ? shuffled : kDescending);
  const bool suspicious = observers->filter && observers->filter->suspicious();
  // What ran out of time would do so again.
  const auto in_time = [&] { return result.error != exec::LaunchError::timed_out; };
  if (suspicious || (result.cut_short && kernel.concurrent && in_time())) {
    request.abandoned = nullptr;
    request.one_at_a_time = true;
    const auto repeat = [&](BeginOrder order) {
      memory.roll_back();
      observe();
      if (suspicious) observers->recorder.emplace(module.roles);
      result = run(order);
    };
    const auto repeat_and_add_races = [&](BeginOrder order) {
      const FindingLog races = observers->recorder->races();
      repeat(order);
      observers->recorder->add_races_of(races);
    };
    const exec::LaunchResult once = result;
    repeat(kAscending);
    // Where the time for the second run was used up says nothing of what had come to its limit in the first.
    if (result.error == exec::LaunchError::timed_out && once.error == exec::LaunchError::too_many_instructions) {
      result.error = once.error;
      result.block = once.block;
      result.instruction = once.instruction;
      result.endless = once.endless;
    }
    const bool order_matters = suspicious && both_ways && observers->recorder->blocks_may_be_ordered() &&
                               observers->recorder->recorded() <= kMostRecordedTwice;
    if (order_matters && result.error == exec::LaunchError::none) repeat_and_add_races(kDescending);
    if (options.order_seed && suspicious && result.error == exec::LaunchError::none) repeat_and_add_races(shuffled);
  }
  // Which values matter that CUDA leaves open is asked in runs of the same length, where that has an end.
  if (const auto read_inactive = observers->shuffles.instructions();
      !read_inactive.empty() && options.check_races && !came_to_a_limit(result)) {
    observers->shuffles_that_matter = shuffles_that_matter(read_inactive, request, memory, pool);
  }
  const bool races = observers->recorder && has_erroneous_race(observers->recorder->races());
  const bool ended = result.error == exec::LaunchError::none && !result.cut_short;
  if (options.tries_unwritten_values && observers->initialized && observers->initialized->has_unwritten_reads() &&
      ended && !races)
    judge_unwritten_reads(kernel, request, *observers->initialized);
  if (races && options.sampled_blocks == 0 && ended) {
    std::vector<Observer*> watching;
    if (observers->touches) watching.push_back(&*observers->touches);
    request.observers = watching;
    result = race_outcome(request, result, observers->recorder->recorded(), shuffled.seed, memory, pool);
  }
  memory.end_undo();
  return result;
}

void VirtualGpu::State::judge_unwritten_reads(const KernelInfo& kernel, const exec::LaunchRequest& request,
                                              InitializedChecker& checker) {
  constexpr std::uint32_t kLaunchesTold = 8;  // of a kernel: that many without harm speak for those that follow
  UnwrittenReadsOf& known = unwritten_reads[kernel.display];
  if (known.matter) return;
  if (known.harmless < kLaunchesTold) {
    const auto pages = checker.unwritten_pages();
    // Where blocks may talk to each other, that a value is overwritten before it is used may be the order of one run.
    const bool by_order = !kernel.concurrent && pages && !pages->empty();
    known.matter = !pages || by_order || unwritten_values_matter(*pages, request, memory, pool);
    if (known.matter) return;
    ++known.harmless;
  }
  checker.unwritten_reads_are_harmless();
}

LaunchOutcome VirtualGpu::State::launch(std::uint32_t handle, const LoadedModule& module, const KernelInfo& kernel,
                                        const LaunchConfig& asked_config, std::span<const std::byte> parameters,
                                        bool record_touched, std::uint32_t depth) {
  const LaunchConfig config = with_required_cluster(kernel, asked_config);
  const std::uint64_t number = ++launch_number;
  // Who asks for an end means what a kernel has started, too.
  if (depth == 0) interrupted.store(false, std::memory_order_relaxed);
  std::optional<LaunchObservers> observers;
  // What cannot end in time is not begun: it would keep the machine busy for as long as it may.
  const bool hopeless = options.sampled_blocks == 0 && has_too_many_warps(config, options.instruction_limit);
  kept.begin_launch(kernel, memory);
  late_writers.begin_launch(memory);
  exec::LaunchResult result = hopeless ? never_begun(*module.program, kernel)
                                       : execute(module, kernel, config, parameters, record_touched, depth, observers);
  kept.end_launch(kernel, memory);
  late_writers.end_launch(number, kernel.display, memory);
  if (hopeless) observers.emplace(options, module, kernel, memory, inputs, std::span<const ByteRange>());

  const ProgramNames names(*module.program, module.types, module.roles, kernel, memory,
                           kernel.static_shared_bytes + config.dynamic_shared_bytes, {inputs, outputs, parameters});
  const std::size_t known = findings.size();
  for (Finding& finding : observers->findings(names)) {
    finding.launch.number = launch_number;
    findings.push_back(std::move(finding));
  }
  note_written_fronts(std::span(findings).subspan(known), memory);
  late_writers.add_reads(std::span(findings).subspan(known), memory);
  LaunchStatus status = status_of(result.error);
  if (status == LaunchStatus::trap && kernel.uses_grid_group && !config.cooperative) {
    status = LaunchStatus::not_cooperative;
  }
  const AskedLaunch asked{*module.program, kernel, config};
  const WorkLimits limits{options.instruction_limit, options.seconds_limit, interrupted.load(), launch_number};
  if (hopeless) {
    findings.push_back(too_many_warps_finding(asked, limits));
  } else if (status == LaunchStatus::timed_out) {
    Finding finding = timed_out_finding(asked, result, limits);
    if (const auto endless = endless_loop_around(module, result.instruction)) blame_endless_loop(finding, *endless);
    findings.push_back(std::move(finding));
  }
  if (result.assertion) findings.push_back(assertion_finding(asked, result));
  if (status == LaunchStatus::trap && !result.assertion) findings.push_back(trap_finding(asked, result));
  if (findings.size() != known) findings = merge_findings(std::move(findings));
  if (findings.size() > kMostFindings) findings.resize(kMostFindings);
  if (observers->filter) {
    usage.merge(observers->filter->barrier_usage(names));
  }
  if (observers->counters) {
    using Reached = CountTotals::Reached;
    const bool slow = result.error == exec::LaunchError::too_many_instructions;
    const Reached reached = result.cut_short || result.error == exec::LaunchError::timed_out ? Reached::neither
                            : slow                                                           ? Reached::end_or_limit
                                                                                             : Reached::end;
    counted.add(handle, module, kernel, config, *observers->counters, reached);
  }
  if (observers->examples) keep_examples(*observers->examples, names, config);
  constexpr std::size_t kMostLaunches = 64;
  if (observers->work && work.size() < kMostLaunches) {
    const ThreadWork& done = observers->work->work();
    recorded_threads += done.did.size();
    work.push_back(recorded_threads <= ThreadWork::kMostThreads ? done : ThreadWork{done.config, {}});
  }
  if (observers->reads) keep_reads(*observers->reads, names, config);
  if (observers->writers) {
    writers.keep(*observers->writers, names,
                 [&](std::uint32_t store) { return origins_of(store, module, kernel, parameters, names); });
    if (result.error == exec::LaunchError::none && !result.cut_short)
      writers.keep_idle(find_idle_stores(*observers->writers, *module.program, kernel, module.roles, names, outputs));
  }
  TouchedBytes touched;
  if (observers->touches) touched = observers->touches->touched();
  LaunchOutcome outcome{.status = status,
                        .seconds = 0,
                        .output = std::move(result.output),
                        .touched = std::move(touched),
                        .number = number};
  if (!result.launches.empty())
    run_device_launches({result.launches, handle, module, kernel, config, record_touched, depth}, outcome);
  return outcome;
}

void VirtualGpu::State::keep_reads(const ReadRecorder& recorder, const ProgramNames& names,
                                   const LaunchConfig& config) {
  constexpr std::size_t kMostArrays = 8;
  for (std::size_t number = 0; number < inputs.size(); ++number) {
    const std::span<const RecordedReads> recorded = recorder.of_array(number);
    if (recorded.empty()) continue;
    auto array = std::ranges::find(reads, inputs[number].name, &ArrayReads::array);
    if (array == reads.end()) {
      if (reads.size() >= kMostArrays) continue;
      array = reads.insert(reads.end(), ArrayReads{inputs[number].name, {}, {}, {}, {}});
    }
    add_reads(*array, recorded, {launch_number, config, names});
  }
}

void VirtualGpu::State::keep_examples(const AccessRecorder& examples, const ProgramNames& names,
                                      const LaunchConfig& config) {
  constexpr std::size_t kMost = 500;  // far more than people look at; a program may be hostile
  for (const RecordedAccess& example : examples.recorded()) {
    if (samples.size() >= kMost) return;
    if (!sampled.emplace(names.kernel(), example.instruction).second) continue;
    samples.push_back(sample_of(example, names, config));
  }
}

}  // namespace cudalabs::vgpu
