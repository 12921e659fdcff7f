// Which execution of an instruction is kept as its example, however blocks are spread over observers.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "catch.h"
#include "vgpu/profile/access_recorder.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

struct Event {
  std::uint64_t block;
  std::uint32_t warp, instruction;
  LaneMask active;
  std::uint64_t base;
  MemorySpace space = MemorySpace::global;
};

/// `observers`: which one executes block i.
std::vector<RecordedAccess> record(const std::vector<Event>& events, const std::vector<int>& observers) {
  AccessRecorder recorder;
  std::array<std::unique_ptr<BlockObserver>, 2> blocks{recorder.observe_block(), recorder.observe_block()};
  for (std::uint64_t block = 0; block < observers.size(); ++block) {
    BlockObserver& observer = *blocks[static_cast<std::size_t>(observers[block])];
    observer.block_begin({block, 64});
    for (const Event& event : events) {
      if (event.block != block) continue;
      std::array<std::uint64_t, kWarpSize> address{};
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = event.base + 4 * lane;
      WarpAccess access;
      access.warp = event.warp;
      access.instruction = event.instruction;
      access.space = event.space;
      access.active = event.active;
      access.address = address.data();
      observer.access(access);
    }
    observer.block_end({});
  }
  return recorder.recorded();
}

}  // namespace

TEST_CASE("the first warp's execution with the most lanes is the example", "[profile]") {
  const std::vector<Event> events{{0, 0, 7, 0x0000'000f, 0x100},                      // few lanes
                                  {0, 0, 7, 0xffff'ffff, 0x200},                      // the one
                                  {0, 0, 7, 0xffff'ffff, 0x300},                      // as many, but later
                                  {0, 1, 7, 0xffff'ffff, 0x400},                      // another warp
                                  {1, 0, 7, 0xffff'ffff, 0x500},                      // another block
                                  {1, 1, 3, 0x0000'0001, 0x600},                      // nobody before it
                                  {0, 0, 9, 0xffff'ffff, 0, MemorySpace::shared},     //
                                  {0, 0, 8, 0xffff'ffff, 0, MemorySpace::local},      // nothing to show
                                  {0, 0, 6, 0xffff'ffff, 0, MemorySpace::constant}};  //
  const auto recorded = record(events, {0, 0});
  REQUIRE(recorded.size() == 3);
  CHECK(recorded[0].instruction == 3);
  CHECK(recorded[0].block == 1);
  CHECK(recorded[0].warp == 1);
  CHECK(recorded[0].address[0] == 0x600);
  CHECK(recorded[0].address[1] == 0);  // that lane was off
  CHECK(recorded[0].block_threads == 64);
  CHECK(recorded[1].instruction == 7);
  CHECK(recorded[1].address[31] == 0x200 + 124);
  CHECK(recorded[1].active == 0xffff'ffff);
  CHECK(recorded[2].space == MemorySpace::shared);

  for (const std::vector<int>& spread : {std::vector{0, 1}, std::vector{1, 0}, std::vector{1, 1}}) {
    const auto other = record(events, spread);
    REQUIRE(other.size() == recorded.size());
    for (std::size_t i = 0; i < other.size(); ++i) {
      CHECK(other[i].block == recorded[i].block);
      CHECK(other[i].warp == recorded[i].warp);
      CHECK(other[i].address == recorded[i].address);
    }
  }
}

TEST_CASE("a launch's examples name kernel, place, block and region", "[profile]") {
  constexpr char kText[] = R"(.version 7.0
.target sm_70
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 a)
{
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
.shared .align 4 .b8 s[64];
mov.u32 %r1, %tid.x;
ld.param.u64 %rd1, [a];
mul.wide.u32 %rd2, %r1, 8;
add.u64 %rd1, %rd1, %rd2;
.loc 1 3 5
ld.global.u32 %r2, [%rd1];
.loc 1 4 5
st.shared.u32 [s], %r2;
ret;
}
)";
  VirtualGpuOptions options;
  options.model = device_model("t4");
  options.check_races = false;
  options.record_accesses = GENERATE(true, false);
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(kText);
  const DeviceAddress allocation = gpu.allocate(1024);
  gpu.fill(allocation, 1, 1024);
  std::array<std::byte, 8> parameters{};
  std::memcpy(parameters.data(), &allocation, sizeof allocation);
  LaunchConfig config;
  config.grid = {1, 3, 1};
  config.block = {20, 1, 1};
  for (int i = 0; i < 2; ++i) CHECK(gpu.launch(module, "k", config, parameters).status == LaunchStatus::ok);
  const auto& samples = gpu.access_samples();
  if (!options.record_accesses) {
    CHECK(samples.empty());
    return;
  }
  REQUIRE(samples.size() == 2);  // of the first launch only
  CHECK(samples[0].kernel == "k");
  CHECK(samples[0].where == SourcePlace{"k.cu", 3, 5});
  CHECK(samples[0].block == Index3{0, 0, 0});
  CHECK(samples[0].active == 0xf'ffff);
  CHECK(samples[0].present == 0xf'ffff);
  CHECK(samples[0].region == allocation);
  CHECK(samples[0].region_bytes == 1024);
  CHECK(samples[0].address[19] == allocation + 19 * 8);
  CHECK(samples[1].kind == AccessKind::store);
  CHECK(samples[1].space == MemorySpace::shared);
  CHECK(samples[1].region_bytes == 64);
}
