// Global memory whose values a program gives up.
#include <algorithm>
#include <cstring>

#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kMostDiscarded = 4'096;

}  // namespace

bool GlobalMemory::discard(DeviceAddress at, std::uint64_t bytes) {
  if (bytes == 0) return true;
  const std::optional<Allocation> target = find(at);
  if (!target || !target->holds(at, bytes)) return false;
  forget_initialized(at);
  // What is renewed begins where a byte of the bitmap does.
  const std::uint64_t before = std::min<std::uint64_t>(bytes, (8 - at % 8) % 8);
  if (before != 0) {
    touch(at, before);
    std::memset(host(at), 0xFF, before);
    bits_.clear(at - kGlobalBase, before);
  }
  renew(at + before, bytes - before);
  if (discarded_.size() >= kMostDiscarded) discarded_.erase(discarded_.begin());
  discarded_.push_back({at, at + bytes});
  generation_.fetch_add(1, std::memory_order_acq_rel);
  return true;
}

bool GlobalMemory::was_discarded(DeviceAddress address) const {
  return std::any_of(discarded_.begin(), discarded_.end(),
                     [&](const Discarded& each) { return address >= each.begin && address < each.end; });
}

}  // namespace cudalabs::vgpu
