// Vector forms of the rules in shared_shadow.cpp and global_cell.cpp, for the cases that inner loops are made of. What
// they do not cover they leave to those.
#ifndef HWY_DISABLED_TARGETS
// What every x86-64 has, AVX2 and AVX-512; others would only cost compile time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vgpu/check/shadow_kernels.cpp"
#include "hwy/foreach_target.h"
// After the above:
#include "hwy/highway.h"
#include "vgpu/check/global_cell.h"
#include "vgpu/check/shadow_kernels.h"
#include "vgpu/check/shared_cell.h"

HWY_BEFORE_NAMESPACE();
namespace cudalabs::vgpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Wide = hn::CappedTag<std::uint64_t, 8>;
using Signed = hn::CappedTag<std::int64_t, 8>;
using Word = hn::CappedTag<std::uint32_t, kHalfWarp>;

// ---- addresses

constexpr unsigned kLineShift = 8;

/// The 16 lanes touch one line.
HWY_INLINE bool in_one_line(const std::uint64_t* address) {
  const Wide d;
  const auto first = hn::Set(d, address[0]);
  auto difference = hn::Zero(d);
  for (std::size_t i = 0; i < kHalfWarp; i += hn::Lanes(d)) {
    difference = hn::Or(difference, hn::Xor(hn::LoadU(d, address + i), first));
  }
  return hn::AllTrue(d, hn::Lt(difference, hn::Set(d, std::uint64_t{1} << kLineShift)));
}

bool all_marked(const std::uint64_t* address, LaneMask active, std::uint64_t base,
                const std::atomic<std::uint8_t>* marks, std::uint8_t mark) {
  // Other workers set marks meanwhile.
  const auto is_marked = [&](std::uint64_t line) { return marks[line].load(std::memory_order_relaxed) == mark; };
  // Both halves within a line each, as the rows of a 16-wide block mostly are: a third of the cost of the general case.
  if (active == ~0u && in_one_line(address) && in_one_line(address + kHalfWarp)) {
    return is_marked((address[0] - base) >> kLineShift) && is_marked((address[kHalfWarp] - base) >> kLineShift);
  }
  // Device addresses are far below 2^63, so signed comparison will do; AVX2 has no other.
  const Signed d;
  const auto* signed_address = reinterpret_cast<const std::int64_t*>(address);
  std::uint64_t lowest, highest;
  if (active == ~0u) {
    auto low = hn::LoadU(d, signed_address);
    auto high = low;
    for (std::size_t i = hn::Lanes(d); i < kWarpSize; i += hn::Lanes(d)) {
      const auto a = hn::LoadU(d, signed_address + i);
      low = hn::Min(low, a);
      high = hn::Max(high, a);
    }
    lowest = static_cast<std::uint64_t>(hn::GetLane(hn::MinOfLanes(d, low)));
    highest = static_cast<std::uint64_t>(hn::GetLane(hn::MaxOfLanes(d, high)));
  } else {
    lowest = ~std::uint64_t{0};
    highest = 0;
    for (LaneMask left = active; left != 0; left &= left - 1) {
      const std::uint64_t a = address[hwy::Num0BitsBelowLS1Bit_Nonzero32(left)];
      lowest = a < lowest ? a : lowest;
      highest = a > highest ? a : highest;
    }
  }
  const std::uint64_t first = (lowest - base) >> kLineShift;
  const std::uint64_t last = (highest - base) >> kLineShift;
  // Rows of a matrix are a few kilobytes apart; looking at all that lies between is cheaper than at each lane's line.
  constexpr std::uint64_t kMostLines = 64;
  if (last - first >= kMostLines) return false;
  for (std::uint64_t line = first; line <= last; ++line) {
    if (!is_marked(line)) return false;
  }
  return true;
}

bool all_inside(const std::uint64_t* address, std::uint64_t first, std::uint64_t last) {
  const Wide d;
  const auto low = hn::Set(d, first);
  const auto span = hn::Set(d, last - first);
  auto highest = hn::Zero(d);
  for (std::size_t i = 0; i < kWarpSize; i += hn::Lanes(d)) highest = hn::Max(highest, hn::LoadU(d, address + i) - low);
  return hn::AllTrue(d, hn::Not(hn::Lt(span, highest)));
}

