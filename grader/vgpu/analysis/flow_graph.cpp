// Walks over graphs, none of them recursive: hostile code may nest as deeply as it likes.
#include "vgpu/analysis/flow_graph.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>

namespace cudalabs::vgpu {

Ways predecessors(const Ways& ways) {
  Ways before(ways.size());
  for (std::uint32_t node = 0; node < ways.size(); ++node) {
    for (const std::uint32_t next : ways[node]) before[next].push_back(node);
  }
  return before;
}

std::vector<bool> reached_from(const Ways& ways, std::uint32_t node) {
  std::vector<bool> reached(ways.size());
  std::vector<std::uint32_t> pending = ways[node];
  while (!pending.empty()) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (reached[at]) continue;
    reached[at] = true;
    pending.insert(pending.end(), ways[at].begin(), ways[at].end());
  }
  return reached;
}

DepthFirst depth_first(const Ways& ways) {
  enum class State : std::uint8_t { fresh, open, done };
  DepthFirst found;
  std::vector<State> states(ways.size(), State::fresh);
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{0, 0}};
  states[0] = State::open;
  while (!path.empty()) {
    auto& [node, way] = path.back();
    const auto& next = ways[node];
    if (way == next.size()) {
      states[node] = State::done;
      found.order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::uint32_t to = next[way++];
    if (states[to] == State::open) found.backs.emplace_back(node, to);
    if (states[to] != State::fresh) continue;
    states[to] = State::open;
    path.emplace_back(to, 0);
  }
  std::ranges::reverse(found.order);
  return found;
}

namespace {

/// From the entry to a node that leaves, both included; nothing where there is no way.
std::vector<std::uint32_t> some_way_out(const Ways& ways, const std::vector<bool>& leaves) {
  std::vector<std::uint32_t> from(ways.size(), std::numeric_limits<std::uint32_t>::max()), pending{0};
  from[0] = 0;
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    if (leaves[node]) {
      std::vector<std::uint32_t> way{node};
      while (way.back() != 0) way.push_back(from[way.back()]);
      std::ranges::reverse(way);
      return way;
    }
    for (const std::uint32_t next : ways[node]) {
      if (from[next] != std::numeric_limits<std::uint32_t>::max()) continue;
      from[next] = node;
      pending.push_back(next);
    }
  }
  return {};
}

}  // namespace

// One way out is walked, and from each of its nodes what can be reached beside it: a node of the way is passed in any
// case where nothing before it leads round it.
std::vector<bool> on_every_way(const Ways& ways, const std::vector<bool>& leaves) {
  std::vector<bool> certain(ways.size());
  if (ways.empty()) return certain;
  const std::vector<std::uint32_t> way = some_way_out(ways, leaves);
  constexpr std::size_t kBeside = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> place(ways.size(), kBeside);
  for (std::size_t i = 0; i < way.size(); ++i) place[way[i]] = i;
  std::vector<bool> seen(ways.size());
  std::size_t furthest = 0;
  for (std::size_t i = 0; i < way.size(); ++i) {
    certain[way[i]] = furthest <= i;
    for (std::vector<std::uint32_t> pending{way[i]}; !pending.empty();) {
      const std::uint32_t node = pending.back();
      pending.pop_back();
      if (leaves[node]) furthest = way.size();
      for (const std::uint32_t next : ways[node]) {
        if (place[next] != kBeside) {
          furthest = std::max(furthest, place[next]);
        } else if (!seen[next]) {
          seen[next] = true;
          pending.push_back(next);
        }
      }
    }
  }
  return certain;
}

namespace {

// Bourdoncle's algorithm, with a stack of its own: hostile code may nest as deeply as it likes. Strongly connected
// components are found by Tarjan's method; a component's head is taken out and the rest is ordered the same way.
class WeakTopologicalOrder {
 public:
  explicit WeakTopologicalOrder(const Ways& ways) : ways_(ways), number_(ways.size(), 0) {}

  std::vector<std::uint32_t> order() {
    visit(0);
    std::reverse(reversed_.begin(), reversed_.end());
    return std::move(reversed_);
  }

 private:
  static constexpr std::uint32_t kDone = std::numeric_limits<std::uint32_t>::max();

