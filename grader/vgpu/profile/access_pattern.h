// What an access looks like, in words and lane by lane.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "vgpu/profile/access_cost.h"
#include "vgpu/profile/access_sample.h"

namespace cudalabs::vgpu {

/// How the active lanes' addresses follow each other: "consecutive", "all lanes at one address", "stride 64 (256
/// bytes)", "2 runs of 16 lanes, consecutive, 256 bytes apart", "irregular".
std::string pattern_of(const AccessSample& access);

/// Whether it costs at least twice what the same bytes need, and more than four sectors of global memory, which is what
/// a warp's values of 4 bytes take at best.
bool wastes(const AccessSample& access);

/// "4 sectors for 128 bytes", "32 sectors for 128 bytes, where 4 would do", "no bank conflict", "2-way bank conflict: 2
/// passes where 1 would do".
std::string cost_in_words(const AccessSample& access);

AccessCost cost_of(const AccessSample& access);

/// By lane, nothing for lanes that take no part. Global memory: which of the touched sectors the lane accesses, in the
/// order of addresses from 0. Shared memory: in which pass over the banks the lane has all it wants, from 0; lanes of
/// one bank are served in their order.
std::array<std::optional<unsigned>, kWarpSize> shares_of_lanes(const AccessSample& access);

}  // namespace cudalabs::vgpu
