// One shadow cell of global memory for the race filter, and the rules by which accesses change it.
#pragma once

#include <cstdint>

#include "vgpu/check/block_phases.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// What is remembered of the accesses to a word (or byte) in this launch. Blocks are never ordered with one another, so
/// a cell needs to know one block in detail, or that there were several. "Settled" writes are older than the reads that
/// follow in the name, and ordered before them for the whole warp or the whole block.
enum class CellState : std::uint64_t {
  empty,
  read_by_one,     // thread
  read_by_warp,    // several lanes
  read_by_block,   // several warps, since the phase in `stamp`
  read_by_blocks,  // several blocks; nothing else is kept
  written,         // by thread; not read by others since
  warp_settled_read_by_one,
  warp_settled_read_by_warp,
  block_settled_read_by_one,
  block_settled_read_by_warp,
  block_settled_read_by_block,
  updated_by_block,        // only atomics, by threads of one block, since the phase in `stamp`
  updated_alone_by_block,  // likewise, but no other block may join in: some at block scope, or plain accesses before
  updated_by_blocks        // atomics by several blocks; nothing else is kept
};

/// state | thread | stamp | block; zero is an empty cell.
class GlobalCell {
 public:
  static constexpr unsigned kStateBits = 4;
  static constexpr unsigned kThreadBits = 10;
  static constexpr unsigned kBlockBits = 64 - kStateBits - kThreadBits - kStampBits;
  static constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << kBlockBits;

  GlobalCell() = default;
  constexpr explicit GlobalCell(CellState state) : bits_(static_cast<std::uint64_t>(state)) {}
  constexpr GlobalCell(CellState state, std::uint64_t block, Stamp stamp, std::uint32_t thread)
      : bits_(static_cast<std::uint64_t>(state) | std::uint64_t{thread} << kStateBits |
              std::uint64_t{stamp} << (kStateBits + kThreadBits) | block << (kStateBits + kThreadBits + kStampBits)) {}

  constexpr CellState state() const { return static_cast<CellState>(bits_ & ((1u << kStateBits) - 1)); }
  constexpr std::uint32_t thread() const { return bits_ >> kStateBits & ((1u << kThreadBits) - 1); }
  constexpr Stamp stamp() const { return bits_ >> (kStateBits + kThreadBits) & kLastStamp; }
  constexpr std::uint64_t block() const { return bits_ >> (kStateBits + kThreadBits + kStampBits); }
  constexpr std::uint64_t bits() const { return bits_; }
  /// Cells side by side as the bits they are, for vector code.
  static std::uint64_t* raw(GlobalCell* cells) { return &cells->bits_; }
  bool operator==(const GlobalCell&) const = default;

 private:
  std::uint64_t bits_ = 0;
};

/// What an access makes of a cell.
struct CellStep {
  GlobalCell cell;
  bool clean = true;  // false: may race with what the cell remembers
  /// For advice on barriers: the access conflicts with one of another thread that a barrier (or a synchronisation of
  /// their warp) came after: `since`, or kUnknown when the cell no longer says when that was.
  enum class Conflict : std::uint8_t { none, since, unknown } separated = Conflict::none;
  Stamp since = 0;
  bool same_warp = false;
};

CellStep after_load(GlobalCell cell, std::uint64_t block, const ThreadView& view);
CellStep after_store(GlobalCell cell, std::uint64_t block, const ThreadView& view);
/// `narrow`: at block scope.
CellStep after_atomic(GlobalCell cell, std::uint64_t block, const ThreadView& view, bool narrow);

}  // namespace cudalabs::vgpu