HWY_INLINE HalfShape shape_of(const std::uint64_t* address, std::uint64_t bytes) {
  const Wide d;
  const auto first = hn::Set(d, address[0]);
  const auto advance = hn::Set(d, bytes * hn::Lanes(d));
  auto in_step = hn::Iota(d, 0) * hn::Set(d, bytes) + first;
  auto off_step = hn::Zero(d);
  auto off_first = hn::Zero(d);
  for (std::size_t i = 0; i < kHalfWarp; i += hn::Lanes(d)) {
    const auto a = hn::LoadU(d, address + i);
    off_step = hn::Or(off_step, hn::Xor(a, in_step));
    off_first = hn::Or(off_first, hn::Xor(a, first));
    in_step = in_step + advance;
  }
  if (hn::AllTrue(d, hn::Eq(off_step, hn::Zero(d)))) return HalfShape::consecutive;
  if (hn::AllTrue(d, hn::Eq(off_first, hn::Zero(d)))) return HalfShape::same;
  return HalfShape::scattered;
}

HalfShape half_shape(const std::uint64_t* address, std::uint64_t bytes) {
  return shape_of(address, bytes);
}

// ---- shared memory

bool all_equal(const std::uint32_t* words, std::uint32_t value) {
  const Word d;
  auto difference = hn::Zero(d);
  for (std::size_t i = 0; i < kHalfWarp; i += hn::Lanes(d)) {
    difference = hn::Or(difference, hn::Xor(hn::LoadU(d, words + i), hn::Set(d, value)));
  }
  return hn::AllTrue(d, hn::Eq(difference, hn::Zero(d)));
}

bool all_equal_at(const std::uint64_t* address, const std::uint32_t* words, std::uint32_t value) {
  std::uint32_t difference = 0;
  for (std::size_t lane = 0; lane < kHalfWarp; ++lane) difference |= words[address[lane] / 4] ^ value;
  return difference == 0;
}

bool words_equal(const std::uint64_t* address, const std::uint32_t* words, std::uint32_t value) {
  for (const std::uint64_t* half : {address, address + kHalfWarp}) {
    const std::uint32_t* first = words + half[0] / 4;
    const HalfShape shape = shape_of(half, 4);
    if (shape == HalfShape::same          ? *first != value
        : shape == HalfShape::consecutive ? !all_equal(first, value)
                                          : !all_equal_at(half, words, value)) {
      return false;
    }
  }
  return true;
}

/// The lanes whose write half is no obstacle: older than the phase (or, while barriers are not settled, than the
/// block), or the lane's own.
template <class D, class V>
HWY_INLINE auto after_writes(D d, V writes, V threads, const RunView& view) {
  using namespace shared_cell;
  const Stamp bound = view.barriers_settled ? view.phase : view.oldest;
  const auto old = hn::Lt(writes, hn::Set(d, half(bound, 0, 0)));
  const auto own = hn::Eq(hn::And(writes, hn::Set(d, half(0, 3, kThreadMask))), threads);  // kPlain is 0
  return hn::Or(old, own);
}

