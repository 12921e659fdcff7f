// The rules, written down once more and as plainly as possible:
//  - a thread's events are ordered as it performs them
//  - a barrier or warp synchronisation is one event of all its participants; who only arrives is ordered before it, not
//    after it
//  - a fence f is ordered before an event g of another thread when a strong write after f (by its thread, or by a
//  thread
//    that passed a barrier with it after f) was read, directly or through atomics that followed it, by a strong read
//    before g, and g is a fence, barrier or warp synchronisation of the reader; scopes must include both blocks
//  - a strong write is ordered together with the fence before it
#include "happens_before_oracle.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace cudalabs::vgpu::testing {

namespace {

using Node = std::size_t;
using Thread = std::pair<std::uint64_t, std::uint32_t>;  // block, index

struct Fence {
  Node node;
  std::uint64_t block;
  MemoryScope scope;
  bool operator<(const Fence& o) const { return node < o.node; }
};

struct ThreadState {
  std::optional<Node> last;
  std::set<Fence> released, seen;
  std::optional<Node> last_fence;
  bool fence_is_last_release = false;
};

struct AccessNode {
  Node node;
  const Event* event;
  std::uint32_t lane;
  std::optional<Node> fence;
  bool fence_is_last_release;
  Thread thread() const { return {event->block, event->warp * kWarpSize + lane}; }
};

class Graph {
 public:
  Node add() {
    before_.emplace_back();
    return before_.size() - 1;
  }
  void edge(Node from, Node to) {
    auto& set = before_[to];
    set.resize(to);
    set[from] = true;
    for (Node i = 0; i < before_[from].size(); ++i) {
      if (before_[from][i]) set[i] = true;
    }
  }
  bool ordered(Node a, Node b) const { return a == b || (a < before_[b].size() && before_[b][a]); }

 private:
  std::vector<std::vector<bool>> before_;  // transitive: edges are added in the order of their heads
};

class Builder {
 public:
  explicit Builder(const Script& script) : script_(script) {}

  OracleVerdict run() {
    for (const Event& e : script_.events) event(e);
    return judge();
  }

 private:
  ThreadState& state(const Event& e, std::uint32_t lane) { return threads_[{e.block, e.warp * kWarpSize + lane}]; }

  template <class Visit>
  void each_lane(const Event& e, Visit visit) {
    const LaneMask lanes = e.lanes & script_.lanes_of(e.warp);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      if ((lanes >> lane & 1) != 0) visit(lane);
    }
  }

  Node step(ThreadState& t) {
    const Node node = graph_.add();
    if (t.last) graph_.edge(*t.last, node);
    t.last = node;
    return node;
  }

  void event(const Event& e) {
    switch (e.type) {
      case Event::Type::access:
        each_lane(e, [&](std::uint32_t lane) { access(e, lane); });
        break;
      case Event::Type::fence:
        each_lane(e, [&](std::uint32_t lane) { fence(e, lane); });
        break;
      case Event::Type::warp_sync: {
        std::vector<Thread> all;
        each_lane(e, [&](std::uint32_t lane) { all.emplace_back(e.block, e.warp * kWarpSize + lane); });
        meet(all, {});
        break;
      }
      case Event::Type::arrive:
        each_lane(e, [&](std::uint32_t lane) {
          auto& party = parties_[{e.block, e.barrier}];
          const Thread thread{e.block, e.warp * kWarpSize + lane};
          if (e.arrive_only) {
            ThreadState& t = threads_[thread];
            party.gone.push_back({step(t), t.released});
            t.fence_is_last_release = false;
          } else {
            party.waiting.push_back(thread);
          }
        });
        break;
      case Event::Type::complete: {
        auto& party = parties_[{e.block, e.barrier}];
        if (e.whole_block) {
          party.waiting.clear();
          for (std::uint32_t i = 0; i < script_.threads; ++i) party.waiting.emplace_back(e.block, i);
        }
        meet(party.waiting, party.gone);
        parties_.erase({e.block, e.barrier});
        break;
      }
      default:
        break;
    }
  }

  struct Gone {
    Node node;
    std::set<Fence> released;
  };

  void meet(const std::vector<Thread>& waiting, const std::vector<Gone>& gone) {
    const Node node = graph_.add();
    std::set<Fence> released;
    for (const Thread& thread : waiting) {
      ThreadState& t = threads_[thread];
      if (t.last) graph_.edge(*t.last, node);
      for (const Fence& f : t.seen) acquire(f, thread.first, MemoryScope::device, node);
      released.insert(t.released.begin(), t.released.end());
    }
    for (const Gone& g : gone) {
      graph_.edge(g.node, node);
      released.insert(g.released.begin(), g.released.end());
    }
    for (const Thread& thread : waiting) {
      ThreadState& t = threads_[thread];
      t.last = node;
      t.released = released;
      t.fence_is_last_release = false;
    }
  }

