// The virtual GPU as its clients see it: modules, memory, and what was seen in all launches so far.
#include "vgpu/virtual_gpu.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <utility>

#include "vgpu/launch_limits.h"
#include "vgpu/virtual_gpu_state.h"

namespace cudalabs::vgpu {

VirtualGpu::VirtualGpu(VirtualGpuOptions options) : state_(std::make_unique<State>(std::move(options))) {}
VirtualGpu::~VirtualGpu() = default;

std::uint32_t VirtualGpu::load_module(std::span<const std::string> texts) {
  const VirtualGpuOptions& options = state_->options;
  const bool is_given = options.first_module && state_->next_module == 1;
  const auto load = [&](const ptx::TypedModule& module) {
    return vgpu::load_module(module, texts, state_->memory, options.check_races, options.sampled_blocks != 0);
  };
  LoadedModule loaded = is_given ? load(*options.first_module) : load(parse_module(texts));
  if (options.sampled_blocks == 0) state_->kept.watch(*loaded.program, state_->memory);
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
    description.required_cluster = kernel.required_cluster;
    description.explicit_cluster = kernel.explicit_cluster;
    description.most_cluster_blocks = kernel.most_cluster_blocks;
    described.push_back(std::move(description));
  }
  return described;
}

std::vector<VariableDescription> VirtualGpu::variables(std::uint32_t module) const {
  std::vector<VariableDescription> described;
  const auto found = state_->modules.find(module);
  if (found == state_->modules.end()) return described;
  for (const GlobalVariable& variable : found->second.program->variables()) {
    described.push_back({variable.name, variable.address, variable.size, variable.constant, variable.managed});
  }
  return described;
}

DeviceAddress VirtualGpu::allocate(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment) {
  return state_->memory.allocate(bytes, origin, AllocationKind::heap, {}, alignment);
}

DeviceAddress VirtualGpu::allocate_again(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin) {
  return state_->memory.allocate_again(address, bytes, origin);
}

DeviceAddress VirtualGpu::allocate_host(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment,
                                        std::uint64_t host) {
  return state_->memory.allocate_host(bytes, origin, alignment, host);
}

DeviceAddress VirtualGpu::reserve_range(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment) {
  return state_->memory.reserve(bytes, origin, alignment);
}

void VirtualGpu::divide_range(DeviceAddress address, std::uint64_t bytes, std::span<const RangePart> parts) {
  state_->memory.divide(address, bytes, parts);
}

void VirtualGpu::free_range(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin) {
  state_->memory.free_range(address, bytes, origin);
}

bool VirtualGpu::take_memory(std::uint64_t bytes) {
  return state_->memory.take(bytes);
}

void VirtualGpu::give_memory(std::uint64_t bytes) {
  state_->memory.give(bytes);
}

void VirtualGpu::map_range(DeviceAddress address, std::uint64_t bytes, const SavedPages& pages) {
  state_->memory.make_fresh(address, bytes);
  state_->memory.restore(address, pages);
}

SavedPages VirtualGpu::unmap_range(DeviceAddress address, std::uint64_t bytes) {
  SavedPages pages = state_->memory.save(address, bytes);
  state_->memory.make_fresh(address, bytes);
  state_->writers.forget({address, address + bytes});
  state_->late_writers.forget(address, bytes);
  if (state_->shadow) state_->shadow->release(address, bytes);
  return pages;
}

bool VirtualGpu::free_host(DeviceAddress address, std::uint64_t origin) {
  const std::optional<Allocation> allocation = state_->memory.find(address);
  if (!state_->memory.free(address, origin, AllocationKind::host)) return false;
  if (state_->shadow && allocation) state_->shadow->release(address, allocation->bytes);
  return true;
}

bool VirtualGpu::free(DeviceAddress address, std::uint64_t origin) {
  const std::optional<Allocation> allocation = state_->memory.find(address);
  if (!state_->memory.free(address, origin)) return false;
  std::erase_if(state_->inputs,
                [&](const InputArray& input) { return allocation && allocation->holds(input.address); });
  std::erase_if(state_->outputs,
                [&](const InputArray& output) { return allocation && allocation->holds(output.address); });
  if (state_->shadow && allocation) state_->shadow->release(address, allocation->bytes);
  if (allocation) state_->late_writers.forget(address, allocation->bytes);
  return true;
}

bool VirtualGpu::copy_in(DeviceAddress to, std::span<const std::byte> from) {
  state_->writers.forget({to, to + from.size()});
  return state_->memory.copy_in(to, from);
}

