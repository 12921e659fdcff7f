// Which threads and blocks are said to have lost work.
#include "vgpu/profile/thread_work.h"

#include <array>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

constexpr std::uint8_t kBoth = ThreadWork::kLoads | ThreadWork::kStores;

ThreadWork work_of(Index3 grid, Index3 block, std::vector<std::uint8_t> did) {
  return {{grid, block}, std::move(did)};
}

LostWork lost(const ThreadWork& before, const ThreadWork& after) {
  return lost_work(std::span(&before, 1), std::span(&after, 1));
}

}  // namespace

TEST_CASE("loads and stores are kept by thread over all blocks, an atomic as both", "[profile]") {
  WorkRecorder recorder;
  LaunchInfo launch;
  launch.config.grid = {2, 1, 1};
  launch.config.block = {64, 1, 1};
  recorder.launch_begin(launch);
  const auto block = recorder.observe_block();
  std::array<std::uint64_t, kWarpSize> address{};
  WarpAccess access;
  access.address = address.data();
  access.warp = 1;
  access.active = 0b101;
  block->block_begin({1, 64});
  block->access(access);
  access.kind = AccessKind::atomic;
  access.active = 0b100;
  block->access(access);
  access.space = MemorySpace::shared;
  access.active = 0b1000;
  block->access(access);
  const ThreadWork& work = recorder.work();
  REQUIRE(work.did.size() == 128);
  CHECK(work.did[64 + 32] == ThreadWork::kLoads);
  CHECK(work.did[64 + 34] == kBoth);
  CHECK(work.did[64 + 35] == 0);
  CHECK(work.did[32] == 0);
}

TEST_CASE("launches with very many threads are not recorded", "[profile]") {
  WorkRecorder recorder;
  LaunchInfo launch;
  launch.config.grid = {0x7fff'ffff, 65535, 65535};
  launch.config.block = {1024, 1, 1};
  recorder.launch_begin(launch);
  CHECK(recorder.work().did.empty());
}

TEST_CASE("a block that loads no more has lost work, though it goes on to store", "[profile]") {
  const ThreadWork before = work_of({2, 1, 1}, {2, 1, 1}, {kBoth, kBoth, kBoth, kBoth});
  CHECK(lost(before, work_of({2, 1, 1}, {2, 1, 1}, {kBoth, kBoth, ThreadWork::kStores, ThreadWork::kStores})) ==
        LostWork{1, 0});
  CHECK(lost(before, before) == LostWork{});
  // More work is no loss.
  CHECK(lost(work_of({1, 1, 1}, {2, 1, 1}, {0, 1}), work_of({1, 1, 1}, {2, 1, 1}, {kBoth, kBoth})) == LostWork{});
}

TEST_CASE("threads at the end of a guard lose nothing, those between others do", "[profile]") {
  const auto in = [](std::vector<std::uint8_t> did) { return work_of({1, 1, 1}, {3, 2, 1}, std::move(did)); };
  const ThreadWork all = in({1, 1, 1, 1, 1, 1});
  CHECK(lost(all, in({1, 1, 0, 1, 1, 0})) == LostWork{});      // a column less
  CHECK(lost(all, in({1, 1, 1, 0, 0, 0})) == LostWork{});      // a row less
  CHECK(lost(all, in({0, 1, 1, 1, 1, 1})) == LostWork{0, 1});  // the first thread
  CHECK(lost(all, in({0, 0, 0, 1, 1, 1})) == LostWork{0, 3});  // the first row
}

TEST_CASE("launches of another shape, or of which nothing is known, are not compared", "[profile]") {
  const ThreadWork before = work_of({2, 1, 1}, {1, 1, 1}, {1, 1});
  CHECK(lost(before, work_of({1, 1, 1}, {1, 1, 1}, {1})) == LostWork{});
  CHECK(lost(before, work_of({2, 1, 1}, {1, 1, 1}, {})) == LostWork{});
  CHECK(lost_work(std::span(&before, 1), {}) == LostWork{});
}