  void acquire(const Fence& f, std::uint64_t block, MemoryScope scope, Node node) {
    const bool inside = f.block == block;
    if (inside || (f.scope != MemoryScope::block && scope != MemoryScope::block)) graph_.edge(f.node, node);
  }

  void fence(const Event& e, std::uint32_t lane) {
    ThreadState& t = state(e, lane);
    const Node node = step(t);
    for (const Fence& f : t.seen) acquire(f, e.block, e.scope, node);
    t.released.insert({node, e.block, e.scope});
    t.last_fence = node;
    t.fence_is_last_release = true;
  }

  void access(const Event& e, std::uint32_t lane) {
    ThreadState& t = state(e, lane);
    accesses_.push_back({step(t), &e, lane, std::nullopt, false});
    auto& location = released_[{e.space, e.space == MemorySpace::shared ? e.block : 0, e.address[lane] / 4}];
    if (!e.strong()) {
      if (e.kind == AccessKind::store) location.clear();
      return;
    }
    const bool acquires = e.order == MemoryOrder::acquire || e.order == MemoryOrder::acq_rel;
    const bool releases = e.order == MemoryOrder::release || e.order == MemoryOrder::acq_rel;
    std::set<Fence> seen;
    if (e.kind != AccessKind::store) seen = location;
    if (e.kind != AccessKind::load) {
      accesses_.back().fence = t.last_fence;
      accesses_.back().fence_is_last_release = t.fence_is_last_release;
      if (e.kind == AccessKind::store) location.clear();
      location.insert(t.released.begin(), t.released.end());
      if (releases) {
        location.insert({step(t), e.block, e.scope});
        t.fence_is_last_release = false;
      }
    }
    if (acquires && !seen.empty()) {
      const Node node = step(t);
      for (const Fence& f : seen) acquire(f, e.block, e.scope, node);
    }
    t.seen.insert(seen.begin(), seen.end());
  }

  bool ordered(const AccessNode& a, const AccessNode& b) const {
    if (graph_.ordered(a.node, b.node)) return true;
    // A strong write goes with its fence.
    if (!a.fence || !graph_.ordered(*a.fence, b.node)) return false;
    return a.event->block != b.event->block || a.fence_is_last_release;
  }

  OracleVerdict judge() const {
    OracleVerdict verdict;
    for (std::size_t j = 0; j < accesses_.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) pair(accesses_[i], accesses_[j], verdict);
    }
    return verdict;
  }

  void pair(const AccessNode& a, const AccessNode& b, OracleVerdict& verdict) const {
    const Event& x = *a.event;
    const Event& y = *b.event;
    if (a.thread() == b.thread() || x.space != y.space) return;
    if (x.space == MemorySpace::shared && x.block != y.block) return;
    if (x.kind == AccessKind::load && y.kind == AccessKind::load) return;
    const bool in_scope = x.block == y.block || (x.scope != MemoryScope::block && y.scope != MemoryScope::block);
    if (x.strong() && y.strong() && in_scope) return;
    const std::uint64_t first = std::max(x.address[a.lane], y.address[b.lane]);
    const std::uint64_t end = std::min(x.address[a.lane] + x.bytes, y.address[b.lane] + y.bytes);
    if (first >= end || ordered(a, b)) return;
    auto& bytes = verdict.races[std::minmax(x.instruction, y.instruction)];
    for (std::uint64_t at = first; at < end; ++at) {
      bytes.emplace(x.space, x.space == MemorySpace::shared ? x.block : 0, at);
    }
  }

  const Script& script_;
  Graph graph_;
  std::map<Thread, ThreadState> threads_;
  struct Party {
    std::vector<Thread> waiting;
    std::vector<Gone> gone;
  };
  std::map<std::pair<std::uint64_t, std::uint32_t>, Party> parties_;
  std::map<std::tuple<MemorySpace, std::uint64_t, std::uint64_t>, std::set<Fence>> released_;
  std::vector<AccessNode> accesses_;
};

}  // namespace

OracleVerdict races_by_brute_force(const Script& script) {
  return Builder(script).run();
}

}  // namespace cudalabs::vgpu::testing
