// What the race filter remembers of global memory from launch to launch and from block to block.
#include "catch.h"
#include "race_scripts.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

TEST_CASE("nothing carries over from one launch to the next, nor from block to block", "[race]") {
  GlobalShadow shadow(kGlobal, 1 << 20);
  const auto build = [](std::uint64_t shift) {
    return ScriptBuilder()
        .all_store(
            1, [=](std::uint64_t t) { return kGlobal + 4 * ((t + shift) % 64); }, MemorySpace::global)
        .build();
  };
  // More launches than a mark has values: marks and lines start anew.
  for (std::uint64_t launch = 0; launch < 600; ++launch) {
    REQUIRE(!suspicious(build(launch), shadow));
  }
  ScriptBuilder b(3, 64);
  for (std::uint64_t block = 0; block < 3; ++block)
    b.in_block(block).all_store(1, [&](std::uint64_t t) { return 4 * ((t + block * 5) % 64); });
  CHECK(!suspicious(b.build()));
}

TEST_CASE("what was read by all blocks in earlier launches is no excuse in this one", "[race]") {
  GlobalShadow shadow(kGlobal, 1 << 20);
  const auto suspect = [&](const Script& script) { return suspicious(script, shadow); };
  const auto half_line = [](std::uint64_t t) { return kGlobal + 4 * (t % 32); };
  const auto line = [](std::uint64_t t) { return kGlobal + 4 * (t % 64); };
  const auto read_by_all = [](auto address, bool then_race) {
    ScriptBuilder b(3, 64);
    for (std::uint64_t block = 0; block < 3; ++block) b.in_block(block).all_load(1, address, MemorySpace::global);
    if (then_race) {
      b.in_block(0).access(AccessKind::store, 2, 0, kLane0, at(kGlobal + 200), MemorySpace::global);
      b.in_block(1).access(AccessKind::load, 3, 0, kLane0, at(kGlobal + 200), MemorySpace::global);
    }
    return b.build();
  };
  CHECK(!suspect(read_by_all(half_line, false)));
  CHECK(suspect(read_by_all(half_line, true)));
  // Marks are bytes: the value of the launch that read the whole line comes round again.
  CHECK(!suspect(read_by_all(line, false)));
  for (int launch = 0; launch < 300; ++launch) REQUIRE(suspect(read_by_all(half_line, true)));
}

TEST_CASE("an array that all blocks read stays cheap and a late write to it is seen", "[race]") {
  constexpr std::uint32_t kBlocks = 5;
  for (const std::uint64_t victim : {0u, 63u, 64u, 100u}) {
    ScriptBuilder b(kBlocks, 128);
    const auto word = [](std::uint64_t t) { return kGlobal + 4 * (t % 128); };
    for (std::uint64_t block = 0; block < kBlocks; ++block) b.in_block(block).all_load(1, word, MemorySpace::global);
    CHECK(!suspicious(b.build()));
    b.access(AccessKind::store, 2, 0, kLane0, at(kGlobal + 4 * victim), MemorySpace::global);
    CHECK(suspicious(b.build()));
    CHECK(recorded(b.build()).size() == 1);
  }
}
