// Which blocks a sampled launch executes, and what its counters then say.
#include "vgpu/exec/block_sample.h"

#include <map>
#include <set>
#include <vector>

#include "catch.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using exec::BlockSample;

namespace {

LaunchConfig grid_of(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) {
  return {.grid = {x, y, z}, .block = {64, 1, 1}};
}

// Each thread loads a value, and a block of an odd number adds one to it.
const char* const kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 a)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  shl.b32 %r3, %r1, 6;
  add.s32 %r4, %r3, %r2;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  bar.sync 0;
  add.s32 %r6, %r5, 1;
  st.global.u32 [%rd3], %r6;
  ret;
}
)";

LaunchCounters counters_of(std::uint64_t sampled_blocks, unsigned workers) {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  options.workers = workers;
  options.check_races = options.check_initialized = false;
  options.sampled_blocks = sampled_blocks;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(kPtx);
  const std::uint64_t array = gpu.allocate(1000 * 64 * 4, 0);
  const auto outcome = gpu.launch(module, "add", grid_of(1000), std::as_bytes(std::span(&array, 1)));
  REQUIRE(outcome.status == LaunchStatus::ok);
  return gpu.launches().at(0);
}

}  // namespace

TEST_CASE("a sample holds as many different blocks as are wanted, the first and the last among them", "[vgpu]") {
  for (const std::uint64_t wanted : {2, 3, 7, 100, 999}) {
    INFO(wanted);
    const BlockSample sample(grid_of(10, 20, 5), wanted);
    REQUIRE(sample.size() == wanted);
    std::set<std::uint64_t> blocks;
    for (std::uint64_t place = 0; place < sample.size(); ++place) blocks.insert(sample[place]);
    CHECK(blocks.size() == wanted);
    CHECK(*blocks.begin() == 0);
    CHECK(*blocks.rbegin() == 999);
  }
}

TEST_CASE("without a wish, and where there are too few blocks, a sample is the grid", "[vgpu]") {
  for (const std::uint64_t wanted : {0, 12, 13}) {
    const BlockSample sample(grid_of(3, 4), wanted);
    REQUIRE(sample.size() == 12);
    for (std::uint64_t place = 0; place < 12; ++place) CHECK(sample[place] == place);
  }
}

TEST_CASE("a sample meets the columns of a grid about equally often", "[vgpu]") {
  const BlockSample sample(grid_of(128, 128), 1024);  // a fixed step would meet 16 of the 128
  std::map<std::uint64_t, int> columns;
  for (std::uint64_t place = 0; place < sample.size(); ++place) ++columns[sample[place] % 128 / 16];
  for (const auto& [column, times] : columns) CHECK((times > 96 && times < 160));
}

TEST_CASE("a sample of the largest grid there is", "[vgpu]") {
  const BlockSample sample(grid_of(2147483647, 65535, 65535), 1000);
  CHECK(sample[999] == 2147483647ull * 65535 * 65535 - 1);
}

TEST_CASE("a sampled launch of blocks that do alike counts as the whole launch does", "[vgpu]") {
  const LaunchCounters plain = counters_of(0, 1), whole = counters_of(1000, 1);
  CHECK(whole.executed_blocks == 1000);
  CHECK(whole.values.at("launch_load_sectors") == 1000 * 8);
  for (const auto& [name, value] : plain.values) {
    INFO(name);
    CHECK(whole.values.at(name) == value);  // and more, for the model of time
  }
  for (const unsigned workers : {1u, 3u}) {
    const LaunchCounters sampled = counters_of(40, workers);
    CHECK(sampled.executed_blocks == 40);
    CHECK(sampled.complete);
    CHECK(sampled.values == whole.values);
    CHECK(sampled.registers == whole.registers);
  }
}

TEST_CASE("a sampled launch tells the accesses of its busiest block as they are", "[vgpu]") {
  const LaunchCounters whole = counters_of(1000, 1), sampled = counters_of(40, 1);
  const std::uint64_t a_block = whole.values.at("accesses") / 1000;
  CHECK(a_block > 0);
  CHECK(whole.values.at("busiest_block_accesses") == a_block);
  CHECK(sampled.values.at("busiest_block_accesses") == a_block);
}

