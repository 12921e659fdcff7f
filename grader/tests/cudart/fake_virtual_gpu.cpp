// A VirtualGpu for testing the runtime layer.
#include "fake_virtual_gpu.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <set>
#include <sstream>

#include "vgpu/check/barrier_usage.h"
#include "vgpu/exec/program.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

UnsupportedPtx::UnsupportedPtx(std::uint32_t line, const std::string& message, ptx::Defect defect, ptx::Location place)
    : std::runtime_error(message), line_(line), defect_(defect), place_(place) {}

std::string display_name(const std::string& mangled) {
  return mangled;
}

namespace fake {

std::optional<LateWriter>& late_writer() {
  static std::optional<LateWriter> writer;
  return writer;
}

std::vector<Finding>& kernel_findings() {
  static std::vector<Finding> findings;
  return findings;
}

std::map<std::string, KernelFunction>& kernel_functions() {
  static std::map<std::string, KernelFunction> functions;
  return functions;
}

void Gate::open() {
  {
    const std::scoped_lock lock(mutex_);
    open_ = true;
  }
  opened_.notify_all();
}

void Gate::close() {
  const std::scoped_lock lock(mutex_);
  open_ = false;
}

bool Gate::pass(const std::function<bool()>& interrupted) {
  std::unique_lock lock(mutex_);
  while (!open_) {
    opened_.wait_for(lock, std::chrono::milliseconds(5));
    if (interrupted()) return false;
  }
  return true;
}

}  // namespace fake

namespace {

struct FakeModule {
  std::vector<KernelDescription> kernels;
  std::vector<VariableDescription> variables;
};

/// A number a module may hold; the fuzzer writes modules too.
std::uint32_t parse_number(const std::string& text, std::uint32_t line) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0 || number > 1 << 20)
    throw ptx::ParseError(line, "not a size");
  return number;
}

KernelDescription parse_kernel(std::istringstream& words, std::uint32_t line) {
  KernelDescription kernel;
  words >> kernel.name;
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    const auto number = [&] { return parse_number(value, line); };
    if (key == "registers") kernel.registers = number();
    if (key == "shared") kernel.static_shared_bytes = number();
    if (key == "threads") kernel.max_threads = number();
    if (key == "params") {
      std::istringstream sizes(value);
      std::uint32_t offset = 0;
      for (std::string text; std::getline(sizes, text, ',');) {
        const auto size = parse_number(text, line);
        offset = (offset + std::min(size, 8u) - 1) / std::min(size, 8u) * std::min(size, 8u);
        kernel.parameters.push_back({offset, size});
        offset += size;
      }
    }
  }
  return kernel;
}

}  // namespace

struct VirtualGpu::State {
  VirtualGpuOptions options;
  std::map<std::uint32_t, FakeModule> modules;
  std::uint32_t next_module = 1;
  struct Block {
    std::vector<std::byte> data;
    std::uint64_t origin;
    bool variable;
  };
  std::map<DeviceAddress, Block> memory;
  DeviceAddress next_address = fake::kFirstAddress;
  std::uint64_t used = 0;
  std::atomic<bool> interrupted = false;
  std::vector<LaunchCounters> launches;

  DeviceAddress place(std::uint64_t bytes, std::uint64_t origin, bool variable, std::uint64_t alignment = 256) {
    alignment = std::max<std::uint64_t>(alignment, 256);
    const DeviceAddress address = (next_address + alignment - 1) / alignment * alignment;
    next_address = address + (bytes + alignment - 1) / alignment * alignment + 256;
    memory[address] = {std::vector<std::byte>(bytes), origin, variable};
    return address;
  }
  struct Range {
    std::vector<std::byte> data;
    std::vector<RangePart> parts;
  };
  std::map<DeviceAddress, Range> ranges;
  std::set<std::uint64_t> images;
  std::uint64_t next_image = fake::kFirstImage;

