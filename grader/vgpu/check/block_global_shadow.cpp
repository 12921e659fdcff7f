// From warp accesses to cells: what all blocks only read is passed over, runs of consecutive elements go through the
// vector kernels, the rest cell by cell.
#include "vgpu/check/block_global_shadow.h"

#include <algorithm>
#include <array>
#include <bit>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

namespace {

std::uint32_t log2_of(std::uint32_t power) {
  return static_cast<std::uint32_t>(std::countr_zero(power));
}

}  // namespace

bool BlockGlobalShadow::access(const WarpAccess& a) {
  if (a.kind == AccessKind::load &&
      kernels_.all_marked(a.address, a.active, shadow_.base(), shadow_.marks(), shadow_.mark())) {
    return true;
  }
  if (a.active == ~0u && a.kind != AccessKind::atomic) {
    if (a.consecutive) return run(a, 0, kWarpSize);
    const bool first = half_warp(a, 0, kernels_.half_shape(a.address, a.bytes));
    const bool second = half_warp(a, kHalfWarp, kernels_.half_shape(a.address + kHalfWarp, a.bytes));
    return first && second;
  }
  return scattered(a, a.active);
}

/// Of nearly all loads of a run the lines are marked, and those of one are mostly those of the one before it.
bool BlockGlobalShadow::load_run(const LoadRun& run) {
  const std::uint64_t last_byte = (run.rows ? std::uint64_t{kHalfWarp} * run.first.bytes : run.first.bytes) - 1;
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  const auto is_marked = [&](std::uint64_t line) {
    return shadow_.marks()[line].load(std::memory_order_relaxed) == shadow_.mark();
  };
  bool clean = true;
  std::array<std::uint64_t, 2> marked{kNone, kNone};  // by half-warp: the line looked at last, if it was marked
  for (std::uint32_t step = 0; step < run.count; ++step) {
    bool all_marked = true;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint64_t first = shadow_.offset(run.first.address[half * kHalfWarp] + step * run.advance);
      for (std::uint64_t line = first / GlobalShadow::kLineBytes;
           line <= (first + last_byte) / GlobalShadow::kLineBytes; ++line) {
        if (line == marked[half]) continue;
        marked[half] = is_marked(line) ? line : kNone;
        all_marked = all_marked && marked[half] == line;
      }
    }
    if (!all_marked) run.visit(step, step + 1, [&](const WarpAccess& load) { clean &= access(load); });
  }
  return clean;
}

bool BlockGlobalShadow::half_warp(const WarpAccess& a, std::uint32_t first, HalfShape shape) {
  if (shape == HalfShape::consecutive) return run(a, first, kHalfWarp);
  // After two lanes a cell has been read by several lanes of the warp; more make no difference.
  constexpr LaneMask kTwo = 0x3, kAll = (LaneMask{1} << kHalfWarp) - 1;
  return scattered(a, (shape == HalfShape::same && a.kind == AccessKind::load ? kTwo : kAll) << first);
}

/// Consecutive elements, line by line.
bool BlockGlobalShadow::run(const WarpAccess& a, std::uint32_t first, std::uint32_t lanes) {
  bool clean = true;
  for (const std::uint32_t end = first + lanes; first < end;) {
    const std::uint64_t offset = shadow_.offset(a.address[first]);
    const std::uint64_t number = offset / GlobalShadow::kLineBytes;
    const std::uint64_t in_line = offset % GlobalShadow::kLineBytes;
    const std::uint32_t here =
        std::min(end - first, static_cast<std::uint32_t>((GlobalShadow::kLineBytes - in_line) / a.bytes));
    GlobalShadow::Hold hold(shadow_, number, concurrent_);
    const bool words = a.bytes >= GlobalShadow::kWord && hold.line().bytes == 0;
    const std::uint32_t each = words ? a.bytes / GlobalShadow::kWord : a.bytes;  // cells of a lane
    GlobalCell* cell =
        words ? shadow_.words(number) + in_line / GlobalShadow::kWord : bytes(hold.line(), number).data() + in_line;
    const ThreadView view = view_of(a, first);
    const RunView run_view{view.thread, view.stamp, view.phase, 0, block_, barriers_.settled()};
    std::uint32_t saturated = 0;
    const bool done =
        a.kind == AccessKind::load
            ? kernels_.global_load_run(GlobalCell::raw(cell), here * each, log2_of(each), run_view, saturated)
            : kernels_.global_store_run(GlobalCell::raw(cell), here * each, log2_of(each), run_view);
    for (std::uint32_t i = 0; i < here && !done; ++i) {
      clean &= cells(cell + i * each, each, a, view_of(a, first + i), saturated);
    }
    if (words && saturated != 0) shadow_.count_saturated(hold.line(), number, saturated);
    first += here;
  }
  return clean;
}

/// Lane by lane. An access is aligned and lies in one line; a line is held for as long as the next lane stays in it.
bool BlockGlobalShadow::scattered(const WarpAccess& a, LaneMask lanes) {
  bool clean = true;
  while (lanes != 0) {
    const std::uint64_t number = shadow_.offset(a.address[first_lane(lanes)]) / GlobalShadow::kLineBytes;
    const std::uint64_t begin = number * GlobalShadow::kLineBytes;
    GlobalShadow::Hold hold(shadow_, number, concurrent_);
    const bool words = a.bytes >= GlobalShadow::kWord && hold.line().bytes == 0;
    const std::uint32_t cell_bytes = words ? GlobalShadow::kWord : 1;
    GlobalCell* const line = words ? shadow_.words(number) : bytes(hold.line(), number).data();
    std::uint32_t saturated = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const std::uint32_t lane = first_lane(lanes);
      const std::uint64_t in_line = shadow_.offset(a.address[lane]) - begin;
      if (in_line >= GlobalShadow::kLineBytes) break;
      clean &= cells(line + in_line / cell_bytes, a.bytes / cell_bytes, a, view_of(a, lane), saturated);
    }
    if (words && saturated != 0) shadow_.count_saturated(hold.line(), number, saturated);
  }
  return clean;
}

/// Steps the cells of one lane; adds to `saturated` those that several blocks have read now and had not before.
bool BlockGlobalShadow::cells(GlobalCell* cell, std::uint32_t count, const WarpAccess& a, const ThreadView& view,
                              std::uint32_t& saturated) {
  bool clean = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const GlobalCell before = cell[i];
    // A thread that reads again what only it has read: common in loops, and nothing changes.
    if (a.kind == AccessKind::load && before == GlobalCell(CellState::read_by_one, block_, view.stamp, view.thread))
      continue;
    const CellStep step = a.kind == AccessKind::load ? after_load(before, block_, view)
                          : a.kind == AccessKind::store
                              ? after_store(before, block_, view)
                              : after_atomic(before, block_, view, a.scope < MemoryScope::device);
    cell[i] = step.cell;
    saturated += step.cell.state() == CellState::read_by_blocks && before.state() != CellState::read_by_blocks;
    if (step.separated != CellStep::Conflict::none && !barriers_.settled()) note_separation(step, view);
    clean &= step.clean;
  }
  return clean;
}

void BlockGlobalShadow::note_separation(const CellStep& step, const ThreadView& view) {
  if (step.separated == CellStep::Conflict::unknown) return barriers_.separates_unknown();
  if (step.same_warp && phases_.synced_since(view.thread / kWarpSize, step.since)) return;
  barriers_.separates(step.since);
}

}  // namespace cudalabs::vgpu