  // Visiting a node is a frame; ordering a component's inside visits its head's successors again.
  struct Frame {
    std::uint32_t node = 0;
    std::size_t next = 0;     // successor to look at
    std::uint32_t least = 0;  // smallest number seen
    bool loop = false;
    bool inside = false;                 // ordering the component's inside
    std::vector<std::uint32_t> outer{};  // what was found so far, while the inside is ordered
  };

  void enter(std::uint32_t node) {
    stack_.push_back(node);
    number_[node] = ++counter_;
    frames_.push_back({.node = node, .least = number_[node]});
  }

  void visit(std::uint32_t root) {
    enter(root);
    std::uint32_t result = 0;  // `least` of the frame that just ended
    bool returned = false;
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const std::vector<std::uint32_t>& next = ways_[frame.node];
      if (returned) {
        returned = false;
        if (!frame.inside && result <= frame.least) {
          frame.least = result;
          frame.loop = true;
        }
      }
      bool descended = false;
      while (frame.next < next.size()) {
        const std::uint32_t follower = next[frame.next++];
        if (number_[follower] == 0) {
          enter(follower);
          descended = true;
          break;
        }
        if (!frame.inside && number_[follower] != kDone && number_[follower] <= frame.least) {
          frame.least = number_[follower];
          frame.loop = true;
        }
      }
      if (descended) continue;
      if (frame.inside) {
        // The component is ordered: its head, then its inside.
        reversed_.push_back(frame.node);
        std::vector<std::uint32_t> component = std::move(reversed_);
        reversed_ = std::move(frame.outer);
        reversed_.insert(reversed_.end(), component.begin(), component.end());
        result = frame.least;
        frames_.pop_back();
        returned = true;
        continue;
      }
      if (frame.least == number_[frame.node]) {
        number_[frame.node] = kDone;
        std::uint32_t element = stack_.back();
        stack_.pop_back();
        if (frame.loop) {
          while (element != frame.node) {
            number_[element] = 0;
            element = stack_.back();
            stack_.pop_back();
          }
          frame.inside = true;
          frame.next = 0;
          frame.outer = std::exchange(reversed_, {});
          continue;
        }
        reversed_.push_back(frame.node);
      }
      result = frame.least;
      frames_.pop_back();
      returned = true;
    }
  }

  const Ways& ways_;
  std::vector<std::uint32_t> number_;
  std::uint32_t counter_ = 0;
  std::vector<std::uint32_t> stack_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> reversed_;
};

}  // namespace

std::vector<std::uint32_t> weak_topological_order(const Ways& ways) {
  return WeakTopologicalOrder(ways).order();
}

namespace {

constexpr std::size_t kMostNodes = 4000;  // beyond, each is a region of its own

}  // namespace

std::vector<std::vector<std::uint32_t>> loop_regions(const Ways& ways) {
  const std::size_t nodes = ways.size();
  if (nodes == 0) return {};
  const DepthFirst found = depth_first(ways);
  if (nodes > kMostNodes) {
    std::vector<std::vector<std::uint32_t>> each;
    for (const std::uint32_t node : found.order) each.push_back({node});
    return each;
  }
  const Ways before = predecessors(ways);
  std::map<std::uint32_t, std::vector<bool>> loops;  // by head: who is in it
  for (const auto& [from, head] : found.backs) {
    std::vector<bool>& inside = loops.try_emplace(head, nodes, false).first->second;
    inside[head] = true;
    std::vector<std::uint32_t> pending{from};
    while (!pending.empty()) {
      const std::uint32_t node = pending.back();
      pending.pop_back();
      if (inside[node]) continue;
      inside[node] = true;
      pending.insert(pending.end(), before[node].begin(), before[node].end());
    }
  }
  constexpr std::uint32_t kOutside = ~0u;
  std::vector<std::uint32_t> head_of(nodes, kOutside);
  std::vector<std::size_t> size_of(nodes, nodes + 1);
  for (const auto& [head, inside] : loops) {
    const auto size = static_cast<std::size_t>(std::ranges::count(inside, true));
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (!inside[node] || size >= size_of[node]) continue;
      head_of[node] = head;
      size_of[node] = size;
    }
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> regions;
  for (const std::uint32_t node : found.order) regions[head_of[node]].push_back(node);
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& [head, members] : regions) result.push_back(std::move(members));
  return result;
}

}  // namespace cudalabs::vgpu
