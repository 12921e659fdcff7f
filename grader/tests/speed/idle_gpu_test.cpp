// What is said where a launch has too few blocks or warps for the GPU.
#include "speed/idle_gpu.h"

#include <array>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::speed;

TEST_CASE("a GPU whose multiprocessors have no blocks is named, unless some launch has enough of them") {
  const vgpu::DeviceModel device = vgpu::device_model("t4");
  std::array<vgpu::LaunchCounters, 2> launches;
  for (vgpu::LaunchCounters& launch : launches) {
    launch.config.grid = {1, 1, 1};
    launch.config.block = {128, 1, 1};
  }
  CHECK(idle_gpu_advice(device, launches)
            .starts_with("the largest launch has 1 block, and the NVIDIA T4 has 40 multiprocessors: "));
  launches[0].config.grid = {13, 3, 1};
  CHECK(idle_gpu_advice(device, launches).starts_with("the largest launch has 39 blocks"));
  launches[0].config.grid = {40, 1, 1};
  CHECK(idle_gpu_advice(device, launches).empty());
  CHECK(idle_gpu_advice(device, {}).empty());
}

TEST_CASE("a GPU is named that could execute more warps at a time, unless some launch has as many") {
  const vgpu::DeviceModel device = vgpu::device_model("t4");
  std::array<vgpu::LaunchCounters, 2> launches;
  for (vgpu::LaunchCounters& launch : launches) {
    launch.config.grid = {40, 1, 1};
    launch.config.block = {32, 1, 1};
  }
  CHECK(idle_gpu_advice(device, launches)
            .starts_with("the largest launch has 40 warps of 32 threads, and the 40 multiprocessors of the NVIDIA T4 "
                         "execute 160 at a time: "));
  launches[1].config.block = {97, 1, 1};  // the fourth warp has one thread
  CHECK(idle_gpu_advice(device, launches).empty());
  launches[1].config = launches[0].config;
  launches[1].config.grid = {159, 1, 1};
  CHECK(idle_gpu_advice(device, launches).starts_with("the largest launch has 159 warps"));
  launches[1].config.grid = {160, 1, 1};
  CHECK(idle_gpu_advice(device, launches).empty());
}
