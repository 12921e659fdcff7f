// What the device offers of the C library: printf, assert, malloc and free.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "vgpu/exec/access.h"
#include "vgpu/exec/builtins/builtins.h"
#include "vgpu/exec/builtins/format.h"
#include "vgpu/exec/builtins/heap.h"
#include "vgpu/exec/builtins/tables.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/read_memory.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

using ptx::Type;

/// More text than this from one block is dropped, as a device's buffer would drop it.
constexpr std::size_t kMostOutput = 256 << 10;

template <class T>
T& lane_of(std::byte* registers, std::uint32_t offset, std::uint32_t lane) {
  return reinterpret_cast<T*>(registers + offset)[lane];
}

ReadBytes reader(Warp* warp, std::uint32_t lane) {
  return [warp, lane](std::uint64_t address, void* to, std::size_t bytes) {
    return read_memory(warp, lane, address, to, bytes);
  };
}

void write_out(Warp* warp, const std::string& text) {
  std::string& output = warp->block->output;
  if (output.size() < kMostOutput) output.append(text, 0, kMostOutput - output.size());
}

// d = vprintf(a: format, b: arguments)
const MicroOp* print(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    std::string text;
    const std::int32_t count = format_text(text, lane_of<std::uint64_t>(registers, op->a, lane),
                                           lane_of<std::uint64_t>(registers, op->b, lane), reader(warp, lane));
    write_out(warp, text);
    lane_of<std::int32_t>(registers, op->d, lane) = count;
  }
  return next(op, registers, warp, mask);
}

std::string text_at(Warp* warp, std::uint32_t lane, std::uint64_t address) {
  std::string text;
  for (char c = 0; text.size() < 4096; text += c) {
    if (!read_memory(warp, lane, address + text.size(), &c, 1)) return "(unreadable)";
    if (c == 0) break;
  }
  return text;
}

// __assertfail(a: expression, b: file, c: line, immediate: function, character size), in the words CUDA uses.
const MicroOp* assert_failed(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    const auto text = [&](std::uint32_t offset) {
      return text_at(warp, lane, lane_of<std::uint64_t>(registers, offset, lane));
    };
    const std::string expression = text(op->a), file = text(op->b);
    const auto line = lane_of<std::uint32_t>(registers, op->c, lane);
    std::optional<FailedAssertion>& first = warp->block->assertion;
    if (!first) first = {warp->index * kWarpSize + lane, expression, file, line};
    const Index3& block = warp->block->index;
    const auto& thread = warp->thread_index;
    write_out(warp, fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file, line,
                                text(static_cast<std::uint32_t>(op->immediate)), block[0], block[1], block[2],
                                thread[0][lane], thread[1][lane], thread[2][lane], expression));
  }
  return next(op, registers, warp, mask);
}

/// A device's heap keeps a header with every allocation, of no bytes too: their number is bounded.
constexpr std::uint64_t heap_cost(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 64;
  return std::max(bytes, kLeast);
}

// d = malloc(a)
const MicroOp* allocate(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    const std::uint64_t bytes = lane_of<std::uint64_t>(registers, op->a, lane);
    GlobalMemory& memory = *warp->worker->memory;
    // The device's heap is small (8 MB unless asked for more); a kernel that allocates without end must not take the
    // machine.
    const std::uint64_t cost = heap_cost(bytes);
    const bool fits = warp->worker->launch->heap_bytes >= cost;
    std::uint64_t address = fits ? memory.allocate(bytes, op->instruction, AllocationKind::device_heap) : 0;
    if (address != 0) warp->worker->launch->heap_bytes -= cost;
    lane_of<std::uint64_t>(registers, op->d, lane) = address;
  }
  return next(op, registers, warp, mask);
}

// free(a)
const MicroOp* free_memory(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  for (const std::uint32_t lane : each_lane(mask)) {
    free_on_heap(warp, lane, lane_of<std::uint64_t>(registers, op->a, lane), op->instruction);
  }
  return next(op, registers, warp, mask);
}

Builtin make(Type result, std::vector<Type> arguments, Handler handler) {
  Builtin builtin;
  builtin.result = result;
  builtin.arguments = std::move(arguments);
  builtin.handler = handler;
  return builtin;
}

}  // namespace

void free_on_heap(Warp* warp, std::uint32_t lane, std::uint64_t address, std::uint32_t instruction) {
  if (address == 0) return;
  GlobalMemory& memory = *warp->worker->memory;
  const std::optional<Allocation> found = memory.find(address);
  if (memory.free(address, instruction, AllocationKind::device_heap)) {
    warp->worker->launch->heap_bytes += heap_cost(found->bytes);
    return;
  }
  std::uint64_t told[kWarpSize] = {};
  told[lane] = address;
  const Violation violation{.kind = found ? ViolationKind::global_out_of_bounds : ViolationKind::use_after_free,
                            .access = AccessKind::store,
                            .space = MemorySpace::global,
                            .warp = warp->index,
                            .instruction = instruction,
                            .bytes = 1,
                            .lanes = 1u << lane,
                            .address = told};
  for (const auto& observer : warp->block->observers) observer->violation(violation);
  record_error(warp->block, LaunchError::illegal_address);
}

const Builtin* find_system_function(std::string_view name) {
  static const Builtin kPrint = make(Type::b32, {Type::u64, Type::u64}, &print);
  static const Builtin kAssert = [] {
    Builtin builtin = make(Type::none, {Type::u64, Type::u64, Type::u32, Type::u64, Type::u64}, &assert_failed);
    builtin.ends_launch = true;
    return builtin;
  }();
  static const Builtin kAllocate = [] {
    Builtin builtin = make(Type::u64, {Type::u64}, &allocate);
    builtin.allocates = true;
    return builtin;
  }();
  static const Builtin kRelease = [] {
    Builtin builtin = make(Type::none, {Type::u64}, &free_memory);
    builtin.allocates = true;
    return builtin;
  }();
  if (name == "vprintf") return &kPrint;
  if (name == "__assertfail") return &kAssert;
  if (name == "malloc") return &kAllocate;
  if (name == "free") return &kRelease;
  return nullptr;
}

}  // namespace cudalabs::vgpu::exec
