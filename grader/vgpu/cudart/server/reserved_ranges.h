// Addresses that a program has reserved, memory that it has created, and what of the one is mapped to the other.
//
// Memory has one mapping at a time: what is in it lies where its addresses are. Without a mapping its pages are kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "vgpu/cudart/server_report.h"
#include "vgpu/memory/reserved_range.h"

namespace cudalabs::vgpu {

class ReservedRanges {
 public:
  /// Sizes and addresses of memory and of mappings are multiples of it.
  static constexpr std::uint64_t kGranularity = 2 << 20;
  /// Of memory; no pointer, and no small number.
  static constexpr std::uint64_t kFirstHandle = 0x1000;

  struct Mapping {
    std::uint64_t bytes = 0;
    std::uint64_t memory = 0;  // handle
    RangeState state = RangeState::no_access;
    CallOrigin origin;
    std::uint64_t launches_before = 0;  // that were issued before it
  };
  struct Range {
    std::uint64_t bytes = 0;
    CallOrigin origin;
    std::map<std::uint64_t, Mapping> mappings;     // by address
    std::map<std::uint64_t, CallOrigin> unmapped;  // where mappings began that are gone, and who unmapped them
  };
  struct Memory {
    std::uint64_t bytes = 0;
    std::uint64_t references = 1;  // of the program
    CallOrigin origin;
    std::uint64_t address = 0;  // of its mapping; 0: it has none
    SavedPages pages;           // while it has none
  };

  void add_range(std::uint64_t address, std::uint64_t bytes, const CallOrigin& origin);
  void remove_range(std::uint64_t address) { ranges_.erase(address); }
  /// The range that begins there, or null.
  Range* range(std::uint64_t address);
  /// Where the range begins that holds all of the bytes.
  std::optional<std::uint64_t> begin_of(std::uint64_t address, std::uint64_t bytes) const;

  std::uint64_t add_memory(std::uint64_t bytes, const CallOrigin& origin);
  /// Null when no handle of the program stands for it.
  Memory* memory(std::uint64_t handle);
  /// Bytes that are free now: it has neither a mapping nor a handle any more. 0: it stays.
  std::uint64_t remove_if_unused(std::uint64_t handle);

  /// Nothing is mapped to any of the bytes, which lie in the range.
  static bool is_unmapped(const Range& range, std::uint64_t address, std::uint64_t bytes);
  /// The mappings that make up these bytes, each as a whole; nothing where there are gaps or parts.
  static std::vector<std::uint64_t> mappings_of(const Range& range, std::uint64_t address, std::uint64_t bytes);
  /// The mapping that holds the byte, or null.
  const Mapping* mapping_at(std::uint64_t address) const;
  /// Also of memory that the program has no handle of any more.
  Memory& memory_of(const Mapping& mapping) { return memories_.at(mapping.memory); }
  const Memory& memory_of(const Mapping& mapping) const { return memories_.at(mapping.memory); }

  /// What the range is made of, as kernels see it: neighbours that are alike are one part.
  static std::vector<RangePart> parts_of(std::uint64_t address, const Range& range);

  /// Who has made the byte what it is: for a finding about an access to it.
  struct Reason {
    std::string_view words;
    CallOrigin origin;
  };
  std::optional<Reason> reason_at(std::uint64_t address) const;

  const std::map<std::uint64_t, Range>& ranges() const { return ranges_; }
  const std::map<std::uint64_t, Memory>& memories() const { return memories_; }
  /// Ranges, mappings and memories.
  std::size_t count() const;
  void clear();

 private:
  std::map<std::uint64_t, Range> ranges_;     // by address
  std::map<std::uint64_t, Memory> memories_;  // by handle
  std::uint64_t next_handle_ = kFirstHandle;
};

}  // namespace cudalabs::vgpu
