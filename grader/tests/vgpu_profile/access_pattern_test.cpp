// The patterns of a lecture in words, and the shares of lanes against the costs.
#include <algorithm>
#include <functional>
#include <random>

#include "catch.h"
#include "vgpu/profile/access_pattern.h"

using namespace cudalabs::vgpu;

namespace {

using AddressOf = std::function<std::uint64_t(std::uint32_t)>;

AccessSample sample(MemorySpace space, std::uint8_t bytes, const AddressOf& at, LaneMask active = ~0u,
                    AccessKind kind = AccessKind::load) {
  AccessSample access;
  access.space = space;
  access.bytes = bytes;
  access.kind = kind;
  access.active = active;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((active >> lane & 1) != 0) access.address[lane] = 4096 + at(lane);
  }
  return access;
}

std::string global(std::uint8_t bytes, const AddressOf& at, LaneMask active = ~0u) {
  const AccessSample access = sample(MemorySpace::global, bytes, at, active);
  return pattern_of(access) + ": " + cost_in_words(access);
}

std::string shared(std::uint8_t bytes, const AddressOf& at, LaneMask active = ~0u) {
  const AccessSample access = sample(MemorySpace::shared, bytes, at, active);
  return pattern_of(access) + ": " + cost_in_words(access);
}

}  // namespace

TEST_CASE("patterns of global memory in words", "[profile]") {
  CHECK(global(4, [](auto l) { return 4 * l; }) == "consecutive: 4 sectors for 128 bytes");
  CHECK(global(4, [](auto l) { return 4 * l + 4; }) == "consecutive: 5 sectors for 128 bytes where 4 would do");
  CHECK(global(4, [](auto l) { return 124 - 4 * l; }) == "consecutive downwards: 4 sectors for 128 bytes");
  CHECK(global(4, [](auto) { return 64; }) == "all lanes at one address: 1 sector for 4 bytes");
  CHECK(global(4, [](auto l) { return 256 * l; }) ==
        "stride 64 (256 bytes): 32 sectors for 128 bytes where 4 would do");
  CHECK(global(1, [](auto l) { return 3 * l; }) == "stride 3 (3 bytes): 3 sectors for 32 bytes");
  CHECK(global(2, [](auto l) { return 16 * l / 3 / 2 * 2; }).starts_with("irregular"));
  CHECK(global(4, [](auto l) { return 256 * (l / 16) + 4 * (l % 16); }) ==
        "2 runs of 16 lanes, consecutive, 256 bytes apart: 4 sectors for 128 bytes");
  CHECK(global(4, [](auto l) { return 256 * (l / 16); }) ==
        "2 runs of 16 lanes, each at one address, 256 bytes apart: 2 sectors for 8 bytes");
  CHECK(global(4, [](auto l) {
          return 100 * (l / 2) + 4 * (l % 2);
        }).starts_with("16 runs of 2 lanes, consecutive, 100 bytes apart"));
  CHECK(global(4, [](auto l) {
          return 256 * (l % 16);
        }).starts_with("2 runs of 16 lanes, stride 64 (256 bytes), the same for all runs: 16 sectors"));
  // A block of 24 threads a row: the second warp begins in the middle of one.
  CHECK(global(4, [](auto l) {
          return 400 * ((l + 8) / 24) + 4 * ((l + 8) % 24);
        }).starts_with("2 runs of 16 lanes, consecutive"));
  CHECK(global(4, [](auto l) {
          return 400 * ((l + 4) / 24) + 4 * ((l + 4) % 24);
        }).starts_with("2 runs, consecutive, 384 bytes apart"));
  CHECK(global(8, [](auto l) { return 8 * l; }) == "consecutive: 8 sectors for 256 bytes");
}

