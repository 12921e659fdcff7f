// The CUDA runtime in device code (CUDA Programming Guide: "CUDA Dynamic Parallelism"). What a kernel launches, copies
// or fills is done when its grid has ended; until then it is only noted.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "vgpu/exec/builtins/builtins.h"
#include "vgpu/exec/builtins/heap.h"
#include "vgpu/exec/builtins/tables.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/program.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

using ptx::Type;

// Values of cudaError_t and of streams that device code has by name.
constexpr std::int32_t kSuccess = 0, kInvalidValue = 1, kInvalidConfiguration = 9, kTooDeep = 65, kTooManyPending = 69;
constexpr std::uint64_t kTailLaunch = 3;

template <class T>
T& lane_of(std::byte* registers, std::uint64_t offset, std::uint32_t lane) {
  return reinterpret_cast<T*>(registers + offset)[lane];
}

std::uint32_t thread_of(const Warp* warp, std::uint32_t lane) {
  return warp->index * kWarpSize + lane;
}

/// What a grid notes lies in the heap of its launch, however many blocks it has.
bool takes_from_heap(Warp* warp, std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 64;
  std::uint64_t& left = warp->worker->launch->heap_bytes;
  if (left < std::max(bytes, kLeast)) return false;
  left -= std::max(bytes, kLeast);
  return true;
}

std::int32_t note(Warp* warp, std::uint32_t lane, std::uint32_t instruction, DeviceLaunch launch) {
  if (warp->block->launches.size() >= kMostDeviceLaunches) return kTooManyPending;
  launch.instruction = instruction;
  launch.by_block = warp->block->number;
  launch.by_thread = thread_of(warp, lane);
  warp->block->launches.push_back(launch);
  return kSuccess;
}

// A result may have the row of an operand: operands are read first.

/// A buffer for the parameters of the kernel at an address of code; 0: none.
std::uint64_t new_buffer(Warp* warp, std::uint32_t instruction, std::uint64_t code, std::uint32_t dynamic_bytes) {
  const KernelInfo* kernel = warp->worker->launch->program->kernel_at(code);
  if (kernel == nullptr || warp->block->prepared.size() >= kMostDeviceLaunches ||
      !takes_from_heap(warp, kernel->parameter_bytes)) {
    return 0;
  }
  constexpr std::uint32_t kLeast = 16;
  const std::uint64_t buffer = warp->worker->memory->allocate(std::max(kernel->parameter_bytes, kLeast), instruction,
                                                              AllocationKind::device_heap);
  if (buffer == 0) return 0;
  DeviceLaunch& launch = warp->block->prepared[buffer];
  launch = {};
  launch.function = kernel->function;
  launch.parameters = buffer;
  launch.dynamic_shared_bytes = dynamic_bytes;
  return buffer;
}

// d = the buffer for the parameters of the kernel at a, with b bytes of dynamic shared memory
const MicroOp* prepare(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    const std::uint64_t buffer = new_buffer(warp, op->instruction, lane_of<std::uint64_t>(registers, op->a, lane),
                                            lane_of<std::uint32_t>(registers, op->b, lane));
    lane_of<std::uint64_t>(registers, op->d, lane) = buffer;
  }
  return next(op, registers, warp, mask);
}

// d = 0: the launch whose buffer is at a gets the extents b, c and that in the immediate's row.
template <bool kGrid>
const MicroOp* set_extents(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    const std::array<std::uint32_t, 3> extents{lane_of<std::uint32_t>(registers, op->b, lane),
                                               lane_of<std::uint32_t>(registers, op->c, lane),
                                               lane_of<std::uint32_t>(registers, op->immediate, lane)};
    const auto found = warp->block->prepared.find(lane_of<std::uint64_t>(registers, op->a, lane));
    if (found != warp->block->prepared.end()) (kGrid ? found->second.grid : found->second.block) = extents;
    lane_of<std::int32_t>(registers, op->d, lane) = 0;
  }
  return next(op, registers, warp, mask);
}

std::int32_t issue(Warp* warp, std::uint32_t lane, std::uint32_t instruction, std::uint64_t buffer,
                   std::uint64_t stream) {
  if (warp->worker->launch->depth >= kDeepestLaunch) return kTooDeep;
  const auto found = warp->block->prepared.find(buffer);
  if (found == warp->block->prepared.end()) return kInvalidValue;
  DeviceLaunch launch = found->second;
  warp->block->prepared.erase(found);
  launch.tail = stream == kTailLaunch;
  LaunchConfig config;
  config.grid = launch.grid;
  config.block = launch.block;
  config.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  const auto& can_launch = warp->worker->launch->can_launch;
  launch.refused = can_launch && !can_launch(*warp->worker->launch->program->kernel_of(launch.function), config);
  const std::int32_t error = note(warp, lane, instruction, launch);
  return launch.refused && error == kSuccess ? kInvalidConfiguration : error;
}