TEST_CASE("of a sample's blocks the same part is executed by any number of workers", "[vgpu]") {
  // Each warp of block b goes round 10,000 * b times.
  const char* const kRounds = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry rounds()
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  mov.u32 %r1, %ctaid.x;
  mul.lo.s32 %r1, %r1, 10000;
  mov.u32 %r2, 0;
$L1:
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p1, %r2, %r1;
  @%p1 bra $L1;
  ret;
}
)";
  const auto sampled = [&](unsigned workers, std::uint32_t blocks, bool stops_slow_blocks = true) {
    VirtualGpuOptions options;
    options.model = device_model("h200");
    options.workers = workers;
    options.check_races = options.check_initialized = false;
    options.sampled_blocks = 16;
    options.instruction_limit = 200'000;
    options.stops_slow_blocks = stops_slow_blocks;
    VirtualGpu gpu(options);
    const std::uint32_t module = gpu.load_module(kRounds);
    CHECK(gpu.launch(module, "rounds", grid_of(blocks), {}).status == LaunchStatus::timed_out);
    return gpu.launches().at(0);
  };
  std::vector<LaunchCounters> counted;
  for (const unsigned workers : {1u, 2u, 4u}) {
    counted.push_back(sampled(workers, 16));
    CHECK(counted.back().executed_blocks == 16);
    CHECK_FALSE(counted.back().complete);
    CHECK(counted.back().slow_blocks_stopped);
  }
  // 0, 10, 20 and 30 thousand rounds of three instructions, two warps each, stay below the limit; 12 blocks reach it.
  const auto executed = static_cast<double>(counted[0].values.at("warp_instructions"));
  CHECK(executed >= 12 * 200'000 + 60'000 * 3 * 2);
  CHECK(executed <= 1.5 * (12 * 200'000 + 60'000 * 3 * 2));  // a warp's turn ends before the limit is looked at
  CHECK(counted[1].values == counted[0].values);
  CHECK(counted[2].values == counted[0].values);
  // The same of a grid of which blocks are left out: the first block has nothing to do, all others reach the limit.
  const LaunchCounters left_out = sampled(1, 160);
  CHECK_FALSE(left_out.complete);
  CHECK(left_out.slow_blocks_stopped);
  CHECK(left_out.values.at("warp_instructions") / 10 >= 15 * 200'000);
  CHECK(sampled(4, 160).values == left_out.values);
  // Else the first block that comes to the limit ends the launch.
  const LaunchCounters ended = sampled(1, 160, false);
  CHECK_FALSE(ended.complete);
  CHECK_FALSE(ended.slow_blocks_stopped);
  CHECK(ended.values.at("warp_instructions") / 10 < 2 * 200'000);
}

TEST_CASE("a block of a sample that may wait for one that was left out ends the launch at the limit", "[vgpu]") {
  // Each block waits for a word that only a block in the middle writes, which is not in the sample.
  const char* const kWaits = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry waits(.param .u64 word)
{
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [word];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %ctaid.x;
  setp.eq.s32 %p1, %r1, 81;
  mov.u32 %r2, 1;
  @%p1 st.volatile.global.u32 [%rd1], %r2;
$L1:
  ld.volatile.global.u32 %r3, [%rd1];
  setp.eq.s32 %p2, %r3, 0;
  @%p2 bra $L1;
  ret;
}
)";
  const auto launched = [&](std::uint32_t blocks) {
    VirtualGpuOptions options;
    options.model = device_model("h200");
    options.check_races = options.check_initialized = false;
    options.sampled_blocks = 4;
    options.instruction_limit = 100'000;
    options.stops_slow_blocks = true;
    VirtualGpu gpu(options);
    const std::uint32_t module = gpu.load_module(kWaits);
    const std::uint64_t word = gpu.allocate(sizeof(std::uint32_t), 0);
    CHECK(gpu.fill(word, 0, sizeof(std::uint32_t)));
    CHECK(gpu.launch(module, "waits", grid_of(blocks), std::as_bytes(std::span(&word, 1))).status ==
          LaunchStatus::timed_out);
    return gpu.launches().at(0);
  };
  CHECK_FALSE(launched(160).slow_blocks_stopped);
  CHECK(launched(4).slow_blocks_stopped);  // of all blocks none can be waited for but these
}

TEST_CASE("a grid that cannot come to an end is not begun, and one that can is", "[vgpu]") {
  constexpr const char* kNothing = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing()
{
  ret;
}
)";
  VirtualGpuOptions options;
  options.model = device_model("t4");
  options.instruction_limit = 2000;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(kNothing);
  CHECK(gpu.launch(module, "nothing", grid_of(1000), {}).status == LaunchStatus::ok);  // two warps each
  CHECK(gpu.findings().empty());
  CHECK(gpu.launch(module, "nothing", grid_of(1001), {}).status == LaunchStatus::timed_out);
  REQUIRE(gpu.findings().size() == 1);
  CHECK(gpu.findings()[0].id == "timed-out");
  CHECK(gpu.findings()[0].message ==
        "`nothing` was not started: 1001 blocks of 64 threads are too many to come to an end");
  CHECK(gpu.launch(module, "nothing", grid_of(1), {}).status == LaunchStatus::ok);
}