  /// For memory of the host and ranges, which the model does not bound: a fuzzer asks for any number of bytes. Nothing
  /// is given back.
  bool has_room_beside(std::uint64_t bytes) {
    constexpr std::uint64_t kMost = 16 << 20;
    if (bytes > kMost - used_beside) return false;
    used_beside += bytes;
    return true;
  }
  std::uint64_t used_beside = 0;

  std::byte* find_in_range(DeviceAddress address, std::uint64_t bytes) {
    for (auto& [start, range] : ranges) {
      for (const RangePart& part : range.parts) {
        const std::uint64_t offset = address - part.address;
        if (part.state >= RangeState::read_only && offset < part.bytes && bytes <= part.bytes - offset)
          return range.data.data() + (address - start);
      }
    }
    return nullptr;
  }
  std::byte* find(DeviceAddress address, std::uint64_t bytes) {
    if (std::byte* const found = find_in_range(address, bytes)) return found;
    auto after = memory.upper_bound(address);
    if (after == memory.begin()) return nullptr;
    auto& [start, block] = *--after;
    if (address - start > block.data.size() || bytes > block.data.size() - (address - start)) return nullptr;
    return block.data.data() + (address - start);
  }
};

VirtualGpu::VirtualGpu(VirtualGpuOptions options) : state_(std::make_unique<State>()) {
  state_->options = std::move(options);
}
VirtualGpu::~VirtualGpu() = default;

std::uint32_t VirtualGpu::load_module(std::span<const std::string> texts) {
  FakeModule module;
  std::string all;
  for (const std::string& ptx : texts) all += ptx + '\n';
  std::istringstream text(all);
  std::uint32_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (!line.starts_with("//! ")) continue;
    std::istringstream words(line.substr(4));
    std::string what;
    words >> what;
    const std::string rest = words.str().substr(std::min(words.str().size(), what.size() + 1));
    if (what == "kernel") module.kernels.push_back(parse_kernel(words, number));
    if (what == "variable") {
      VariableDescription variable;
      std::string size, constant;
      words >> variable.name >> size >> constant;
      variable.size = parse_number(size, number);
      variable.constant = constant == "constant";
      variable.address = state_->place(variable.size, 0, true);
      module.variables.push_back(variable);
    }
    if (what == "parse-error") throw ptx::ParseError(number, rest);
    if (what == "unsupported") throw UnsupportedPtx(number, rest);
  }
  state_->modules[state_->next_module] = module;
  return state_->next_module++;
}

void VirtualGpu::unload_module(std::uint32_t module) {
  for (const auto& variable : state_->modules.at(module).variables) state_->memory.erase(variable.address);
  state_->modules.erase(module);
}

std::vector<KernelDescription> VirtualGpu::kernels(std::uint32_t module) const {
  return state_->modules.at(module).kernels;
}
std::vector<VariableDescription> VirtualGpu::variables(std::uint32_t module) const {
  return state_->modules.at(module).variables;
}

DeviceAddress VirtualGpu::allocate(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment) {
  if (bytes > free_bytes()) return 0;
  state_->used += bytes;
  return state_->place(bytes, origin, false, alignment);
}

DeviceAddress VirtualGpu::allocate_again(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin) {
  if (bytes > free_bytes() || address >= state_->next_address || state_->find(address, 0) != nullptr) return 0;
  state_->used += bytes;
  state_->memory[address] = {std::vector<std::byte>(bytes), origin, false};
  return address;
}

DeviceAddress VirtualGpu::allocate_host(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment,
                                        std::uint64_t) {
  if (!state_->has_room_beside(bytes)) return 0;
  return state_->place(bytes, origin, false, alignment);
}

bool VirtualGpu::free_host(DeviceAddress address, std::uint64_t) {
  return state_->memory.erase(address) != 0;
}

bool VirtualGpu::free(DeviceAddress address, std::uint64_t) {
  const auto found = state_->memory.find(address);
  if (found == state_->memory.end() || found->second.variable) return false;
  state_->used -= found->second.data.size();
  state_->memory.erase(found);
  return true;
}

