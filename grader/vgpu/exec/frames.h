// The activations of functions: a worker keeps those that are over, and uses them again.
#pragma once

#include <cstdint>
#include <optional>

#include "vgpu/exec/warp.h"

namespace cudalabs::vgpu::exec {

/// Takes a frame from the worker's stock, or makes one. Its constants are set, its unset registers hold kUnsetBits.
Frame* take_frame(Worker* worker, const FunctionCode* code);
/// Lanes leave an activation. When the last one has, the stock has it back.
void leave_frame(Worker* worker, Frame* frame, LaneMask lanes);

/// The call by which the kernel came to an activation; none for its own.
std::optional<std::uint32_t> call_in_kernel(const Frame& frame);

constexpr std::uint32_t kMaxLocalBytes = 512u << 10;  // per thread
/// The lanes have nothing of the activation's stack any more.
void give_back_local(Frame& frame, LaneMask lanes);

/// A variable that was never set must not hold 0 by luck, nor what ran before, but what shows up wherever it gets to.
void spoil_unset(Frame* frame);

}  // namespace cudalabs::vgpu::exec
