// Local memory that a thread takes while it runs (PTX ISA: "Stack Manipulation Instructions"). It lies behind the local
// variables of the running function, and is gone when that returns.
#include <algorithm>
#include <cstring>
#include <memory>

#include "vgpu/exec/block.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/frames.h"
#include "vgpu/exec/handlers/chain.h"
#include "vgpu/exec/handlers/select_control.h"
#include "vgpu/exec/handlers/set_lanes.h"
#include "vgpu/exec/lane_words.h"
#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

namespace {

/// Where the stack of each lane begins.
std::uint64_t stack_begin(const Frame& frame) {
  return std::uint64_t{frame.local_base} + frame.code->local_bytes;
}
std::uint64_t stack_end(const Frame& frame, std::uint32_t lane) {
  return stack_begin(frame) + (frame.stack != nullptr ? frame.stack->bytes[lane] : 0);
}

void set_stack_end(Frame& frame, std::uint32_t lane, std::uint64_t end) {
  if (frame.stack == nullptr) frame.stack = std::make_unique<LocalStack>();
  frame.stack->bytes[lane] = static_cast<std::uint32_t>(end - stack_begin(frame));
  frame.stack->most = *std::ranges::max_element(frame.stack->bytes);
}

const MicroOp* take_local(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  Frame& frame = *warp->frame;
  const auto* sizes = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  LaneMask too_large = 0;
  std::uint64_t begin[kWarpSize] = {}, end[kWarpSize] = {};
  for (const std::uint32_t lane : each_lane(mask)) {
    begin[lane] = (stack_end(frame, lane) + op->extra - 1) / op->extra * op->extra;
    if (sizes[lane] > kMaxLocalBytes || begin[lane] + sizes[lane] > kMaxLocalBytes) too_large |= 1u << lane;
    end[lane] = begin[lane] + sizes[lane];
  }
  if (too_large != 0) return stack_overflow(warp, op->instruction, too_large);
  for (const std::uint32_t lane : each_lane(mask)) {
    reserve_local(warp, static_cast<std::uint32_t>(end[lane] + 3) / 4 * 4);
    set_stack_end(frame, lane, end[lane]);
    // What nobody has written shows.
    for (std::uint64_t at = begin[lane]; at < end[lane]; ++at)
      *lane_byte(warp->local.get(), at, lane) = std::byte{0xFF};
  }
  set_lanes<std::uint64_t>(registers, op->d, mask, [&](std::uint32_t lane) { return begin[lane]; });
  return next(op, registers, warp, mask);
}

const MicroOp* save_stack(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  set_lanes<std::uint64_t>(registers, op->d, mask, [&](std::uint32_t lane) { return stack_end(*warp->frame, lane); });
  return next(op, registers, warp, mask);
}

/// Back to an end that was saved in this function: any other would give local memory that nobody has taken.
const MicroOp* restore_stack(const MicroOp* op, std::byte* registers, Warp* warp, LaneMask mask) {
  Frame& frame = *warp->frame;
  const auto* ends = reinterpret_cast<const std::uint64_t*>(registers + op->a);
  LaneMask wrong = 0;
  for (const std::uint32_t lane : each_lane(mask)) {
    if (ends[lane] < stack_begin(frame) || ends[lane] > stack_end(frame, lane)) wrong |= 1u << lane;
  }
  if (wrong != 0) return stack_overflow(warp, op->instruction, wrong);
  for (const std::uint32_t lane : each_lane(mask)) set_stack_end(frame, lane, ends[lane]);
  return next(op, registers, warp, mask);
}

}  // namespace

Handler select_stack(ptx::Opcode opcode) {
  return opcode == ptx::Opcode::alloca ? &take_local : opcode == ptx::Opcode::stacksave ? &save_stack : &restore_stack;
}

}  // namespace cudalabs::vgpu::exec
