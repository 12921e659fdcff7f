// Counters of whole launches from two samples of their blocks.
#include "speed/shared_work.h"

#include "catch.h"
#include "vgpu/profile/counter_names.h"

using namespace cudalabs;
using vgpu::LaunchCounters;
namespace names = cudalabs::vgpu::counter_names;

namespace {

constexpr std::uint64_t kBlocks = 1000;

/// A launch of 1000 blocks of which `executed` were: each had `own` to do, and `shared` was for the block that came
/// first. Counters are scaled to the grid, as they are reported.
LaunchCounters sample(std::uint64_t executed, std::uint64_t own, std::uint64_t shared) {
  LaunchCounters launch;
  launch.kernel = "add";
  launch.config = {.grid = {kBlocks, 1, 1}, .block = {256, 1, 1}};
  launch.executed_blocks = executed;
  const std::uint64_t scaled = (own * executed + shared) * kBlocks / executed;
  launch.values = {{std::string(names::kWarpInstructions), scaled},
                   {std::string(names::kGlobalLoadSectors), 2 * scaled},
                   {std::string(names::kGlobalAtomicQuestions), scaled / 100},
                   {std::string(names::kLaunchLoadSectors), 77},
                   {std::string(names::kBusiestBlockAccesses), 88},
                   {std::string(names::kBlocks), kBlocks},
                   {std::string(names::kThreads), 256 * kBlocks}};
  return launch;
}

LaunchCounters whole(std::uint64_t own, std::uint64_t shared) {
  const LaunchCounters fewer = sample(8, own, shared);
  const auto launches = speed::with_shared_work({sample(16, own, shared)}, std::span(&fewer, 1));
  REQUIRE(launches);
  REQUIRE(launches->size() == 1);
  return launches->front();
}

std::uint64_t instructions(const LaunchCounters& launch) {
  return launch.values.at(std::string(names::kWarpInstructions));
}

}  // namespace

TEST_CASE("what a counter gives out is done once, however few blocks a sample has") {
  const LaunchCounters drawn = whole(0, 1'000'000);
  CHECK(instructions(drawn) == 1'000'000);
  CHECK(drawn.values.at(std::string(names::kGlobalLoadSectors)) == 2'000'000);
  CHECK(drawn.executed_blocks == kBlocks);
}

TEST_CASE("what each block has of its own is done by all of them, what they share once") {
  CHECK(instructions(whole(1'000, 400'000)) == 1'000 * kBlocks + 400'000);
}

TEST_CASE("a launch whose blocks share nothing to speak of stays as it is") {
  // One that looks at what an atomic answers, to know whether its block is the last, is as slow as it was.
  CHECK(instructions(whole(5'000, 0)) == 5'000 * kBlocks);
  CHECK(whole(5'000, 0).executed_blocks == 16);
  CHECK(instructions(whole(5'000, 5'000)) == instructions(sample(16, 5'000, 5'000)));
}

TEST_CASE("what a launch is and what it touches is no sum over its blocks") {
  const LaunchCounters drawn = whole(0, 1'000'000);
  CHECK(drawn.values.at(std::string(names::kLaunchLoadSectors)) == 77);
  CHECK(drawn.values.at(std::string(names::kBusiestBlockAccesses)) == 88);
  CHECK(drawn.values.at(std::string(names::kBlocks)) == kBlocks);
  CHECK(drawn.values.at(std::string(names::kThreads)) == 256 * kBlocks);
}

TEST_CASE("samples of other launches tell nothing") {
  const std::vector<LaunchCounters> more{sample(16, 0, 1000)};
  CHECK_FALSE(speed::with_shared_work(more, {}));
  LaunchCounters other = sample(8, 0, 1000);
  other.kernel = "multiply";
  CHECK_FALSE(speed::with_shared_work(more, std::span(&other, 1)));
  other = sample(8, 0, 1000);
  other.config.grid[0] = 999;
  CHECK_FALSE(speed::with_shared_work(more, std::span(&other, 1)));
}

TEST_CASE("a second sample is wanted only of a launch that was sampled and looks at what an atomic answers") {
  const auto may_share = [](const LaunchCounters& launch) { return speed::may_share_work(std::span(&launch, 1)); };
  LaunchCounters launch = sample(16, 0, 1'000'000);
  CHECK(may_share(launch));
  LaunchCounters all = launch;
  all.executed_blocks = kBlocks;
  CHECK_FALSE(may_share(all));
  launch.values[std::string(names::kGlobalAtomicQuestions)] = 0;
  CHECK_FALSE(may_share(launch));
  launch.values.erase(std::string(names::kGlobalAtomicQuestions));
  CHECK_FALSE(may_share(launch));
}
