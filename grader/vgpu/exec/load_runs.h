// Loads of loops, gathered so that observers are told of many at once.
//
// Of a tiled matrix product with every check, half of the time was spent on observers that were told of every load and
// looked at its 32 addresses anew, and a fifth on arithmetic and control. Runs take a quarter of the time off. An
// engine that compiles kernels, tried beside this one, was 2.6 times as fast without checks; with them it took an
// eighth off without runs, and two fifths of what is left with runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vgpu/exec/micro_op.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu::exec {

struct Block;

/// Of a block: the runs of the warp that has its turn. All are told before anything else but loads is.
class LoadRuns {
 public:
  /// All observers of the block take runs. `sites`: memory instructions of its kernel.
  void allow(std::size_t sites) { of_site_.resize(sites); }
  bool allowed() const { return !of_site_.empty(); }
  bool waiting() const { return !begun_.empty(); }

  /// All 32 lanes load by `op`, the half-warps from `first` and `second` on. False: this load is to be told by itself.
  bool join(Block* block, std::uint32_t warp, const MicroOp* op, MemorySpace space, bool rows, std::uint64_t first,
            std::uint64_t second) {
    const auto& descriptor = *static_cast<const MemoryDescriptor*>(op->data);
    Run& run = of_site_[descriptor.site];
    const std::uint64_t apart = second - first, advance = first - run.last;
    if (run.count != 0 && run.apart == apart && run.rows == rows && run.space == space &&
        (run.advance == advance || run.count == 1)) [[likely]] {
      run.advance = advance;
      run.last = first;
      ++run.count;
      return true;
    }
    return begin(block, run,
                 {.op = op,
                  .descriptor = &descriptor,
                  .space = space,
                  .rows = rows,
                  .warp = warp,
                  .count = 1,
                  .first = first,
                  .last = first,
                  .apart = apart});
  }

  /// Tells all.
  void tell(Block* block);

 private:
  struct Run {
    const MicroOp* op = nullptr;
    const MemoryDescriptor* descriptor = nullptr;
    MemorySpace space = MemorySpace::global;
    bool rows = false;
    std::uint32_t warp = 0;
    std::uint32_t count = 0;  // of loads; 0: none has begun
    std::uint64_t first = 0, last = 0, apart = 0, advance = 0;
    std::uint32_t single = 0;  // loads that are told by themselves before another run begins
    bool listed = false;
  };

  bool begin(Block* block, Run& run, const Run& fresh);
  static void tell(Block* block, Run& run);

  std::vector<Run> of_site_;
  std::vector<std::uint32_t> begun_;  // sites
};

}  // namespace cudalabs::vgpu::exec
