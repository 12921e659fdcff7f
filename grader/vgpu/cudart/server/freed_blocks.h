// What the program has freed, and where: for findings about memory that is used, or freed, afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu {

class FreedBlocks {
 public:
  explicit FreedBlocks(std::size_t most) : most_(most) {}

  /// `origin`: of the call that freed [address, address + bytes). The first ones are kept.
  void add(std::uint64_t address, std::uint64_t bytes, const CallOrigin& origin) {
    if (blocks_.size() < most_ || blocks_.contains(address)) blocks_.insert_or_assign(address, Block{bytes, origin});
  }
  bool begins_at(std::uint64_t address) const { return blocks_.contains(address); }
  /// The call that freed the byte at `address`; null when none is known to have.
  const CallOrigin* freed_by(std::uint64_t address) const {
    const auto next = blocks_.upper_bound(address);
    if (next == blocks_.begin()) return nullptr;
    const auto& [begin, block] = *std::prev(next);
    return address - begin < block.bytes ? &block.origin : nullptr;
  }

 private:
  struct Block {
    std::uint64_t bytes;
    CallOrigin origin;
  };
  std::size_t most_;
  std::map<std::uint64_t, Block> blocks_;  // by address
};

}  // namespace cudalabs::vgpu