bool VirtualGpu::copy_out(std::span<std::byte> to, DeviceAddress from) {
  return state_->memory.copy_out(to, from);
}

bool VirtualGpu::copy_out_marked(std::span<std::byte> to, DeviceAddress from) {
  return state_->knows_what_is_written() ? state_->memory.copy_out_marked(to, from) : copy_out(to, from);
}

bool VirtualGpu::copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  state_->writers.forget({to, to + bytes});
  return state_->memory.copy(to, from, bytes);
}

bool VirtualGpu::fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) {
  state_->writers.forget({to, to + bytes});
  return state_->memory.fill(to, value, bytes);
}

bool VirtualGpu::discard(DeviceAddress at, std::uint64_t bytes) {
  state_->writers.forget({at, at + bytes});
  return state_->memory.discard(at, bytes);
}

void VirtualGpu::declare_input(InputArray input) {
  state_->inputs.push_back(std::move(input));
}

void VirtualGpu::declare_output(InputArray output) {
  state_->outputs.push_back(std::move(output));
}

std::uint64_t VirtualGpu::create_image(const Image& image) {
  const std::uint64_t handle = state_->next_image++;
  state_->images.emplace(handle, image);
  return handle;
}

bool VirtualGpu::destroy_image(std::uint64_t handle) {
  return state_->images.erase(handle) != 0;
}

void VirtualGpu::set_heap_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kMost = 512u << 20;  // every small piece has an entry in tables of ours
  state_->heap_bytes = std::min({bytes, state_->options.model.global_bytes, kMost});
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
  const auto begin = std::chrono::steady_clock::now();
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
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

void VirtualGpu::begin_call(std::uint64_t call) {
  state_->kept.begin_call(call);
}

const std::vector<KeptVariable>& VirtualGpu::kept_variables() const {
  return state_->kept.seen();
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

const std::vector<ThreadWork>& VirtualGpu::thread_work() const {
  return state_->work;
}

const std::vector<ArrayReads>& VirtualGpu::input_reads() const {
  return state_->reads;
}

std::vector<ArrayWriter> VirtualGpu::writers() const {
  return state_->writers.writers();
}

const std::vector<ArrayWriter>& VirtualGpu::idle_stores() const {
  return state_->writers.idle_stores();
}

std::vector<ArrayWriter> VirtualGpu::writers_at(DeviceAddress address) const {
  return state_->writers.writers_at(address);
}

std::optional<LateWriter> VirtualGpu::late_writer(DeviceAddress address, std::uint64_t launch) const {
  return state_->late_writers.of(address, launch);
}

std::vector<StoreExtent> VirtualGpu::store_extents() const {
  return state_->writers.extents();
}

std::vector<StoreExtent> VirtualGpu::store_extents_from(DeviceAddress address) const {
  return state_->writers.extents_from(address);
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

std::optional<std::vector<ByteRange>> VirtualGpu::unwritten(DeviceAddress address, std::uint64_t bytes,
                                                            std::size_t most) const {
  const std::optional<Allocation> allocation = state_->memory.find(address);
  if (!state_->knows_what_is_written() || !allocation || !allocation->holds(address, bytes)) return std::nullopt;
  const InitBits bits = state_->memory.initialized();
  std::vector<ByteRange> ranges;
  const std::uint64_t end = address + bytes;
  for (std::uint64_t at = address; at < end;) {
    const std::uint64_t offset = at - kGlobalBase, in_word = offset % 64;
    const std::uint64_t written = bits.word(offset / 64) >> in_word;
    const bool is_written = (written & 1) != 0;
    const int alike = is_written ? std::countr_one(written) : std::countr_zero(written);
    const std::uint64_t next =
        std::min(end, at + std::min<std::uint64_t>(static_cast<std::uint64_t>(alike), 64 - in_word));
    if (!is_written && !ranges.empty() && ranges.back().end == at) {
      ranges.back().end = next;
    } else if (!is_written) {
      if (ranges.size() == most) return std::nullopt;
      ranges.push_back({at, next});
    }
    at = next;
  }
  return ranges;
}

bool VirtualGpu::known_unwritten(DeviceAddress address, std::uint64_t bytes) const {
  return state_->knows_what_is_written() && written_bytes(address, bytes) == 0;
}

BarrierUsage VirtualGpu::barrier_usage() const {
  return state_->usage;
}

}  // namespace cudalabs::vgpu
