// The rules of the shared cells.
#include "vgpu/check/shared_shadow.h"

#include <algorithm>

#include "vgpu/check/launch_log.h"

namespace cudalabs::vgpu {

using namespace shared_cell;

void SharedShadow::resize(std::uint32_t bytes) {
  const std::size_t cells = (std::size_t{bytes} + 3) / 4 << (2 - shift_);
  if (writes_.size() >= cells) return;
  writes_.resize(cells);
  reads_.resize(cells);
}

void SharedShadow::begin_block(bool stamps_go_on) {
  if (!stamps_go_on) {
    std::fill(writes_.begin(), writes_.end(), 0);
    std::fill(reads_.begin(), reads_.end(), 0);
  }
  oldest_ = half(phases_.phase(), 0, 0);
}

void SharedShadow::split() {
  for (auto* halves : {&writes_, &reads_}) {
    std::vector<Half> bytes(halves->size() * 4);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = (*halves)[i / 4];
    *halves = std::move(bytes);
  }
  shift_ = 0;
}

bool SharedShadow::access(const WarpAccess& a) {
  if (a.bytes < 4 && shift_ != 0) split();
  if (a.active == ~0u && a.bytes == 4 && shift_ == 2 && a.kind != AccessKind::atomic) return whole_warp(a);
  switch (a.kind) {
    case AccessKind::load:
      return for_each_cell(a, [this](auto... args) { return load(args...); });
    case AccessKind::store:
      return for_each_cell(a, [this](auto... args) { return store(args...); });
    case AccessKind::atomic:
      return for_each_cell(a, [this](auto... args) { return update(args...); });
  }
  return false;
}

RunView SharedShadow::view_of(std::uint32_t warp) const {
  return {warp * kWarpSize, phases_.stamp(warp), phases_.phase(), stamp_of(oldest_), 0, barriers_.settled()};
}

bool SharedShadow::load_run(const LoadRun& run) {
  bool clean = true;
  std::uint32_t done = 0;
  while (done < run.count) {
    if (run.first.bytes == 4 && shift_ == 2) {
      const std::uint64_t offset = run.first.address[0] + done * run.advance;
      const LoadSteps steps{run.rows, offset, run.first.address[kHalfWarp] - run.first.address[0], run.advance,
                            run.count - done};
      done += kernels_.shared_loads(steps, reads_.data(), writes_.data(), view_of(run.first.warp));
    }
    if (done == run.count) break;
    run.visit(done, done + 1, [&](const WarpAccess& load) { clean &= access(load); });
    ++done;
  }
  return clean;
}

bool SharedShadow::whole_warp(const WarpAccess& a) {
  const RunView view = view_of(a.warp);
  const bool loads = a.kind == AccessKind::load;
  const unsigned left = loads ? kernels_.shared_load(a.address, reads_.data(), writes_.data(), view)
                              : kernels_.shared_store(a.address, reads_.data(), writes_.data(), view);
  if (left == 0) return true;
  WarpAccess rest = a;
  rest.active = (left & 1 ? 0xFFFFu : 0) | (left & 2 ? 0xFFFF0000u : 0);
  return loads ? for_each_cell(rest, [this](auto... args) { return load(args...); })
               : for_each_cell(rest, [this](auto... args) { return store(args...); });
}

template <class Cell>
bool SharedShadow::for_each_cell(const WarpAccess& a, Cell cell) {
  ThreadView view{0, phases_.stamp(a.warp), phases_.phase()};
  const std::size_t cells = std::max<std::size_t>(1, std::size_t{a.bytes} >> shift_);
  bool clean = true;
  for (LaneMask lanes = a.active; lanes != 0; lanes &= lanes - 1) {
    view.thread = first_thread(a.warp, lanes);
    const std::size_t first = a.address[first_lane(lanes)] >> shift_;
    for (std::size_t i = first; i < first + cells; ++i) clean &= cell(i, view);
  }
  return clean;
}

bool SharedShadow::load(std::size_t cell, const ThreadView& view) {
  const Half reads = reads_[cell];
  // Several warps have read it in this phase: the write, if any, was before the barrier that began the phase.
  if (reads == half(view.phase, kSeveralWarps, 0)) return true;
  const bool clean = ordered_after_write(of_this_block(writes_[cell]), view);
  reads_[cell] = with_read(of_this_block(reads), view);
  return clean;
}

bool SharedShadow::store(std::size_t cell, const ThreadView& view) {
  const bool after_write = ordered_after_write(of_this_block(writes_[cell]), view);
  const bool after_reads = ordered_after_reads(of_this_block(reads_[cell]), view);
  writes_[cell] = half(view.stamp, kPlain, view.thread);
  reads_[cell] = 0;
  return after_write && after_reads;
}

bool SharedShadow::update(std::size_t cell, const ThreadView& view) {
  const Half write = of_this_block(writes_[cell]);
  const Half reads = of_this_block(reads_[cell]);
  bool clean = true;
  // Atomics do not race with one another; what they must be ordered after, they must be ordered after whichever of the
  // block makes them, for the cell does not say who did.
  if (!(write != 0 && kind_of(write) == kAtomics)) {
    if (stamp_of(write) >= view.phase) clean = false;
    note_separation(write, false, view);
  }
  if (stamp_of(reads) >= view.phase) clean = false;
  note_separation(reads, false, view);
  writes_[cell] = half(view.phase, kAtomics, 0);
  reads_[cell] = 0;
  return clean;
}

bool SharedShadow::ordered_after_write(Half write, const ThreadView& view) {
  if (write == 0) return true;
  const bool plain = kind_of(write) == kPlain;
  if (plain && thread_of(write) == view.thread) return true;
  const bool same_warp = plain && thread_of(write) / kWarpSize == view.thread / kWarpSize;
  if (stamp_of(write) < view.phase) {
    note_separation(write, same_warp, view);
    return true;
  }
  return same_warp && stamp_of(write) < view.stamp;
}

bool SharedShadow::ordered_after_reads(Half reads, const ThreadView& view) {
  if (reads == 0) return true;
  const Half kind = kind_of(reads);
  const bool one = kind == kOne || kind == kOneAfterOthers;
  if (kind == kOneAfterOthers && !barriers_.settled()) barriers_.separates_unknown();
  if (one && thread_of(reads) == view.thread) return true;
  const bool same_warp = kind != kSeveralWarps && thread_of(reads) / kWarpSize == view.thread / kWarpSize;
  if (stamp_of(reads) < view.phase) {
    note_separation(reads, same_warp, view);
    return true;
  }
  return same_warp && stamp_of(reads) < view.stamp;
}

shared_cell::Half SharedShadow::with_read(Half reads, const ThreadView& view) const {
  const Half kind = kind_of(reads);
  const bool one = kind == kOne || kind == kOneAfterOthers;
  if (reads == 0) return half(view.stamp, kOne, view.thread);
  if (one && thread_of(reads) == view.thread) return half(view.stamp, kind, view.thread);
  if (stamp_of(reads) < view.phase) return half(view.stamp, kOneAfterOthers, view.thread);
  if (kind != kSeveralWarps && thread_of(reads) / kWarpSize == view.thread / kWarpSize) {
    if (stamp_of(reads) < view.stamp) return half(view.stamp, kOneAfterOthers, view.thread);
    return half(view.stamp, kOneWarp, view.thread / kWarpSize * kWarpSize);
  }
  return half(view.phase, kSeveralWarps, 0);
}

/// An earlier access of another thread, in conflict with the one at hand, and a barrier since: was it the barrier?
void SharedShadow::note_separation(Half earlier, bool same_warp, const ThreadView& view) {
  if (earlier == 0 || stamp_of(earlier) >= view.phase || barriers_.settled()) return;
  if (same_warp && phases_.synced_since(view.thread / kWarpSize, stamp_of(earlier))) return;
  barriers_.separates(stamp_of(earlier));
}

}  // namespace cudalabs::vgpu