// d = launch(a: buffer, b: stream)
const MicroOp* launch_device(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    const std::int32_t error = issue(warp, lane, op->instruction, lane_of<std::uint64_t>(registers, op->a, lane),
                                     lane_of<std::uint64_t>(registers, op->b, lane));
    if (error != kSuccess) warp->block->runtime_errors[thread_of(warp, lane)] = error;
    lane_of<std::int32_t>(registers, op->d, lane) = error;
  }
  return next(op, registers, warp, mask);
}

// d = memcpy(a: to, b: from, c: bytes), or memset(a: to, b: value, c: bytes); kind and stream change nothing.
template <DeviceWork kWork>
const MicroOp* copy_or_fill(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    DeviceLaunch work;
    work.work = kWork;
    work.to = lane_of<std::uint64_t>(registers, op->a, lane);
    work.from = kWork == DeviceWork::copy ? lane_of<std::uint64_t>(registers, op->b, lane)
                                          : lane_of<std::uint32_t>(registers, op->b, lane);
    work.bytes = lane_of<std::uint64_t>(registers, op->c, lane);
    const bool fits = takes_from_heap(warp, 0);
    lane_of<std::int32_t>(registers, op->d, lane) =
        fits ? note(warp, lane, op->instruction, work) : std::int32_t{kTooManyPending};
  }
  return next(op, registers, warp, mask);
}

// d = free(a)
const MicroOp* release(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    free_on_heap(warp, lane, lane_of<std::uint64_t>(registers, op->a, lane), op->instruction);
    lane_of<std::int32_t>(registers, op->d, lane) = kSuccess;
  }
  return next(op, registers, warp, mask);
}

// d = the thread's last error
template <bool kForget>
const MicroOp* last_error(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    const auto found = warp->block->runtime_errors.find(thread_of(warp, lane));
    const bool none = found == warp->block->runtime_errors.end();
    lane_of<std::int32_t>(registers, op->d, lane) = none ? kSuccess : found->second;
    if (kForget && !none) warp->block->runtime_errors.erase(found);
  }
  return next(op, registers, warp, mask);
}

// d = kValue, whatever the arguments
template <class T, T kValue>
const MicroOp* constant(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) lane_of<T>(registers, op->d, lane) = kValue;
  return next(op, registers, warp, mask);
}
constexpr Handler kOk = &constant<std::int32_t, kSuccess>;

Builtin make(std::vector<Type> arguments, Handler handler) {
  Builtin builtin;
  builtin.result = Type::b32;  // cudaError_t
  builtin.arguments = std::move(arguments);
  builtin.handler = handler;
  builtin.allocates = true;  // the order of calls is the order of the work
  return builtin;
}

/// A call whose first argument is where its result goes.
Builtin make_storing(std::vector<Type> arguments, Type type, Handler value) {
  Builtin builtin = make(std::move(arguments), kOk);
  builtin.stores.push_back({0, type, value});
  return builtin;
}

BuiltinTable make_table() {
  BuiltinTable table;
  const auto add = [&table](const std::string& name, const Builtin& builtin) {
    table.emplace("__cudaCDP2" + name, builtin);
    table.emplace("__cudaCDP2" + name + "_ptsz", builtin);
  };
  // A stream or an event is a handle that is not null and no stream with a meaning of its own: all work has an order.
  constexpr Handler kHandle = &constant<std::uint64_t, 0x10>;
  Builtin parameters = make({Type::u64, Type::u32}, &prepare);
  parameters.result = Type::u64;
  parameters.extents = {&set_extents<true>, &set_extents<false>};
  add("GetParameterBufferV2", parameters);
  add("LaunchDeviceV2", make({Type::u64, Type::u64}, &launch_device));
  add("MemcpyAsync", make({Type::u64, Type::u64, Type::u64, Type::u32, Type::u64}, &copy_or_fill<DeviceWork::copy>));
  add("MemsetAsync", make({Type::u64, Type::u32, Type::u64, Type::u64}, &copy_or_fill<DeviceWork::fill>));
  add("GetLastError", make({}, &last_error<true>));
  add("PeekAtLastError", make({}, &last_error<false>));
  add("StreamCreateWithFlags", make_storing({Type::u64, Type::u32}, Type::u64, kHandle));
  add("StreamDestroy", make({Type::u64}, kOk));
  add("StreamWaitEvent", make({Type::u64, Type::u64, Type::u32}, kOk));
  add("EventCreateWithFlags", make_storing({Type::u64, Type::u32}, Type::u64, kHandle));
  add("EventRecord", make({Type::u64, Type::u64}, kOk));
  add("EventDestroy", make({Type::u64}, kOk));
  add("GetDevice", make_storing({Type::u64}, Type::s32, &constant<std::int32_t, 0>));
  add("GetDeviceCount", make_storing({Type::u64}, Type::s32, &constant<std::int32_t, 1>));
  add("Malloc", make_storing({Type::u64, Type::u64}, Type::u64, find_system_function("malloc")->handler));
  add("Free", make({Type::u64}, &release));
  return table;
}

}  // namespace

const BuiltinTable& device_runtime() {
  static const BuiltinTable kTable = make_table();
  return kTable;
}

}  // namespace cudalabs::vgpu::exec