bool VirtualGpu::copy_in(DeviceAddress to, std::span<const std::byte> from) {
  std::byte* at = state_->find(to, from.size());
  if (at) std::ranges::copy(from, at);
  return at != nullptr;
}

bool VirtualGpu::copy_out(std::span<std::byte> to, DeviceAddress from) {
  const std::byte* at = state_->find(from, to.size());
  if (at) std::copy_n(at, to.size(), to.data());
  return at != nullptr;
}

/// The fake knows of no byte that it was never written.
bool VirtualGpu::copy_out_marked(std::span<std::byte> to, DeviceAddress from) {
  return copy_out(to, from);
}
bool VirtualGpu::known_unwritten(DeviceAddress, std::uint64_t) const {
  return false;
}

bool VirtualGpu::copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes) {
  std::byte* at = state_->find(to, bytes);
  const std::byte* source = state_->find(from, bytes);
  if (at && source) std::memmove(at, source, bytes);
  return at && source;
}

bool VirtualGpu::fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes) {
  std::byte* at = state_->find(to, bytes);
  if (at) std::memset(at, value, bytes);
  return at != nullptr;
}

bool VirtualGpu::discard(DeviceAddress at, std::uint64_t bytes) {
  return fill(at, 0xff, bytes);
}

DeviceAddress VirtualGpu::reserve_range(std::uint64_t bytes, std::uint64_t, std::uint64_t alignment) {
  if (!state_->has_room_beside(bytes)) return 0;
  const DeviceAddress address = (state_->next_address + alignment - 1) / alignment * alignment;
  state_->next_address = address + bytes + 256;
  state_->ranges[address] = {std::vector<std::byte>(bytes), {}};
  return address;
}

void VirtualGpu::divide_range(DeviceAddress address, std::uint64_t, std::span<const RangePart> parts) {
  state_->ranges.at(address).parts.assign(parts.begin(), parts.end());
}

void VirtualGpu::free_range(DeviceAddress address, std::uint64_t, std::uint64_t) {
  state_->ranges.erase(address);
}

bool VirtualGpu::take_memory(std::uint64_t bytes) {
  if (bytes > free_bytes()) return false;
  state_->used += bytes;
  return true;
}

void VirtualGpu::give_memory(std::uint64_t bytes) {
  state_->used -= bytes;
}

void VirtualGpu::map_range(DeviceAddress address, std::uint64_t, const SavedPages& pages) {
  auto& [start, range] = *std::prev(state_->ranges.upper_bound(address));
  for (const SavedPage& page : pages)
    std::memcpy(range.data.data() + (address - start) + page.offset, page.data.data(), page.data.size());
}

SavedPages VirtualGpu::unmap_range(DeviceAddress address, std::uint64_t bytes) {
  auto& [start, range] = *std::prev(state_->ranges.upper_bound(address));
  SavedPages pages;
  for (std::uint64_t offset = 0; offset < bytes; offset += kPageBytes) {
    SavedPage& page = pages.emplace_back();
    page.offset = offset;
    std::memcpy(page.data.data(), range.data.data() + (address - start) + offset, kPageBytes);
  }
  return pages;
}

void VirtualGpu::declare_input(InputArray) {}  // kernels of the fake are the test's own
void VirtualGpu::declare_output(InputArray) {}

std::uint64_t VirtualGpu::create_image(const Image&) {
  state_->images.insert(state_->next_image);
  return state_->next_image++;
}

void VirtualGpu::set_heap_bytes(std::uint64_t) {}

bool VirtualGpu::destroy_image(std::uint64_t image) {
  return state_->images.erase(image) != 0;
}

std::uint64_t VirtualGpu::free_bytes() const {
  return state_->options.model.global_bytes - state_->used;
}

std::vector<VirtualGpu::LiveAllocation> VirtualGpu::live_allocations() const {
  std::vector<LiveAllocation> live;
  for (const auto& [address, block] : state_->memory)
    if (!block.variable) live.push_back({address, block.data.size(), block.origin});
  return live;
}

