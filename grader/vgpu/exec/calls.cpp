// Rows travel between frames for the lanes that call or return, and frames come from the stock of the worker.
#include "vgpu/exec/calls.h"

#include <algorithm>
#include <cstring>

#include "vgpu/exec/block.h"
#include "vgpu/exec/each_lane.h"
#include "vgpu/exec/frames.h"
#include "vgpu/exec/scheduler.h"

namespace cudalabs::vgpu::exec {

namespace {

void copy_rows(std::byte* to, const ParameterSlot& target, const std::byte* from, const ParameterSlot& source,
               LaneMask mask) {
  if (target.predicate) {
    LaneMask have = 0, give = 0;
    std::memcpy(&have, to + target.offset, sizeof have);
    std::memcpy(&give, from + source.offset, sizeof give);
    have = (have & ~mask) | (give & mask);
    std::memcpy(to + target.offset, &have, sizeof have);
    return;
  }
  if (mask == kAllLanes) {
    std::memcpy(to + target.offset, from + source.offset, target.row_bytes);
    return;
  }
  const std::uint32_t lane_width = target.array ? 4 : target.row_bytes / kWarpSize;
  for (std::uint32_t row = 0; row < target.row_bytes; row += lane_width * kWarpSize) {
    for (const std::uint32_t lane : each_lane(mask)) {
      const std::uint32_t at = row + lane * lane_width;
      std::memcpy(to + target.offset + at, from + source.offset + at, lane_width);
    }
  }
}

// Whether a function reached through a pointer takes and gives what the call expects.
bool fits(const CallSite& site, const FunctionCode& callee) {
  const auto same = [](const ParameterSlot& a, const ParameterSlot& b) {
    return a.row_bytes == b.row_bytes && a.array == b.array && a.predicate == b.predicate;
  };
  return std::equal(site.arguments.begin(), site.arguments.end(), callee.parameters.begin(), callee.parameters.end(),
                    same) &&
         std::equal(site.results.begin(), site.results.end(), callee.results.begin(), callee.results.end(), same);
}

// The activation that other lanes have entered by the same call and not all left, if there is one. Lanes that come to a
// call at different times, since some had to let others go first, must share it to meet in its shuffles; registers are
// a lane's own, so that lanes of different trips of a loop can share it, too.
Frame* entered_before(Warp* warp, const CallSite* site, const FunctionCode* callee, const Segment* resume,
                      std::uint32_t local_base) {
  for (const Split& split : warp->splits) {
    for (Frame* frame = split.frame; frame != nullptr && frame->caller != nullptr; frame = frame->caller) {
      const bool same_call = frame->caller == warp->frame && frame->site == site && frame->resume == resume;
      // Not where it lies in what a lane has allocated since.
      if (same_call && frame->code == callee && frame->local_base >= local_base) return frame;
    }
  }
  return nullptr;
}

}  // namespace

const MicroOp* call(Warp* warp, const CallSite* site, const FunctionCode* callee, const Segment* resume,
                    LaneMask mask) {
  Frame* caller = warp->frame;
  const std::uint32_t local_base = (caller->local_end() + 15) / 16 * 16;
  if (caller->depth + 1 >= kMaxDepth || local_base + callee->local_bytes > kMaxLocalBytes) {
    return stack_overflow(warp, site->instruction, mask);
  }
  Frame* frame = entered_before(warp, site, callee, resume, local_base);
  if (frame == nullptr) {
    frame = take_frame(warp->worker, callee);
    frame->caller = caller;
    frame->site = site;
    frame->resume = resume;
    frame->inside = 0;
    frame->depth = caller->depth + 1;
    frame->local_base = local_base;
    reserve_local(warp, local_base + callee->local_bytes);
  }
  frame->inside |= mask;
  if (frame->stack != nullptr) give_back_local(*frame, mask);
  for (std::size_t i = 0; i < callee->parameters.size(); ++i) {
    copy_rows(frame->registers(), callee->parameters[i], caller->registers(), site->arguments[i], mask);
  }
  warp->frame = frame;
  warp->depth_key = depth_key(frame->depth);
  return go_on(warp, &callee->segments[0], mask);
}

const MicroOp* call_through_pointer(Warp* warp, const MicroOp* op, std::uint64_t address, LaneMask mask,
                                    LaneMask others) {
  const auto* site = static_cast<const CallSite*>(op->data);
  const KernelCode* code = warp->worker->launch->code;
  const auto found = code->by_address.find(address);
  if (found == code->by_address.end() || !fits(*site, *found->second)) {
    return fail(warp, op->instruction, mask, LaunchError::illegal_instruction);
  }
  // The others make the call from a segment that holds nothing else.
  if (others != 0) put_ready(warp, others, site->again, warp->frame);
  return call(warp, site, found->second, op->target, mask);
}

const MicroOp* return_from_call(Warp* warp, LaneMask mask) {
  Frame* frame = warp->frame;
  Frame* caller = frame->caller;
  const Segment* resume = frame->resume;
  const CallSite* site = frame->site;
  for (std::size_t i = 0; i < site->results.size(); ++i) {
    copy_rows(caller->registers(), site->results[i], frame->registers(), frame->code->results[i], mask);
  }
  leave_frame(warp->worker, frame, mask);
  warp->frame = caller;
  warp->depth_key = depth_key(caller->depth);
  return go_on(warp, resume, mask);
}

}  // namespace cudalabs::vgpu::exec
