// Copies in bulk among the threads of a block: what they are ordered after, and who is ordered after them.
//
// A copy is like a thread of its own that begins where it is begun, and ends where a thread waits for it. It reads and
// writes as two such threads, for its source may be waited for alone. They have a block of their own for each block of
// the launch, so that a barrier of the block says nothing of them; and so have fences between the generic proxy and the
// asynchronous one (`fence.proxy.async`), so that who knows of a fence is ordered after it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "vgpu/check/access_history.h"
#include "vgpu/check/block_order.h"

namespace cudalabs::vgpu {

/// A copy that has begun.
struct CopyInBulk {
  std::uint32_t thread = 0;  // that has begun it
  Time began = 0;
  OrderedThread order;  // what its accesses are ordered after
};

/// One block at a time.
class BulkOrder {
 public:
  explicit BulkOrder(BlockOrder& order) : order_(order) {}

  void begin_block() {
    copies_.clear();
    fences_.clear();
  }
  void begin(const BulkBegin& begin);
  const CopyInBulk& copy(std::uint32_t number) const { return copies_[number - 1]; }
  /// The number of the thread that the copy reads, or writes, as.
  static std::uint32_t thread_of(std::uint32_t number, bool reads) { return (number - 1) * 2 + (reads ? 0 : 1); }

  /// The copy has told a barrier of `owner`.
  void done(const BulkDone& done, BlockOrder& owner);
  void waited(std::uint32_t number, std::uint32_t thread, bool only_reads);

  void fence(std::uint32_t warp, LaneMask lanes);
  /// Of lanes that have stored before a copy began which reads that: those without such a fence between the two.
  LaneMask unfenced(const PastAccess& store, LaneMask lanes, const CopyInBulk& copy) const;

 private:
  struct Fence {
    Time time = 0;
    ThreadClock clock;  // what comes before it
  };
  BlockKnowledge ended(std::uint32_t number, bool only_reads);
  bool is_fenced(const PastAccess& store, std::uint32_t lane, const CopyInBulk& copy) const;

  BlockOrder& order_;
  std::vector<CopyInBulk> copies_;
  std::map<std::uint32_t, Fence> fences_;  // by thread: the last one
};

}  // namespace cudalabs::vgpu