LaunchOutcome VirtualGpu::launch(std::uint32_t, std::string_view kernel, const LaunchConfig& config,
                                 std::span<const std::byte> parameters, bool) {
  state_->interrupted = false;
  LaunchCounters counters;
  counters.kernel = kernel;
  counters.config = config;
  counters.values["warp_instructions"] = 1;
  state_->launches.push_back(counters);
  const auto found = fake::kernel_functions().find(std::string(kernel));
  LaunchOutcome outcome{LaunchStatus::ok, 0.001, ""};
  fake::LaunchCall call{*this, config, parameters, [this] { return state_->interrupted.load(); }};
  if (found != fake::kernel_functions().end()) outcome = found->second(call);
  outcome.number = state_->launches.size();
  return outcome;
}

void VirtualGpu::begin_call(std::uint64_t /*call*/) {}

const std::vector<KeptVariable>& VirtualGpu::kept_variables() const {
  static const std::vector<KeptVariable> kNone;
  return kNone;
}

void VirtualGpu::interrupt() {
  state_->interrupted = true;
}

const std::vector<ptx::Refusal>& VirtualGpu::refusals() const {
  static const std::vector<ptx::Refusal> kNone;
  return kNone;
}
std::vector<Finding> VirtualGpu::findings() const {
  return fake::kernel_findings();
}
const std::vector<LaunchCounters>& VirtualGpu::launches() const {
  return state_->launches;
}
std::uint64_t VirtualGpu::launch_count() const {
  return launches().size();
}

LineCoverage VirtualGpu::coverage() const {
  return {{"k.cu", {{3, 7}}}};
}
BranchCoverage VirtualGpu::branches() const {
  return {{{"k.cu", 3, 1}, {{"k.cu", 4, 1}, 5}, {{"k.cu", 6, 1}, 2}}};
}
const std::vector<AccessSample>& VirtualGpu::access_samples() const {
  static const std::vector<AccessSample> kNone;
  return kNone;
}
const std::vector<ThreadWork>& VirtualGpu::thread_work() const {
  static const std::vector<ThreadWork> kNone;
  return kNone;
}

const std::vector<ArrayReads>& VirtualGpu::input_reads() const {
  static const std::vector<ArrayReads> kNone;
  return kNone;
}

std::vector<ArrayWriter> VirtualGpu::writers() const {
  return {};
}
const std::vector<ArrayWriter>& VirtualGpu::idle_stores() const {
  static const std::vector<ArrayWriter> none;
  return none;
}
std::vector<ArrayWriter> VirtualGpu::writers_at(DeviceAddress) const {
  return {{"", "empty", {"k.cu", 3, 1}}};
}
std::optional<LateWriter> VirtualGpu::late_writer(DeviceAddress, std::uint64_t) const {
  return fake::late_writer();
}
std::vector<StoreExtent> VirtualGpu::store_extents() const {
  return {};
}
std::vector<StoreExtent> VirtualGpu::store_extents_from(DeviceAddress) const {
  return {{"", "empty", {"k.cu", 3, 1}, 1, 4, 4, 0, 16}};
}
/// Of everything that lies in memory the first 16 bytes of a block.
std::uint64_t VirtualGpu::written_bytes(DeviceAddress address, std::uint64_t bytes) const {
  const auto after = state_->memory.upper_bound(address);
  if (after == state_->memory.begin()) return 0;
  const DeviceAddress end = std::min(address + bytes, std::prev(after)->first + 16);
  return address < end ? end - address : 0;
}
std::optional<std::vector<ByteRange>> VirtualGpu::unwritten(DeviceAddress address, std::uint64_t bytes,
                                                            std::size_t) const {
  const std::uint64_t written = written_bytes(address, bytes);
  if (written == bytes) return std::vector<ByteRange>{};
  return std::vector<ByteRange>{{address + written, address + bytes}};
}
BarrierUsage VirtualGpu::barrier_usage() const {
  return {{{"empty", {"k.cu", 3, 1}, 5}}, {{0}}};
}

}  // namespace cudalabs::vgpu