/// 16 consecutive words, read by 16 consecutive threads.
HWY_INLINE bool shared_load_run(std::uint32_t* reads, const std::uint32_t* writes, const RunView& view) {
  using namespace shared_cell;
  const Word d;
  const auto stamp = hn::Set(d, half(view.stamp, 0, 0));
  const auto phase = hn::Set(d, half(view.phase, 0, 0));
  const auto oldest = hn::Set(d, half(view.oldest, 0, 0));
  const auto thread_mask = hn::Set(d, kThreadMask);
  const std::uint32_t first_of_warp = view.first_thread / kWarpSize * kWarpSize;
  for (std::size_t i = 0; i < kHalfWarp; i += hn::Lanes(d)) {
    const auto threads = hn::Iota(d, view.first_thread + static_cast<std::uint32_t>(i));
    const auto write = hn::LoadU(d, writes + i);
    if (!hn::AllTrue(d, after_writes(d, write, threads, view))) return false;

    const auto read = hn::LoadU(d, reads + i);
    const auto thread = hn::And(read, thread_mask);
    const auto kind = hn::And(read, hn::Set(d, half(0, 3, 0)));
    const auto one = hn::Lt(kind, hn::Set(d, half(0, kOneWarp, 0)));
    const auto none = hn::Lt(read, oldest);
    const auto same_thread = hn::And(one, hn::Eq(thread, threads));
    const auto before_phase = hn::Lt(read, phase);
    const auto same_warp = hn::And(hn::Ne(kind, hn::Set(d, half(0, kSeveralWarps, 0))),
                                   hn::Eq(hn::And(thread, hn::Set(d, ~(kWarpSize - 1))), hn::Set(d, first_of_warp)));
    const auto before_stamp = hn::Lt(read, stamp);

    const auto mine = hn::Or(stamp, threads);
    const auto mine_after_others = hn::Or(mine, hn::Set(d, half(0, kOneAfterOthers, 0)));
    auto next = hn::Set(d, half(view.phase, kSeveralWarps, 0));
    next = hn::IfThenElse(same_warp, hn::Set(d, half(view.stamp, kOneWarp, first_of_warp)), next);
    next = hn::IfThenElse(hn::Or(before_phase, hn::And(same_warp, before_stamp)), mine_after_others, next);
    next = hn::IfThenElse(same_thread, hn::Or(mine, kind), next);
    next = hn::IfThenElse(none, mine, next);
    hn::StoreU(next, d, reads + i);
  }
  return true;
}

/// 16 consecutive words, written by 16 consecutive threads.
HWY_INLINE bool shared_store_run(std::uint32_t* reads, std::uint32_t* writes, const RunView& view) {
  using namespace shared_cell;
  const Word d;
  const auto bound = hn::Set(d, half(view.barriers_settled ? view.phase : view.oldest, 0, 0));
  // kOne is 0; kOneAfterOthers, one bit away, says something about barriers.
  const Half who = half(0, view.barriers_settled ? 3 & ~kOneAfterOthers : 3, kThreadMask);
  for (std::size_t i = 0; i < kHalfWarp; i += hn::Lanes(d)) {
    const auto threads = hn::Iota(d, view.first_thread + static_cast<std::uint32_t>(i));
    const auto write = hn::LoadU(d, writes + i);
    const auto read = hn::LoadU(d, reads + i);
    const auto after_reads = hn::Or(hn::Lt(read, bound), hn::Eq(hn::And(read, hn::Set(d, who)), threads));
    if (!hn::AllTrue(d, hn::And(after_writes(d, write, threads, view), after_reads))) return false;
    hn::StoreU(hn::Or(hn::Set(d, half(view.stamp, kPlain, 0)), threads), d, writes + i);
    hn::StoreU(hn::Zero(d), d, reads + i);
  }
  return true;
}

/// One word, read by 16 threads of a warp.
HWY_INLINE bool shared_load_same(std::uint32_t& reads, std::uint32_t write, const RunView& view) {
  using namespace shared_cell;
  const std::uint32_t warp = view.first_thread / kWarpSize;
  if (write >= half(view.barriers_settled ? view.phase : view.oldest, 0, 0)) return false;
  const bool several =
      reads >= half(view.phase, 0, 0) && (kind_of(reads) == kSeveralWarps || thread_of(reads) / kWarpSize != warp);
  reads = several ? half(view.phase, kSeveralWarps, 0) : half(view.stamp, kOneWarp, warp * kWarpSize);
  return true;
}

/// Read by several warps since the barrier that began the phase, before which the word was written, if at all.
HWY_INLINE shared_cell::Half settled_reads(const RunView& view) {
  return shared_cell::half(view.phase, shared_cell::kSeveralWarps, 0);
}

/// Half-warp `h` loads a row of words, from word `first` on.
HWY_INLINE bool shared_load_row(std::size_t first, unsigned h, std::uint32_t* reads, const std::uint32_t* writes,
                                const RunView& view) {
  RunView run = view;
  run.first_thread += h * kHalfWarp;
  return all_equal(reads + first, settled_reads(view)) || shared_load_run(reads + first, writes + first, run);
}

HWY_INLINE bool shared_load_word(std::size_t word, std::uint32_t* reads, const std::uint32_t* writes,
                                 const RunView& view) {
  return reads[word] == settled_reads(view) || shared_load_same(reads[word], writes[word], view);
}