TEST_CASE("lanes that take no part are not part of the pattern", "[profile]") {
  CHECK(global(
            4, [](auto l) { return 4 * l; }, 0xff) == "consecutive: 1 sector for 32 bytes");
  CHECK(global(
            4, [](auto l) { return 4 * l; }, 0x5555'5555) == "consecutive: 4 sectors for 64 bytes");
  CHECK(global(
            4, [](auto l) { return 4 * l; }, 0x100) == "one lane: 1 sector for 4 bytes");
}

TEST_CASE("patterns of shared memory in words", "[profile]") {
  CHECK(shared(4, [](auto l) { return 4 * l; }) == "consecutive: no bank conflict");
  CHECK(shared(4, [](auto l) { return 8 * l; }) ==
        "stride 2 (8 bytes): 2-way bank conflict: 2 passes where 1 would do");
  CHECK(shared(4, [](auto l) { return 128 * l; }) ==
        "stride 32 (128 bytes): 32-way bank conflict: 32 passes where 1 would do");
  CHECK(shared(4, [](auto l) { return 132 * l; }) == "stride 33 (132 bytes): no bank conflict");
  CHECK(shared(4, [](auto) { return 0; }) == "all lanes at one address: no bank conflict");
  CHECK(shared(8, [](auto l) { return 16 * l; }) ==
        "stride 2 (16 bytes): 2-way bank conflict: 4 passes where 2 would do");
}

TEST_CASE("what wastes at least half is waste, unless it is little", "[profile]") {
  const auto global_wastes = [](const AddressOf& at) { return wastes(sample(MemorySpace::global, 4, at)); };
  CHECK_FALSE(global_wastes([](auto l) { return 4 * l; }));
  CHECK_FALSE(global_wastes([](auto l) { return 4 * l + 4; }));       // one sector more
  CHECK_FALSE(global_wastes([](auto l) { return 256 * (l / 16); }));  // two values for the warp
  CHECK(global_wastes([](auto l) { return 8 * l; }));
  CHECK(global_wastes([](auto l) { return 256 * l; }));
  const auto shared_wastes = [](const AddressOf& at) { return wastes(sample(MemorySpace::shared, 4, at)); };
  CHECK_FALSE(shared_wastes([](auto l) { return 4 * l; }));
  CHECK(shared_wastes([](auto l) { return 8 * l; }));
}

TEST_CASE("the shares of lanes add up to the cost", "[profile]") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 4000; ++i) {
    const std::uint8_t bytes = std::array<std::uint8_t, 5>{1, 2, 4, 8, 16}[random() % 5];
    const std::uint64_t span = std::array<std::uint64_t, 3>{4, 64, 600}[random() % 3];
    const auto active = static_cast<LaneMask>(random() | random());
    if (active == 0) continue;
    const MemorySpace space = random() % 2 == 0 ? MemorySpace::global : MemorySpace::shared;
    const AccessSample access = sample(
        space, bytes, [&](auto) { return random() % span * bytes; }, active);
    const auto shares = shares_of_lanes(access);
    unsigned most = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      REQUIRE(shares[lane].has_value() == ((active >> lane & 1) != 0));
      if (shares[lane]) most = std::max(most, *shares[lane]);
    }
    REQUIRE(most + 1 == cost_of(access).units);
  }
}

TEST_CASE("lanes in one bank are served one after the other", "[profile]") {
  const auto shares = shares_of_lanes(sample(MemorySpace::shared, 4, [](auto l) { return 8 * l; }));
  for (unsigned lane = 0; lane < kWarpSize; ++lane) CHECK(shares[lane] == lane / 16);
  const auto atomics = shares_of_lanes(sample(
      MemorySpace::shared, 4, [](auto) { return 0; }, ~0u, AccessKind::atomic));
  for (unsigned lane = 0; lane < kWarpSize; ++lane) CHECK(atomics[lane] == lane);
}

TEST_CASE("lanes in one sector share its number, and sectors count upwards", "[profile]") {
  const auto shares = shares_of_lanes(sample(MemorySpace::global, 4, [](auto l) { return 4 * (31 - l); }));
  for (unsigned lane = 0; lane < kWarpSize; ++lane) CHECK(shares[lane] == (31 - lane) / 8);
}
