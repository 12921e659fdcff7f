// Sectors that blocks touch, and how many a whole launch would.
#include "vgpu/profile/footprint.h"

#include <array>
#include <random>
#include <set>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

void touch(Footprint& footprint, AccessKind kind, std::uint64_t base, std::uint64_t stride) {
  std::array<std::uint64_t, kWarpSize> address{};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = base + stride * lane;
  WarpAccess access;
  access.kind = kind;
  access.address = address.data();
  access.active = ~0u;
  footprint.access(access);
}

Footprint empty() {
  return Footprint({{0x10000, 0x10000}, {0x40000, 0x1000}});
}

}  // namespace

TEST_CASE("a sector counts once a block", "[profile]") {
  Footprint footprint = empty();
  for (int times = 0; times < 3; ++times) touch(footprint, AccessKind::load, 0x10000, 4);
  touch(footprint, AccessKind::load, 0x10000, 64);  // 32 sectors, two of which the others have touched
  footprint.block_end();
  CHECK(footprint.block_loads() == 4 + 32 - 2);
  touch(footprint, AccessKind::load, 0x10000, 4);
  footprint.block_end();
  CHECK(footprint.block_loads() == 4 + 32 - 2 + 4);
}

TEST_CASE("sectors are counted like those of a plain set, near and far, across words and growth", "[profile]") {
  SectorSet sectors;
  std::set<std::uint64_t> plain;
  std::mt19937_64 random(7);
  for (int block = 0; block < 3; ++block) {
    for (int i = 0; i < 20'000; ++i) {
      // Runs of neighbours, places far from all others, and the last sector there is.
      const std::uint64_t draw = random();
      const std::uint64_t sector = draw % 3 == 0   ? 63 + draw % 5'000
                                   : draw % 3 == 1 ? draw >> 5
                                                   : (~std::uint64_t{0} >> 5) - draw % 100;
      REQUIRE(sectors.insert(sector) == plain.insert(sector).second);
    }
    sectors.clear();
    plain.clear();
  }
}

TEST_CASE("blocks that touch different sectors are so many sectors, those that share them no more than there are",
          "[profile]") {
  Footprint apart = empty(), alike = empty();
  for (std::uint64_t block = 0; block < 4; ++block) {
    touch(apart, AccessKind::load, 0x10000 + 0x1000 * block, 4);
    apart.block_end();
    touch(alike, AccessKind::load, 0x40000, 4);
    touch(alike, AccessKind::store, 0x40080, 4);
    alike.block_end();
  }
  CHECK(apart.launch_loads(8) == 4 * 4 * 8);
  CHECK(alike.launch_loads(8) == 4);
  CHECK(alike.block_stores() == 4 * 4);
  CHECK(alike.launch_stores(8) == 4);
  CHECK(alike.launch_atomics(8) == 0);
}

TEST_CASE("footprints add up in any order", "[profile]") {
  Footprint one = empty(), two = empty(), other_one = empty(), other_two = empty();
  for (Footprint* footprint : {&one, &other_one}) touch(*footprint, AccessKind::load, 0x10000, 4);
  for (Footprint* footprint : {&two, &other_two}) touch(*footprint, AccessKind::atomic, 0x40000, 0);
  for (Footprint* footprint : {&one, &two, &other_one, &other_two}) footprint->block_end();
  one += two;
  other_two += other_one;
  CHECK(one.block_loads() == 5);
  CHECK(other_two.block_loads() == 5);
  CHECK(one.launch_atomics(10) == 1);
  CHECK(other_two.launch_loads(10) == one.launch_loads(10));
}

TEST_CASE("a set of sectors grows and is emptied", "[profile]") {
  SectorSet sectors;
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t sector = 0; sector < 5000; ++sector) CHECK(sectors.insert(sector * 128));
    CHECK_FALSE(sectors.insert(4999 * 128));
    sectors.clear();
  }
}