unsigned shared_load(const std::uint64_t* offset, std::uint32_t* reads, const std::uint32_t* writes,
                     const RunView& view) {
  unsigned left = 0;
  for (unsigned h = 0; h < 2; ++h, offset += kHalfWarp) {
    const std::size_t first = offset[0] / 4;
    const HalfShape shape = shape_of(offset, 4);
    const bool done = shape == HalfShape::consecutive ? shared_load_row(first, h, reads, writes, view)
                      : shape == HalfShape::same      ? shared_load_word(first, reads, writes, view)
                                                      : all_equal_at(offset, reads, settled_reads(view));
    left |= static_cast<unsigned>(!done) << h;
  }
  return left;
}

std::uint32_t shared_loads(const LoadSteps& steps, std::uint32_t* reads, const std::uint32_t* writes,
                           const RunView& view) {
  std::uint64_t offset = steps.offset;
  for (std::uint32_t step = 0; step < steps.count; ++step, offset += steps.advance) {
    const std::size_t first = offset / 4, second = (offset + steps.apart) / 4;
    const bool done =
        steps.rows ? shared_load_row(first, 0, reads, writes, view) && shared_load_row(second, 1, reads, writes, view)
                   : shared_load_word(first, reads, writes, view) && shared_load_word(second, reads, writes, view);
    if (!done) return step;
  }
  return steps.count;
}

unsigned shared_store(const std::uint64_t* offset, std::uint32_t* reads, std::uint32_t* writes, const RunView& view) {
  unsigned left = 0;
  for (unsigned h = 0; h < 2; ++h, offset += kHalfWarp) {
    RunView run = view;
    run.first_thread += h * kHalfWarp;
    const std::size_t first = offset[0] / 4;
    const bool done =
        shape_of(offset, 4) == HalfShape::consecutive && shared_store_run(reads + first, writes + first, run);
    left |= static_cast<unsigned>(!done) << h;
  }
  return left;
}

// ---- global memory

/// The fields of some cells.
template <class D>
struct Cells {
  using V = hn::Vec<D>;
  V bits, state, thread, stamp, block;

  Cells(D d, const std::uint64_t* cells) : bits(hn::LoadU(d, cells)) {
    state = hn::And(bits, hn::Set(d, (1u << GlobalCell::kStateBits) - 1));
    thread = hn::And(hn::ShiftRight<GlobalCell::kStateBits>(bits), hn::Set(d, (1u << GlobalCell::kThreadBits) - 1));
    stamp = hn::And(hn::ShiftRight<GlobalCell::kStateBits + GlobalCell::kThreadBits>(bits), hn::Set(d, kLastStamp));
    block = hn::ShiftRight<GlobalCell::kStateBits + GlobalCell::kThreadBits + kStampBits>(bits);
  }
};

template <class D>
HWY_INLINE hn::Vec<D> cell_of(D d, CellState state, const RunView& view, Stamp stamp, std::uint32_t thread) {
  return hn::Set(d, GlobalCell(state, view.block, stamp, thread).bits());
}

template <class D>
HWY_INLINE auto is(D d, const Cells<D>& cells, CellState state) {
  return hn::Eq(cells.state, hn::Set(d, static_cast<std::uint64_t>(state)));
}

template <class D>
HWY_INLINE hn::Vec<D> threads_of(D d, std::uint32_t cell, std::uint32_t cells_shift, const RunView& view) {
  return hn::ShiftRightSame(hn::Iota(d, cell), static_cast<int>(cells_shift)) + hn::Set(d, view.first_thread);
}

