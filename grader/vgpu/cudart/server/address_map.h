// What lies where in device memory, as far as the client may know: its allocations and its modules' variables.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu {

class AddressMap {
 public:
  struct Block {
    std::uint64_t bytes = 0;
    CallOrigin origin;
    std::optional<std::uint32_t> module;  // a variable of this module; none: an allocation
    bool managed = false;                 // unified memory: the host may touch it as well
    bool host_wrote = false;              // a copy or a fill that the host asked for wrote to it
    bool page_locked = false;             // the host's own: unified memory once it is mapped
    bool of_graph = false;                // allocated by a node of a graph
    bool of_range = false;                // memory that is mapped to reserved addresses: nothing to be freed
    bool read_only = false;               // of a range: nobody may write there
    std::uint64_t launches_before = 0;    // that were issued before it was allocated
    std::uint64_t function_call = 0;      // of the caller, in which it was allocated; 0: in none
    std::uint64_t number = 0;             // of the allocation, among all
    /// A copy or a fill of the host that wrote to it.
    struct Write {
      CallOrigin origin;
      std::string_view call;                         // lives as long as the program
      std::uint64_t begin = 0;                       // address
      std::uint64_t width = 0, pitch = 0, rows = 1;  // bytes of a row, bytes from row to row
      std::uint64_t launches = 0;                    // that were issued before

      bool covers(std::uint64_t at) const {
        if (at < begin) return false;
        const std::uint64_t offset = at - begin;
        return rows == 1 ? offset < width : offset / pitch < rows && offset % pitch < width;
      }
    };
    static constexpr std::size_t kMostWrites = 8;
    std::vector<Write> early_writes = {}, late_writes = {};  // until the next launch after its allocation, and then
    bool has_more_writes = false;                            // than are kept
    std::uint64_t address = 0;
    bool in_use = false;  // mapped, and something was issued since the host was told that it is free
  };

  void add(std::uint64_t address, const Block& block) { (blocks_[address] = block).address = address; }
  /// The allocation that starts at `address`, or null.
  const Block* allocation(std::uint64_t address) const {
    const auto found = blocks_.find(address);
    return found != blocks_.end() && !found->second.module && !found->second.page_locked && !found->second.of_range
               ? &found->second
               : nullptr;
  }
  /// Page-locked memory that starts at `address`, or null.
  Block* page_locked(std::uint64_t address) {
    const auto found = blocks_.find(address);
    return found != blocks_.end() && found->second.page_locked ? &found->second : nullptr;
  }
  /// Unified memory, at least the block that holds the byte.
  bool is_managed(std::uint64_t address) const {
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return false;
    const auto& [start, block] = *--after;
    return block.managed && address - start < block.bytes;
  }
  /// The allocation that holds the byte, or null.
  const Block* allocation_holding(std::uint64_t address) const {
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return nullptr;
    const auto& [start, block] = *std::prev(after);
    return block.module || address - start >= block.bytes ? nullptr : &block;
  }
  void remove(std::uint64_t address) { blocks_.erase(address); }
  /// A block, and where it starts.
  struct Placed {
    std::uint64_t start = 0;
    Block* block = nullptr;
  };
  /// The block that starts at `address`, or is the last before it; without one, null.
  Placed at_or_before(std::uint64_t address) {
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return {};
    --after;
    return {after->first, &after->second};
  }
  /// The last allocation that starts at `address` or before, where no other block starts between; else null.
  const Block* allocation_before(std::uint64_t address) const {
    const auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return nullptr;
    const Block& block = std::prev(after)->second;
    return block.module ? nullptr : &block;
  }
  /// All bytes [address, address + bytes) lie in one block.
  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return false;
    const auto& [start, block] = *--after;
    const std::uint64_t offset = address - start;
    return offset <= block.bytes && bytes <= block.bytes - offset;
  }
  const std::map<std::uint64_t, Block>& blocks() const { return blocks_; }
  std::map<std::uint64_t, Block>& blocks() { return blocks_; }
  void clear() { blocks_.clear(); }

 private:
  std::map<std::uint64_t, Block> blocks_;
};

}  // namespace cudalabs::vgpu
