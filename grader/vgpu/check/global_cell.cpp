// The transition rules of global cells.
#include "vgpu/check/global_cell.h"

namespace cudalabs::vgpu {

namespace {

using enum CellState;

enum class Readers { none, one, warp, block };
enum class Writer { none, one, warp_settled, block_settled, atomics };

struct Content {
  Writer writer = Writer::none;
  Readers readers = Readers::none;
};

/// What a cell that knows one block in detail says.
Content content_of(CellState state) {
  switch (state) {
    case read_by_one:
      return {Writer::none, Readers::one};
    case read_by_warp:
      return {Writer::none, Readers::warp};
    case read_by_block:
      return {Writer::none, Readers::block};
    case written:
      return {Writer::one, Readers::none};
    case warp_settled_read_by_one:
      return {Writer::warp_settled, Readers::one};
    case warp_settled_read_by_warp:
      return {Writer::warp_settled, Readers::warp};
    case block_settled_read_by_one:
      return {Writer::block_settled, Readers::one};
    case block_settled_read_by_warp:
      return {Writer::block_settled, Readers::warp};
    case block_settled_read_by_block:
      return {Writer::block_settled, Readers::block};
    case updated_by_block:
    case updated_alone_by_block:
      return {Writer::atomics, Readers::none};
    default:
      return {};
  }
}

CellState state_of(Writer writer, Readers readers) {
  switch (writer) {
    case Writer::warp_settled:
      return readers == Readers::one ? warp_settled_read_by_one : warp_settled_read_by_warp;
    case Writer::block_settled:
      return readers == Readers::one    ? block_settled_read_by_one
             : readers == Readers::warp ? block_settled_read_by_warp
                                        : block_settled_read_by_block;
    default:
      return readers == Readers::one ? read_by_one : readers == Readers::warp ? read_by_warp : read_by_block;
  }
}

bool same_warp(std::uint32_t a, std::uint32_t b) {
  return a / kWarpSize == b / kWarpSize;
}

void note(CellStep& step, GlobalCell cell, const ThreadView& view, bool of_one_warp) {
  step.separated = CellStep::Conflict::since;
  step.since = cell.stamp();
  step.same_warp = of_one_warp && same_warp(cell.thread(), view.thread);
}

/// Adds the read of one thread to readers that the cell knows of, all since the same write.
GlobalCell with_read(GlobalCell cell, Content content, std::uint64_t block, const ThreadView& view) {
  const auto one = [&] { return GlobalCell(state_of(content.writer, Readers::one), block, view.stamp, view.thread); };
  if (content.readers == Readers::none || cell.stamp() < view.phase) return one();
  if (content.readers == Readers::one && cell.thread() == view.thread) return one();
  if (content.readers != Readers::block && same_warp(cell.thread(), view.thread)) {
    if (cell.stamp() < view.stamp) return one();
    return {state_of(content.writer, Readers::warp), block, view.stamp, view.thread / kWarpSize * kWarpSize};
  }
  return {state_of(content.writer, Readers::block), block, view.phase, 0};
}

}  // namespace

CellStep after_load(GlobalCell cell, std::uint64_t block, const ThreadView& view) {
  CellStep step{cell};
  const CellState state = cell.state();
  if (state == read_by_blocks) return step;
  if (state == empty) {
    step.cell = GlobalCell(read_by_one, block, view.stamp, view.thread);
    return step;
  }
  Content content = content_of(state);
  if (state == updated_by_blocks || cell.block() != block) {
    if (content.writer == Writer::none && content.readers != Readers::none) {
      step.cell = GlobalCell(read_by_blocks);
    } else {
      step.clean = false;
    }
    return step;
  }
  const bool before_phase = cell.stamp() < view.phase;
  const bool of_own_warp = same_warp(cell.thread(), view.thread);
  switch (content.writer) {
    case Writer::none:
      break;
    case Writer::one:
      if (before_phase) {
        if (cell.thread() != view.thread) note(step, cell, view, true);
        content.writer = Writer::block_settled;
      } else if (of_own_warp && cell.stamp() < view.stamp) {
        content.writer = Writer::warp_settled;
      } else {
        // A thread reading back its own write changes nothing: nobody has been ordered after the one and not the other.
        step.clean = cell.thread() == view.thread;
        return step;
      }
      break;
    case Writer::warp_settled:
      if (before_phase) {
        if (!of_own_warp) note(step, cell, view, false);
        content.writer = Writer::block_settled;
      } else if (!of_own_warp) {
        step.clean = false;
        return step;
      }
      break;
    case Writer::block_settled:
      if (content.readers != Readers::one || cell.thread() != view.thread) {
        step.separated = CellStep::Conflict::unknown;
      }
      break;
    case Writer::atomics:
      if (!before_phase) {
        step.clean = false;
        return step;
      }
      note(step, cell, view, false);
      content.writer = Writer::block_settled;
      break;
  }
  step.cell = with_read(cell, content, block, view);
  return step;
}

CellStep after_store(GlobalCell cell, std::uint64_t block, const ThreadView& view) {
  CellStep step{GlobalCell(written, block, view.stamp, view.thread)};
  const CellState state = cell.state();
  if (state == empty) return step;
  if (state == read_by_blocks || state == updated_by_blocks || cell.block() != block) {
    step.clean = false;
    return step;
  }
  const Content content = content_of(state);
  // The stamp is that of the last access, which is by one thread, by one warp, or by any of the block.
  const bool by_one = content.readers == Readers::one || content.writer == Writer::one;
  const bool by_warp = content.readers == Readers::warp;
  const bool own = by_one && cell.thread() == view.thread;
  const bool own_warp = (by_one || by_warp) && same_warp(cell.thread(), view.thread);
  if (cell.stamp() < view.phase) {
    if (!own) note(step, cell, view, by_one || by_warp);
  } else {
    step.clean = own || (own_warp && cell.stamp() < view.stamp);
  }
  if (content.writer == Writer::block_settled) step.separated = CellStep::Conflict::unknown;
  return step;
}

CellStep after_atomic(GlobalCell cell, std::uint64_t block, const ThreadView& view, bool narrow) {
  const CellState state = cell.state();
  if (state == updated_by_blocks) return {cell, !narrow};
  const bool alone = narrow || (state != empty && state != updated_by_block);
  CellStep step{GlobalCell(alone ? updated_alone_by_block : updated_by_block, block, view.phase, 0)};
  if (state == empty) return step;
  if (state == read_by_blocks) {
    step.clean = false;
    return step;
  }
  const Content content = content_of(state);
  if (content.writer == Writer::atomics) {
    if (cell.block() != block) {
      step.clean = !alone;
      step.cell = GlobalCell(updated_by_blocks);
    }
    return step;
  }
  // The cell will not say which thread made the atomic, so that plain accesses must be ordered before it for all.
  step.clean = cell.block() == block && cell.stamp() < view.phase;
  if (step.clean) note(step, cell, view, false);
  return step;
}

}  // namespace cudalabs::vgpu
