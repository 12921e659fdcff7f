// Reserved ranges of the virtual GPU's global memory.
#include "vgpu/memory/reserved_range.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

DeviceAddress GlobalMemory::reserve(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment) {
  return allocate_apart(bytes, origin, AllocationKind::range, {}, alignment, 0);
}

void GlobalMemory::divide(DeviceAddress address, std::uint64_t bytes, std::span<const RangePart> parts) {
  const std::lock_guard lock(mutex_);
  const auto is_of_range = [&](const Allocation& entry) { return entry.live && entry.address - address < bytes; };
  allocations_.erase(std::remove_if(allocations_.begin(), allocations_.end(), is_of_range), allocations_.end());
  std::vector<Allocation> entries;
  for (const RangePart& part : parts) {
    entries.push_back({.address = part.address,
                       .bytes = part.bytes,
                       .room = part.bytes,
                       .origin = part.origin,
                       .kind = AllocationKind::range,
                       .state = part.state,
                       .live = true,
                       .name = {}});
  }
  const auto place = std::upper_bound(allocations_.begin(), allocations_.end(), address,
                                      [](DeviceAddress at, const Allocation& other) { return at < other.address; });
  allocations_.insert(place, entries.begin(), entries.end());
  generation_.fetch_add(1, std::memory_order_acq_rel);
}

void GlobalMemory::free_range(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin) {
  divide(address, bytes, std::array{RangePart{address, bytes, RangeState::read_write, origin}});
  free(address, origin, AllocationKind::range);
}

bool GlobalMemory::take(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > capacity_ - used_) return false;
  used_ += bytes;
  return true;
}

void GlobalMemory::give(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  used_ -= bytes;
}

SavedPages GlobalMemory::save(DeviceAddress address, std::uint64_t bytes) const {
  SavedPages pages;
  const std::uint64_t begin = address - kGlobalBase;
  for (std::uint64_t offset = 0; offset < bytes; offset += kPageBytes) {
    if (poisoned_ && fresh_.is_fresh(begin + offset)) continue;
    SavedPage& page = pages.emplace_back();
    page.offset = offset;
    std::memcpy(page.data.data(), host(address + offset), kPageBytes);
    std::copy_n(bits_.words() + (begin + offset) / 64, page.written.size(), page.written.begin());
  }
  return pages;
}

void GlobalMemory::restore(DeviceAddress address, const SavedPages& pages) {
  for (const SavedPage& page : pages) {
    const std::uint64_t offset = address + page.offset - kGlobalBase;
    if (poisoned_) fresh_.overwrite(offset, kPageBytes);
    std::memcpy(memory_.data() + offset, page.data.data(), kPageBytes);
    std::copy(page.written.begin(), page.written.end(), bits_.words() + offset / 64);
  }
}

void GlobalMemory::make_fresh(DeviceAddress address, std::uint64_t bytes) {
  if (poisoned_) {
    renew(address, bytes);
  } else {
    memory_.release(address - kGlobalBase, bytes);
  }
}

}  // namespace cudalabs::vgpu
