// Address ranges kept sorted: which memory is the device's, which host memory is page-locked.
#pragma once

#include <cstdint>

#include "vgpu/cudart/client/plain_array.h"

namespace cudalabs::vgpu::client {

struct Range {
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t flags = 0;   // of cudaHostAlloc or cudaHostRegister
  bool registered = false;   // by cudaHostRegister: the program owns the memory
  bool wanted = false;       // page-locked: the program has said that kernels will use it
  void* pool = nullptr;      // device memory: where it was taken from
  std::uint64_t device = 0;  // page-locked: where the device has it, from `first` on; 0: no more
  bool reserved = false;     // addresses alone: what memory there is the server knows
  bool of_graph = false;     // device memory: of an allocation that is a graph's node

  /// Where the device's copy begins.
  std::uint64_t first() const { return address / 8 * 8; }
};

class Ranges {
 public:
  bool add(const Range& range) { return ranges_.insert(lower_bound(range.address), range); }
  /// The range that starts at `address`, or null.
  const Range* at(std::uint64_t address) const {
    const std::size_t i = lower_bound(address);
    return i < ranges_.size() && ranges_[i].address == address ? &ranges_[i] : nullptr;
  }
  /// The last range that starts at `address` or before, or null.
  const Range* at_or_before(std::uint64_t address) const {
    const std::size_t i = lower_bound(address);
    if (i < ranges_.size() && ranges_[i].address == address) return &ranges_[i];
    return i == 0 ? nullptr : &ranges_[i - 1];
  }
  /// The range that holds `address`, or null; empty ranges hold nothing.
  const Range* holding(std::uint64_t address) const {
    const Range* range = at_or_before(address);
    return range != nullptr && (range->address == address || address - range->address < range->bytes) ? range : nullptr;
  }
  /// One of the ranges has some of these bytes.
  bool meets(std::uint64_t address, std::uint64_t bytes) const {
    const std::size_t next = lower_bound(address);
    return holding(address) != nullptr || (next < ranges_.size() && ranges_[next].address - address < bytes);
  }
  bool remove(std::uint64_t address) {
    const std::size_t i = lower_bound(address);
    if (i >= ranges_.size() || ranges_[i].address != address) return false;
    ranges_.erase(i);
    return true;
  }
  void clear() { ranges_.clear(); }
  void want(std::uint64_t address) { ranges_[lower_bound(address)].wanted = true; }
  void forget_devices() {
    for (Range& range : ranges_) range.device = 0;
  }
  const Range* begin() const { return ranges_.begin(); }
  const Range* end() const { return ranges_.end(); }

 private:
  std::size_t lower_bound(std::uint64_t address) const {
    std::size_t first = 0, count = ranges_.size();
    while (count > 0) {
      const std::size_t half = count / 2;
      if (ranges_[first + half].address < address) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first;
  }

  Array<Range> ranges_;
};

}  // namespace cudalabs::vgpu::client
