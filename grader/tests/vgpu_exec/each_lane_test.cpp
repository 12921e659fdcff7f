// The lanes of a mask, one after the other.
#include "vgpu/exec/each_lane.h"

#include <vector>

#include "catch/catch.h"

using namespace cudalabs::vgpu;

namespace {

std::vector<std::uint32_t> lanes_of(LaneMask mask) {
  std::vector<std::uint32_t> lanes;
  for (const std::uint32_t lane : each_lane(mask)) lanes.push_back(lane);
  return lanes;
}

}  // namespace

TEST_CASE("the lanes of a mask come from the lowest to the highest") {
  CHECK(lanes_of(0).empty());
  CHECK(lanes_of(1) == std::vector<std::uint32_t>{0});
  CHECK(lanes_of(0x8000'0000) == std::vector<std::uint32_t>{31});
  CHECK(lanes_of(0x8001'0012) == std::vector<std::uint32_t>{1, 4, 16, 31});
  CHECK(lanes_of(~LaneMask{0}).size() == kWarpSize);
}

TEST_CASE("a mask may change while its lanes are visited") {
  LaneMask mask = 0b1011;
  std::uint32_t visits = 0;
  for (const std::uint32_t lane : each_lane(mask)) {
    mask &= ~(2u << lane);
    ++visits;
  }
  CHECK(visits == 3);
}
