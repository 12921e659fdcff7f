// Graphs worked out by hand: what reaches what, in which order, and what belongs to a loop.
#include "vgpu/analysis/flow_graph.h"

#include <algorithm>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

// 0 -> 1 -> 2 -> 1 (a loop), 2 -> 3; nobody reaches 4, which leads to 3.
const Ways kLoop{{1}, {2}, {1, 3}, {}, {3}};

// An outer loop 1-4 around an inner loop 2-3, then 5.
const Ways kNest{{1}, {2}, {3}, {2, 4}, {1, 5}, {}};

}  // namespace

TEST_CASE("predecessors are the ways turned round", "[vgpu]") {
  CHECK(predecessors(kLoop) == Ways{{}, {0, 2}, {1}, {2, 4}, {}});
}

TEST_CASE("a node reaches itself only around a loop", "[vgpu]") {
  CHECK(reached_from(kLoop, 0) == std::vector<bool>{false, true, true, true, false});
  CHECK(reached_from(kLoop, 1) == std::vector<bool>{false, true, true, true, false});
  CHECK(reached_from(kLoop, 3) == std::vector<bool>(5));
}

TEST_CASE("depth first: each node before those it leads to, but for ways back", "[vgpu]") {
  const DepthFirst found = depth_first(kLoop);
  CHECK(found.order == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(found.backs == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 1}});
  const DepthFirst itself = depth_first({{0}});
  CHECK(itself.backs == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}});
}

TEST_CASE("what every way out goes through", "[vgpu]") {
  const auto certain = [](const Ways& ways, std::vector<std::uint32_t> leaving) {
    std::vector<bool> leaves(ways.size());
    for (const std::uint32_t node : leaving) leaves[node] = true;
    std::vector<std::uint32_t> nodes;
    const std::vector<bool> found = on_every_way(ways, leaves);
    for (std::uint32_t node = 0; node < found.size(); ++node) {
      if (found[node]) nodes.push_back(node);
    }
    return nodes;
  };
  using Nodes = std::vector<std::uint32_t>;
  CHECK(certain(kLoop, {3}) == Nodes{0, 1, 2, 3});
  CHECK(certain(kNest, {5}) == Nodes{0, 1, 2, 3, 4, 5});
  CHECK(certain({{1, 2}, {2}, {}}, {2}) == Nodes{0, 2});                  // an if
  CHECK(certain({{2, 1}, {2}, {}}, {2}) == Nodes{0, 2});                  // the same, the other way first
  CHECK(certain({{1, 2}, {3}, {3}, {}}, {3}) == Nodes{0, 3});             // both arms
  CHECK(certain({{1}, {2, 3}, {1}, {}}, {3}) == Nodes{0, 1, 3});          // a loop that may have no round
  CHECK(certain({{1, 2}, {}, {}}, {1, 2}) == Nodes{0});                   // returns early
  CHECK(certain({{1}, {2}, {}}, {1, 2}) == Nodes{0, 1});                  // may leave, or go on
  CHECK(certain({{1}, {2, 3}, {1, 4}, {4}, {}}, {4}) == Nodes{0, 1, 4});  // a loop with two ends
  CHECK(certain({{1}, {0}}, {}).empty());
  CHECK(certain({}, {}).empty());
}

TEST_CASE("a loop is in one piece, whatever its exits are called", "[vgpu]") {
  // 0 -> 1; 1 leaves to 2 or goes on to 3, which goes back: 2 must come after 3.
  CHECK(weak_topological_order({{1}, {2, 3}, {}, {1}}) == std::vector<std::uint32_t>{0, 1, 3, 2});
  CHECK(weak_topological_order(kNest) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
  const std::vector<std::uint32_t> reached = weak_topological_order(kLoop);
  CHECK(std::ranges::find(reached, 4u) == reached.end());
}

TEST_CASE("a chain as long as hostile code makes it needs no stack", "[vgpu]") {
  Ways chain(100'000);
  for (std::uint32_t node = 0; node + 1 < chain.size(); ++node) chain[node] = {node + 1};
  CHECK(weak_topological_order(chain).size() == chain.size());
  CHECK(depth_first(chain).order.back() == chain.size() - 1);
}

TEST_CASE("a node is in the smallest loop around it", "[vgpu]") {
  using Regions = std::vector<std::vector<std::uint32_t>>;
  Regions regions = loop_regions(kNest);
  std::ranges::sort(regions);
  CHECK(regions == Regions{{0, 5}, {1, 4}, {2, 3}});
  CHECK(loop_regions({}).empty());
  CHECK(loop_regions(kLoop).size() == 2);
}

TEST_CASE("of a very large program each node is a region", "[vgpu]") {
  Ways chain(5000);
  for (std::uint32_t node = 0; node + 1 < chain.size(); ++node) chain[node] = {node + 1};
  chain.back() = {0};
  CHECK(loop_regions(chain).size() == chain.size());
}
