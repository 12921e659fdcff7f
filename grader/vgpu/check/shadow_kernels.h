// The race filter's inner loops, compiled for several instruction sets; all give the same results.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "vgpu/check/block_phases.h"
#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

constexpr std::uint32_t kHalfWarp = kWarpSize / 2;

/// How the addresses of 16 lanes lie, all of them active: the rows of a 16-wide block.
enum class HalfShape : std::uint8_t {
  scattered,
  consecutive,  // lane l accesses the first lane's address + l * bytes
  same          // all access the first lane's address
};

/// What a kernel must know of the threads whose cells it looks at; see ThreadView.
struct RunView {
  std::uint32_t first_thread = 0;  // of the run; its warp's other threads follow
  Stamp stamp = 0, phase = 0;
  Stamp oldest = 0;         // stamps below it are from earlier blocks (shared cells)
  std::uint64_t block = 0;  // (global cells)
  /// Nothing is to be learnt about barriers; else accesses that barriers kept apart are left to the slow path.
  bool barriers_settled = true;
};

/// Loads of words by a whole warp, one after the other: see LoadRun.
struct LoadSteps {
  bool rows = false;
  std::uint64_t offset = 0;   // of the first half-warp's first lane in the first load
  std::uint64_t apart = 0;    // from there to the second half-warp's
  std::uint64_t advance = 0;  // modulo 2^64
  std::uint32_t count = 0;
};

/// A kernel that finds something it cannot judge says so: the caller then goes through the cells one by one, also
/// through those already changed, which does no harm.
struct ShadowKernels {
  /// The lines of all lanes' addresses are marked: `marks` has a byte for every 256 bytes from address `base`.
  bool (*all_marked)(const std::uint64_t* address, LaneMask active, std::uint64_t base,
                     const std::atomic<std::uint8_t>* marks, std::uint8_t mark);

  /// Every lane's address is in [first, last].
  bool (*all_inside)(const std::uint64_t* address, std::uint64_t first, std::uint64_t last);

  HalfShape (*half_shape)(const std::uint64_t* address, std::uint64_t bytes);

  /// All 32 lanes find `value` in the word they access.
  bool (*words_equal)(const std::uint64_t* address, const std::uint32_t* words, std::uint32_t value);
  /// A whole warp's accesses to words of shared memory, offsets into which are given; its cells are `reads` and
  /// `writes`. Returns the halves (bit 0, bit 1) that it cannot judge.
  unsigned (*shared_load)(const std::uint64_t* offset, std::uint32_t* reads, const std::uint32_t* writes,
                          const RunView& view);
  /// The same of several loads, up to the first that it cannot judge all of; returns how many it has judged.
  std::uint32_t (*shared_loads)(const LoadSteps& steps, std::uint32_t* reads, const std::uint32_t* writes,
                                const RunView& view);
  unsigned (*shared_store)(const std::uint64_t* offset, std::uint32_t* reads, std::uint32_t* writes,
                           const RunView& view);

  /// `count` cells of global memory, accessed by consecutive threads, 1 << cells_shift cells each. `saturated` is
  /// increased by the cells that several blocks have read now and had not before.
  bool (*global_load_run)(std::uint64_t* cells, std::uint32_t count, std::uint32_t cells_shift, const RunView& view,
                          std::uint32_t& saturated);
  bool (*global_store_run)(std::uint64_t* cells, std::uint32_t count, std::uint32_t cells_shift, const RunView& view);

  const char* instruction_set;
};

/// The best this processor can run.
const ShadowKernels& shadow_kernels();
/// All it can run, for tests.
std::vector<ShadowKernels> all_shadow_kernels();

}  // namespace cudalabs::vgpu
