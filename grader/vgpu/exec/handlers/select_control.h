// The handlers that move lanes about, talk to the scheduler, or exchange values between lanes.
#pragma once

#include "vgpu/exec/decode/ir.h"
#include "vgpu/exec/micro_op.h"
#include "vgpu/ptx/opcode.h"

namespace cudalabs::vgpu::exec {

/// jump, branch_table, call, ret, exit, trap, nanosleep, barriers, the start and end of guarded operations.
struct ControlHandlers {
  Handler jump, branch_table, call, ret, exit, trap, nanosleep, barrier, guard_begin, guard_end;
};
ControlHandlers control_handlers();

/// Shuffles, votes, matches, reductions and barriers of a warp: the handler and what the lanes do together.
struct WarpHandler {
  Handler run = nullptr;
  TogetherHandler together = nullptr;
};
WarpHandler select_warp_operation(const ir::Operation& operation);
/// Instructions on matrices; `extra` is their number among those of the kernel.
WarpHandler matrix_handler();
/// Whether memory is ordered among the lanes that have met in the operation.
bool orders_memory(const MicroOp& op);
/// What lanes come to that execute the operation.
MeetingKind meeting_kind(const ir::Operation& operation);
/// What lanes that wait in the operation, one with a member mask, have come to.
MeetingKind meeting_kind(const MicroOp& op);

// Special registers, parameters, arrays passed by value and the rest. Null: there is none.

Handler select_special(std::uint32_t special);
/// Operation: rows d, b, c, a for the `extra` elements, `immediate` the offset in the parameter buffer.
Handler select_parameter(ir::Type type, std::uint32_t register_bytes);
/// An array passed by value to or from the frame's local memory. Operation: array in row a, `extra` words, `immediate`
/// the offset in the frame.
Handler select_frame_copy(bool to_frame);
/// Operation: array in row a, offset in the low half of `immediate`; elements in rows d, b, c and the high half of
/// `immediate` (loads) or b, c, d and that (stores).
Handler select_blob(ir::Type type, std::uint32_t register_bytes, bool storing);
/// Operation: address row a plus immediate, operands b and c, result d when `extra` is set; MemoryDescriptor in `data`.
Handler select_atomic(ir::Type type, AtomicOperation operation);
/// Operation: address row a plus immediate, state or parity row b, result d, `extra` set for a parity; MemoryDescriptor
/// in `data`.
Handler barrier_look_handler();
/// async_copy: rows a (to), b (from), c (source bytes), `extra` bytes, MemoryDescriptor of the load in `data`, the
/// store's is the next one. async_wait: `extra` groups may be pending.
Handler select_async(ir::Opcode opcode);
/// bulk_copy: BulkOperation in `data`. bulk_wait: `extra` groups may be pending, `immediate` 1: that have read.
Handler select_bulk(ir::Opcode opcode);
/// pack: pieces in rows a, b, c and extra, result d; unpack: the whole in row a, pieces d, b, c and extra. `immediate`
/// of them, the lowest first.
Handler select_pack(const ir::Operation& operation);
/// alloca, stacksave and stackrestore, by PTX's opcode. Operation: bytes or the end in row a, the alignment in `extra`,
/// result d.
Handler select_stack(ptx::Opcode opcode);
/// check_set, isspacep, active_mask, fence, leave_barriers, leave_shuffles.
Handler select_other(const ir::Operation& operation);

}  // namespace cudalabs::vgpu::exec
