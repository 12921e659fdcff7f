// The virtual GPU as its clients see it: puts memory, programs, execution and observers together.
#include "vgpu/virtual_gpu.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "vgpu/access_samples.h"
#include "vgpu/check/barrier_usage.h"
#include "vgpu/check/finding_log.h"
#include "vgpu/check/program_names.h"
#include "vgpu/count_totals.h"
#include "vgpu/exec/backwards.h"
#include "vgpu/exec/launcher.h"
#include "vgpu/inactive_values.h"
#include "vgpu/launch_findings.h"
#include "vgpu/launch_limits.h"
#include "vgpu/launch_observers.h"
#include "vgpu/loaded_module.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/writer_log.h"

namespace cudalabs::vgpu {

namespace {

using Clock = std::chrono::steady_clock;

LaunchStatus status_of(exec::LaunchError error) {
  switch (error) {
    case exec::LaunchError::none:
      return LaunchStatus::ok;
    case exec::LaunchError::illegal_address:
      return LaunchStatus::illegal_address;
    case exec::LaunchError::misaligned_address:
      return LaunchStatus::misaligned_address;
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

struct VirtualGpu::State {
  explicit State(VirtualGpuOptions chosen)
      : options(std::move(chosen)),
        memory(options.model.global_bytes, options.sampled_blocks == 0),
        pool(options.workers) {
    if (options.check_races) shadow.emplace(kGlobalBase, kGlobalWindow);
  }

  exec::LaunchResult execute(const LoadedModule& module, const KernelInfo& kernel, const LaunchConfig& config,
                             std::span<const std::byte> parameters, bool record_touched,
                             std::optional<LaunchObservers>& observers);
  LaunchOutcome launch(std::uint32_t handle, const LoadedModule& module, const KernelInfo& kernel,
                       const LaunchConfig& config, std::span<const std::byte> parameters, bool record_touched);
  void keep_examples(const AccessRecorder& examples, const ProgramNames& names, const LaunchConfig& config);

  VirtualGpuOptions options;
  GlobalMemory memory;
  exec::WorkerPool pool;
  std::optional<GlobalShadow> shadow;
  std::vector<InputArray> inputs, outputs;
  std::map<std::uint32_t, LoadedModule> modules;
  std::uint32_t next_module = 1;
  DeviceAddress grid_workspace = 0;  // for cooperative launches; 0 before the first
  std::uint64_t launch_number = 0;
  std::atomic<bool> interrupted{false};
  std::vector<ptx::Refusal> refusals;
  std::vector<Finding> findings;
  CountTotals counted;
  WriterLog writers;
  std::vector<AccessSample> samples;
  std::set<std::pair<std::string, std::uint32_t>> sampled;  // kernel, instruction
  BarrierUsage usage;
};

// Runs the kernel with the quick race filter. If that suspects a race, or if blocks that ran at once were cut short (so
// that how far they came depends on the machine), the run is undone and repeated, one block at a time, with the exact
// recorder: a run without a race computes the same in any order, so that results are the same on every machine.
//
// Where blocks may talk to each other, what a run shows depends on which comes first: who takes a lock later needs the
// fences of who had it before. The order in which people think of blocks hides most of such mistakes. So these blocks
// run backwards, and under the recorder both forwards and backwards, unless that would take long: every two of them
// meet in either order. Results are those of the last run.
exec::LaunchResult VirtualGpu::State::execute(const LoadedModule& module, const KernelInfo& kernel,
                                              const LaunchConfig& config, std::span<const std::byte> parameters,
                                              bool record_touched, std::optional<LaunchObservers>& observers) {
  exec::LaunchRequest request;
  request.program = module.program.get();
  request.kernel = &kernel;
  request.config = config;
  request.parameters = parameters;
  request.multiprocessors = options.model.multiprocessors;
  request.resident_blocks = resident_blocks(options.model, kernel, config);
  request.instruction_limit = options.instruction_limit;
  request.interrupted = &interrupted;
  request.grid_number = launch_number;
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
  bool ran_backwards = false;
  const auto run = [&](bool backwards) {
    ran_backwards = backwards;
    const std::vector<Observer*> list = observers->list();
    request.observers = list;
    exec::LaunchResult result =
        backwards ? exec::run_launch_backwards(request, memory, pool) : exec::run_launch(request, memory, pool);
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
  exec::LaunchResult result = run(both_ways);
  const bool suspicious = observers->filter && observers->filter->suspicious();
  // What ran out of time would do so again.
  const auto in_time = [&] { return result.error != exec::LaunchError::timed_out; };
  if (suspicious || (result.cut_short && kernel.concurrent && in_time())) {
    request.abandoned = nullptr;
    request.one_at_a_time = true;
    const auto repeat = [&](bool backwards) {
      memory.roll_back();
      observe();
      if (suspicious) observers->recorder.emplace(module.roles);
      result = run(backwards);
    };
    repeat(false);
    const bool order_matters = suspicious && both_ways && observers->recorder->blocks_may_be_ordered() &&
                               observers->recorder->recorded() <= kMostRecordedTwice;
    if (order_matters && result.error == exec::LaunchError::none) {
      const FindingLog forwards = observers->recorder->races();
      repeat(true);
      observers->recorder->add_races_of(forwards);
    }
  }
  if (const auto read_inactive = observers->shuffles.instructions(); !read_inactive.empty() && options.check_races) {
    observers->shuffles_that_matter = shuffles_that_matter(read_inactive, request, ran_backwards, result, memory, pool);
  }
  memory.end_undo();
  return result;
}

LaunchOutcome VirtualGpu::State::launch(std::uint32_t handle, const LoadedModule& module, const KernelInfo& kernel,
                                        const LaunchConfig& config, std::span<const std::byte> parameters,
                                        bool record_touched) {
  ++launch_number;
  interrupted.store(false, std::memory_order_relaxed);
  std::optional<LaunchObservers> observers;
  // What cannot end in time is not begun: it would keep the machine busy for as long as it may.
  const bool hopeless = options.sampled_blocks == 0 && has_too_many_warps(config, options.instruction_limit);
  exec::LaunchResult result = hopeless ? never_begun(*module.program, kernel)
                                       : execute(module, kernel, config, parameters, record_touched, observers);
  if (hopeless) observers.emplace(options, module, kernel, memory, inputs, std::span<const ByteRange>());

  const ProgramNames names(*module.program, module.types, module.roles, kernel, memory,
                           kernel.static_shared_bytes + config.dynamic_shared_bytes, {inputs, outputs});
  const std::size_t known = findings.size();
  for (Finding& finding : observers->findings(names)) findings.push_back(std::move(finding));
  LaunchStatus status = status_of(result.error);
  if (status == LaunchStatus::trap && kernel.uses_grid_group && !config.cooperative) {
    status = LaunchStatus::not_cooperative;
  }
  const AskedLaunch asked{*module.program, kernel, config};
  const WorkLimits limits{options.instruction_limit, options.seconds_limit};
  if (hopeless) {
    findings.push_back(too_many_warps_finding(asked, limits));
  } else if (status == LaunchStatus::timed_out) {
    findings.push_back(timed_out_finding(asked, result, limits));
  }
  if (result.assertion) findings.push_back(assertion_finding(asked, result));
  if (status == LaunchStatus::trap && !result.assertion) findings.push_back(trap_finding(asked, result));
  if (findings.size() != known) findings = merge_findings(std::move(findings));
  if (findings.size() > kMostFindings) findings.resize(kMostFindings);
  if (observers->filter) {
    usage.merge(observers->filter->barrier_usage(names));
  }
  if (observers->counters) {
    const bool to_its_end = !result.cut_short && status != LaunchStatus::timed_out;
    counted.add(handle, module, kernel, config, *observers->counters, to_its_end);
  }
  if (observers->examples) keep_examples(*observers->examples, names, config);
  if (observers->writers) writers.keep(*observers->writers, names);
  TouchedBytes touched;
  if (observers->touches) touched = observers->touches->touched();
  return {.status = status, .seconds = 0, .output = std::move(result.output), .touched = std::move(touched)};
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

VirtualGpu::VirtualGpu(VirtualGpuOptions options) : state_(std::make_unique<State>(std::move(options))) {}
VirtualGpu::~VirtualGpu() = default;

std::uint32_t VirtualGpu::load_module(std::string_view ptx) {
  LoadedModule loaded =
      vgpu::load_module(ptx, state_->memory, state_->options.check_races, state_->options.sampled_blocks != 0);
  const std::uint32_t handle = state_->next_module++;
  state_->modules.emplace(handle, std::move(loaded));
  return handle;
}

void VirtualGpu::unload_module(std::uint32_t module) {
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end()) return;
  state_->counted.unload(module, found->second);
  state_->modules.erase(found);
}

std::vector<KernelDescription> VirtualGpu::kernels(std::uint32_t module) const {
  std::vector<KernelDescription> described;
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end()) return described;
  for (const KernelInfo& kernel : found->second.program->kernels()) {
    KernelDescription description;
    description.name = kernel.name;
    for (const ParameterInfo& parameter : kernel.parameters) {
      description.parameters.push_back({parameter.offset, parameter.size});
    }
    description.static_shared_bytes = kernel.static_shared_bytes;
    description.local_bytes = kernel.local_bytes;
    description.registers = kernel.registers;
    description.max_threads = std::min(kernel.max_threads, state_->options.model.max_threads_per_block);
    described.push_back(std::move(description));
  }
  return described;
}

std::vector<VariableDescription> VirtualGpu::variables(std::uint32_t module) const {
  std::vector<VariableDescription> described;
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end()) return described;
  for (const GlobalVariable& variable : found->second.program->variables()) {
    described.push_back({variable.name, variable.address, variable.size, variable.constant});
  }
  return described;
}

DeviceAddress VirtualGpu::allocate(std::uint64_t bytes, std::uint64_t origin) {
  return state_->memory.allocate(bytes, origin);
}

bool VirtualGpu::free(DeviceAddress address, std::uint64_t origin) {
  const std::optional<Allocation> allocation = state_->memory.find(address);
  if (!state_->memory.free(address, origin)) return false;
  std::erase_if(state_->inputs,
                [&](const InputArray& input) { return allocation && allocation->holds(input.address); });
  std::erase_if(state_->outputs,
                [&](const InputArray& output) { return allocation && allocation->holds(output.address); });
  if (state_->shadow && allocation) state_->shadow->release(address, allocation->bytes);
  return true;
}

bool VirtualGpu::copy_in(DeviceAddress to, std::span<const std::byte> from) {
  state_->writers.forget({to, to + from.size()});
  return state_->memory.copy_in(to, from);
}

bool VirtualGpu::copy_out(std::span<std::byte> to, DeviceAddress from) {
  return state_->memory.copy_out(to, from);
}

bool VirtualGpu::copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  state_->writers.forget({to, to + bytes});
  return state_->memory.copy(to, from, bytes);
}

bool VirtualGpu::fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) {
  state_->writers.forget({to, to + bytes});
  return state_->memory.fill(to, value, bytes);
}

void VirtualGpu::declare_input(InputArray input) {
  state_->inputs.push_back(std::move(input));
}

void VirtualGpu::declare_output(InputArray output) {
  state_->outputs.push_back(std::move(output));
}

std::uint64_t VirtualGpu::free_bytes() const {
  return state_->memory.free_bytes();
}

std::vector<VirtualGpu::LiveAllocation> VirtualGpu::live_allocations() const {
  std::vector<LiveAllocation> live;
  for (const Allocation& allocation : state_->memory.live_allocations(AllocationKind::heap)) {
    live.push_back({allocation.address, allocation.bytes, allocation.origin});
  }
  return live;
}

LaunchOutcome VirtualGpu::launch(std::uint32_t module, std::string_view kernel, const LaunchConfig& config,
                                 std::span<const std::byte> parameters, bool record_touched) {
  const Clock::time_point begin = Clock::now();
  const auto loaded = state_->modules.find(module);
  const KernelInfo* info = loaded == state_->modules.end() ? nullptr : loaded->second.program->find_kernel(kernel);
  if (info == nullptr) return {.status = LaunchStatus::unknown_kernel, .seconds = 0, .output = {}};
  if (!can_launch(state_->options.model, *info, config) || parameters.size() < info->parameter_bytes) {
    return {.status = LaunchStatus::invalid_configuration, .seconds = 0, .output = {}};
  }
  if (const auto refusal = loaded->second.refusals.find(kernel); refusal != loaded->second.refusals.end()) {
    auto& refusals = state_->refusals;
    if (std::ranges::find(refusals, refusal->second) == refusals.end()) refusals.push_back(refusal->second);
    return {.status = LaunchStatus::refused, .seconds = 0, .output = {}};
  }
  LaunchOutcome outcome = state_->launch(module, loaded->second, *info, config, parameters, record_touched);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

void VirtualGpu::interrupt() {
  state_->interrupted.store(true, std::memory_order_relaxed);
}

const std::vector<ptx::Refusal>& VirtualGpu::refusals() const {
  return state_->refusals;
}

std::vector<Finding> VirtualGpu::findings() const {
  return state_->findings;
}

const std::vector<LaunchCounters>& VirtualGpu::launches() const {
  return state_->counted.launches();
}

std::uint64_t VirtualGpu::launch_count() const {
  return state_->counted.launch_count();
}

LineCoverage VirtualGpu::coverage() const {
  return state_->counted.coverage(state_->modules);
}

BranchCoverage VirtualGpu::branches() const {
  return state_->counted.branches();
}

const std::vector<AccessSample>& VirtualGpu::access_samples() const {
  return state_->samples;
}

std::vector<ArrayWriter> VirtualGpu::writers() const {
  return state_->writers.writers();
}

std::vector<ArrayWriter> VirtualGpu::writers_at(DeviceAddress address) const {
  return state_->writers.writers_at(address);
}

std::uint64_t VirtualGpu::written_bytes(DeviceAddress address, std::uint64_t bytes) const {
  const std::optional<Allocation> allocation = state_->memory.find(address);
  if (!allocation || !allocation->holds(address, bytes)) return 0;
  const InitBits bits = state_->memory.initialized();
  const std::uint64_t begin = address - kGlobalBase, end = begin + bytes;
  std::uint64_t written = 0;
  for (std::uint64_t word = begin / 64; word * 64 < end; ++word) {
    const std::uint64_t first = std::max(begin, word * 64) % 64, past = std::min(end, (word + 1) * 64) - word * 64;
    const std::uint64_t mask = ~0ull >> (64 - (past - first)) << first;
    written += static_cast<std::uint64_t>(std::popcount(bits.word(word) & mask));
  }
  return written;
}

BarrierUsage VirtualGpu::barrier_usage() const {
  return state_->usage;
}

}  // namespace cudalabs::vgpu
