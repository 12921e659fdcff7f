// Words of shared memory that a block's threads only meet at, such as that of a barrier object: they arrive, look and
// look again, by atomics and strong loads, which conflict with nothing there and come by the million.
#pragma once

#include "vgpu/check/access_history.h"
#include "vgpu/check/race_rules.h"

namespace cudalabs::vgpu {

inline bool polls(const PastAccess& access) {
  return access.strong && access.kind != AccessKind::store;
}

/// Do all words of [address, address + bytes) know of nothing else?
inline bool is_only_polled(AccessHistory& history, std::uint64_t address, std::uint32_t bytes) {
  bool all = true;
  history.visit(address, bytes,
                [&](const AccessHistory::Cell& cell, std::uint64_t, std::uint32_t) { all = all && cell.only_polled; });
  return all;
}

/// Need `old` not be remembered, of the same thread? What lies between a fence and an atomic, that does not hand over.
inline bool forgets(const PastAccess& now, const PastAccess& old) {
  return now.writes() && covers(now, old) && (now.fenced == 0 || old.epoch < now.fenced);
}

/// `now` polls there, too.
inline void remember_poll(AccessHistory& history, std::uint64_t address, std::uint32_t bytes, const PastAccess& now) {
  history.visit(address, bytes, [&](AccessHistory::Cell& cell, std::uint64_t, std::uint32_t) {
    bool recorded = false;
    for (AccessHistory::Index* link = &cell.first; *link != AccessHistory::kEnd;) {
      PastAccess& old = history.node(*link).access;
      const bool same_warp = of_one_warp(old, now);
      if (same_warp && old.alike(now)) {
        old.lanes |= now.lanes;
        old.verified &= ~now.lanes;
        recorded = true;
      } else if (same_warp && forgets(now, old)) {
        old.lanes &= ~now.lanes;
        if (old.lanes == 0) {
          history.remove(*link);
          continue;
        }
      }
      link = &history.node(*link).next;
    }
    if (!recorded) history.push(cell, now);
  });
}

}  // namespace cudalabs::vgpu
