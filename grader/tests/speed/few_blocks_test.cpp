// What is said where a launch has fewer blocks than the GPU has multiprocessors.
#include "speed/few_blocks.h"

#include <array>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::speed;

TEST_CASE("a GPU whose multiprocessors have no blocks is named, unless some launch has enough of them") {
  const vgpu::DeviceModel device = vgpu::device_model("t4");
  std::array<vgpu::LaunchCounters, 2> launches;
  for (vgpu::LaunchCounters& launch : launches) launch.config.grid = {1, 1, 1};
  CHECK(few_blocks_advice(device, launches)
            .starts_with("the largest launch has 1 block, and the NVIDIA T4 has 40 multiprocessors: "));
  launches[0].config.grid = {13, 3, 1};
  CHECK(few_blocks_advice(device, launches).starts_with("the largest launch has 39 blocks"));
  launches[0].config.grid = {40, 1, 1};
  CHECK(few_blocks_advice(device, launches).empty());
  CHECK(few_blocks_advice(device, {}).empty());
}
