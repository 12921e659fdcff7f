// Questions about which node of a program leads to which: blocks of PTX, and blocks of the decoder's own form.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace cudalabs::vgpu {

/// By node: where it leads, in the program's order. Node 0 is the entry, from which not all can be reached.
using Ways = std::vector<std::vector<std::uint32_t>>;

/// By node: which lead to it.
Ways predecessors(const Ways& ways);

/// By node: whether it can be reached from `node` by at least one way.
std::vector<bool> reached_from(const Ways& ways, std::uint32_t node);

struct DepthFirst {
  std::vector<std::uint32_t> order;                            // those that can be reached, reverse postorder
  std::vector<std::pair<std::uint32_t, std::uint32_t>> backs;  // ways to a node on the way from the entry
};
DepthFirst depth_first(const Ways& ways);

/// By node: whether every way from the entry to a node that `leaves` the program goes through it; all false where no
/// such node can be reached.
std::vector<bool> on_every_way(const Ways& ways, const std::vector<bool>& leaves);

/// The nodes that can be reached, each loop in one piece and its head first: Bourdoncle's weak topological order. Takes
/// quadratic time at worst.
std::vector<std::uint32_t> weak_topological_order(const Ways& ways);

/// The parts of a program that are executed about equally often: iterations of loops, and what is outside of them. Each
/// node that can be reached once, in exactly one region; regions and their nodes in an order in which they can be
/// executed. A node belongs to the smallest loop around it. Of very large programs each node is a region.
std::vector<std::vector<std::uint32_t>> loop_regions(const Ways& ways);

}  // namespace cudalabs::vgpu
