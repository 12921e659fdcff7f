// Loops and conditions around a barrier, in functions drawn as blocks of one instruction: instruction b is block b's.
#include "vgpu/check/barrier_place.h"

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

BarrierPlace place_in(const Ways& ways, std::uint32_t barrier) {
  ScheduleTable::Function function;
  for (std::uint32_t block = 0; block < ways.size(); ++block) function.blocks.push_back({block, 1, 0});
  function.ways = ways;
  return barrier_place(function, barrier);
}

}  // namespace

TEST_CASE("a barrier in no loop has no place in one", "[barrier]") {
  // 0 asks, 1 is the barrier.
  const BarrierPlace place = place_in({{1, 2}, {2}, {}}, 1);
  CHECK(place.loop.empty());
  CHECK_FALSE(place.skipped_at);
}

TEST_CASE("a barrier that every round of its loop comes to", "[barrier]") {
  // 0, the head 1, the barrier 2, the end 3; and the same with the question at the loop's end.
  const BarrierPlace place = place_in({{1}, {2, 3}, {1}, {}}, 2);
  CHECK(place.loop == std::vector<std::uint32_t>{1, 2});
  CHECK_FALSE(place.skipped_at);
  CHECK(place.in_loop_with(1));
  CHECK_FALSE(place.in_loop_with(0));
  CHECK_FALSE(place_in({{1}, {2}, {1, 3}, {}}, 1).skipped_at);
}

TEST_CASE("a condition in the loop by which a round goes past the barrier", "[barrier]") {
  // The head 1, a condition 2, the barrier 3, the step 4, the end 5.
  const BarrierPlace place = place_in({{1}, {2, 5}, {3, 4}, {4}, {1}, {}}, 3);
  CHECK(place.skipped_at == 2u);
  // Of two conditions the one that is nearer.
  CHECK(place_in({{1}, {2, 6}, {3, 5}, {4, 5}, {5}, {1}, {}}, 4).skipped_at == 3u);
  // Of a loop 2 with its body 3 in the loop 1, before the barrier 4, no round goes past the barrier.
  CHECK_FALSE(place_in({{1}, {2, 5}, {3, 4}, {2}, {1}, {}}, 4).skipped_at);
  // But one does that leaves both from within.
  CHECK(place_in({{1}, {2, 6}, {3, 5}, {2, 4}, {1}, {4}, {}}, 5).skipped_at == 3u);
  // A condition after the barrier, or one whose sides meet before it, decides nothing.
  CHECK_FALSE(place_in({{1}, {2, 5}, {3, 4}, {4}, {1}, {}}, 4).skipped_at);
  CHECK_FALSE(place_in({{1}, {2, 5}, {3, 4}, {4}, {1}, {}}, 1).skipped_at);
}