/// Cells that were only read so far.
bool global_load_run(std::uint64_t* cells, std::uint32_t count, std::uint32_t cells_shift, const RunView& view,
                     std::uint32_t& saturated) {
  using enum CellState;
  const Wide d;
  const auto phase = hn::Set(d, view.phase);
  const auto stamp = hn::Set(d, view.stamp);
  const std::uint32_t first_of_warp = view.first_thread / kWarpSize * kWarpSize;
  std::uint32_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const Cells<Wide> old(d, cells + i);
    if (!hn::AllTrue(d, hn::Lt(old.state, hn::Set(d, static_cast<std::uint64_t>(written))))) return false;
    const auto threads = threads_of(d, i, cells_shift, view);
    const auto none = is(d, old, empty);
    const auto many = is(d, old, read_by_blocks);
    const auto other_block = hn::Ne(old.block, hn::Set(d, view.block));
    const auto before_phase = hn::Lt(old.stamp, phase);
    const auto same_thread = hn::And(is(d, old, read_by_one), hn::Eq(old.thread, threads));
    const auto same_warp =
        hn::And(hn::Ne(old.state, hn::Set(d, static_cast<std::uint64_t>(read_by_block))),
                hn::Eq(hn::And(old.thread, hn::Set(d, ~std::uint64_t{kWarpSize - 1})), hn::Set(d, first_of_warp)));
    const auto before_stamp = hn::Lt(old.stamp, stamp);

    const auto mine =
        hn::Or(cell_of(d, read_by_one, view, view.stamp, 0), hn::ShiftLeft<GlobalCell::kStateBits>(threads));
    const auto alone = hn::Or(hn::Or(none, before_phase), hn::Or(same_thread, hn::And(same_warp, before_stamp)));
    auto next = cell_of(d, read_by_block, view, view.phase, 0);
    next = hn::IfThenElse(same_warp, cell_of(d, read_by_warp, view, view.stamp, first_of_warp), next);
    next = hn::IfThenElse(alone, mine, next);
    const auto saturates = hn::AndNot(none, hn::Or(other_block, many));
    next = hn::IfThenElse(saturates, hn::Set(d, GlobalCell(read_by_blocks).bits()), next);
    saturated += static_cast<std::uint32_t>(hn::CountTrue(d, hn::AndNot(many, saturates)));
    hn::StoreU(next, d, cells + i);
  }
  return i == count;
}

/// Cells that nobody of another thread touched since a barrier, and nobody of another block.
bool global_store_run(std::uint64_t* cells, std::uint32_t count, std::uint32_t cells_shift, const RunView& view) {
  using enum CellState;
  const Wide d;
  const auto phase = hn::Set(d, view.barriers_settled ? view.phase : 0);
  // A write that a barrier has settled may say something about that barrier.
  const auto first_unjudged =
      hn::Set(d, static_cast<std::uint64_t>(view.barriers_settled ? updated_by_blocks : block_settled_read_by_one));
  std::uint32_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const Cells<Wide> old(d, cells + i);
    const auto threads = threads_of(d, i, cells_shift, view);
    const auto one = hn::Or(hn::Or(is(d, old, read_by_one), is(d, old, written)),
                            hn::Or(is(d, old, warp_settled_read_by_one), is(d, old, block_settled_read_by_one)));
    const auto own = hn::And(one, hn::Eq(old.thread, threads));
    const auto known = hn::AndNot(is(d, old, read_by_blocks), hn::Eq(old.block, hn::Set(d, view.block)));
    const auto ordered = hn::And(known, hn::Or(own, hn::Lt(old.stamp, phase)));
    const auto judged = hn::And(ordered, hn::Lt(old.state, first_unjudged));
    if (!hn::AllTrue(d, hn::Or(is(d, old, empty), judged))) return false;
    const auto mine = hn::Or(cell_of(d, written, view, view.stamp, 0), hn::ShiftLeft<GlobalCell::kStateBits>(threads));
    hn::StoreU(mine, d, cells + i);
  }
  return i == count;
}

}  // namespace

ShadowKernels kernels() {
  return {all_marked,   all_inside,   half_shape,      words_equal,      shared_load,
          shared_loads, shared_store, global_load_run, global_store_run, hwy::TargetName(HWY_TARGET)};
}

}  // namespace cudalabs::vgpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace cudalabs::vgpu {

HWY_EXPORT(kernels);

const ShadowKernels& shadow_kernels() {
  static const ShadowKernels chosen = HWY_DYNAMIC_DISPATCH(kernels)();
  return chosen;
}

std::vector<ShadowKernels> all_shadow_kernels() {
  shadow_kernels();  // chosen before the mock below
  std::vector<ShadowKernels> result;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    result.push_back(HWY_DYNAMIC_DISPATCH(kernels)());
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return result;
}

}  // namespace cudalabs::vgpu

#endif  // HWY_ONCE
