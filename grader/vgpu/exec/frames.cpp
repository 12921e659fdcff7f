// A frame is filled once with constants, and each time it is taken with what unset registers hold.
#include "vgpu/exec/frames.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "vgpu/exec/each_lane.h"

namespace cudalabs::vgpu::exec {

std::optional<std::uint32_t> call_in_kernel(const Frame& frame) {
  if (frame.caller == nullptr) return std::nullopt;
  const Frame* called = &frame;
  while (called->caller->caller != nullptr) called = called->caller;
  return called->site->instruction;
}

void give_back_local(Frame& frame, LaneMask lanes) {
  for (const std::uint32_t lane : each_lane(lanes)) frame.stack->bytes[lane] = 0;
  frame.stack->most = *std::ranges::max_element(frame.stack->bytes);
}

void spoil_unset(Frame* frame) {
  for (const UnsetRow& row : frame->code->unset) {
    std::byte* at = frame->registers() + row.offset;
    if (row.bytes == 0) std::memset(at, 0, sizeof(LaneMask));
    for (std::uint32_t i = 0; i < row.bytes; i += sizeof kUnsetBits)
      std::memcpy(at + i, &kUnsetBits, sizeof kUnsetBits);
  }
}

Frame* take_frame(Worker* worker, const FunctionCode* code) {
  std::vector<Frame*>& spare = worker->spare_frames[code->index];
  Frame* frame = nullptr;
  if (!spare.empty()) {
    frame = spare.back();
    spare.pop_back();
  } else {
    worker->frames.push_back(std::make_unique<Frame>());
    frame = worker->frames.back().get();
    frame->code = code;
    frame->memory = aligned_bytes(std::max(code->frame_bytes, 64u));
    for (const ConstantRow& row : code->constants) {
      std::byte* at = frame->registers() + row.offset;
      if (row.bytes == 0) {
        const LaneMask mask = row.value != 0 ? kAllLanes : 0;
        std::memcpy(at, &mask, sizeof mask);
        continue;
      }
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) std::memcpy(at + lane * row.bytes, &row.value, row.bytes);
    }
  }
  spoil_unset(frame);
  frame->stack.reset();
  return frame;
}

void leave_frame(Worker* worker, Frame* frame, LaneMask lanes) {
  frame->inside &= ~lanes;
  if (frame->inside == 0) worker->spare_frames[frame->code->index].push_back(frame);
}

}  // namespace cudalabs::vgpu::exec
