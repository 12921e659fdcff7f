// Allocations that were freed, and what was known of them: for findings of launches before that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "vgpu/cudart/server/address_map.h"

namespace cudalabs::vgpu {

class FreedAllocations {
 public:
  explicit FreedAllocations(std::size_t most) : most_(most) {}

  struct Freed {
    AddressMap::Block block;
    std::uint64_t launches = 0;
    CallOrigin freed_by = {};
  };

  /// Freed when so many launches had been issued. The first ones are kept.
  void add(std::uint64_t address, const AddressMap::Block& block, std::uint64_t launches, const CallOrigin& freed_by) {
    if (blocks_.size() < most_) {
      blocks_.emplace(address, Freed{block, launches, freed_by});
    } else {
      has_more_ = true;
    }
  }
  /// By address; not all, if there were `has_more`.
  const std::multimap<std::uint64_t, Freed>& blocks() const { return blocks_; }
  bool has_more() const { return has_more_; }
  /// The one that held the byte when the launch of this number was issued, from 1 on; null when none is known to have.
  const AddressMap::Block* holding(std::uint64_t address, std::uint64_t launch) const {
    for (auto at = blocks_.upper_bound(address); at != blocks_.begin();) {
      --at;
      const auto& [begin, freed] = *at;
      if (address - begin >= freed.block.bytes) continue;
      if (freed.block.launches_before < launch && launch <= freed.launches) return &freed.block;
    }
    return nullptr;
  }

 private:
  std::size_t most_;
  bool has_more_ = false;
  std::multimap<std::uint64_t, Freed> blocks_;
};

}  // namespace cudalabs::vgpu
