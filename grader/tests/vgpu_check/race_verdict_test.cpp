// What races are called: by memory, by distance, and by whether the same value is written.
#include "vgpu/check/race_verdict.h"

#include <array>
#include <cstring>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

/// A store of four bytes by all lanes, to words of their own or to one, over what memory holds.
struct Store {
  std::array<std::uint64_t, kWarpSize> address{};
  std::array<std::uint32_t, kWarpSize> stored{}, current{};
  WarpAccess access;

  explicit Store(MemorySpace space) {
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = 4 * lane;
    access.kind = AccessKind::store;
    access.space = space;
    access.active = ~LaneMask{0};
    access.address = address.data();
    access.stored = reinterpret_cast<const std::byte*>(stored.data());
    access.current = reinterpret_cast<const std::byte*>(current.data());
  }
};

PastAccess made_by(std::uint64_t block, std::uint32_t warp, AccessKind kind, std::uint32_t instruction = 10) {
  PastAccess access;
  access.block = block;
  access.warp = warp;
  access.kind = kind;
  access.instruction = instruction;
  return access;
}

}  // namespace

TEST_CASE("a race is called after its memory and after how far apart the threads are", "[race]") {
  Store shared(MemorySpace::shared), global(MemorySpace::global);
  shared.stored[0] = global.stored[0] = 1;
  const PastAccess now = made_by(5, 0, AccessKind::store, 20);
  const auto verdict = [&](const Store& store, const PastAccess& old, bool relies_on_volatile = false) {
    return race_verdict(store.access, old, now, relies_on_volatile, 0, 3);
  };
  CHECK(verdict(shared, made_by(5, 1, AccessKind::load)) == Verdict::shared_race);
  CHECK(verdict(global, made_by(5, 1, AccessKind::load)) == Verdict::global_race_within_block);
  CHECK(verdict(global, made_by(6, 0, AccessKind::load)) == Verdict::global_race_between_blocks);
  CHECK(verdict(shared, made_by(5, 0, AccessKind::load), true) == Verdict::shared_race_volatile);
  CHECK(verdict(global, made_by(5, 0, AccessKind::load), true) == Verdict::global_race_within_block_volatile);
}

TEST_CASE("two stores write the same when memory holds already what the second one stores", "[race]") {
  Store store(MemorySpace::global);
  const PastAccess now = made_by(5, 0, AccessKind::store, 20);
  const auto verdict = [&](const PastAccess& old) { return race_verdict(store.access, old, now, false, 0, 3); };
  CHECK(writes_the_same(verdict(made_by(5, 1, AccessKind::store))));
  CHECK(writes_the_same(verdict(made_by(6, 1, AccessKind::store))));
  CHECK_FALSE(writes_the_same(verdict(made_by(6, 1, AccessKind::load))));
  store.stored[0] = 1;
  CHECK_FALSE(writes_the_same(verdict(made_by(5, 1, AccessKind::store))));
  store.access.current = nullptr;  // not known
  store.stored[0] = 0;
  CHECK_FALSE(writes_the_same(verdict(made_by(5, 1, AccessKind::store))));
}

TEST_CASE("lanes of one store write the same when their values agree where they overlap", "[race]") {
  Store store(MemorySpace::shared);
  store.address[3] = store.address[1];
  store.stored[1] = store.stored[3] = 7;
  const PastAccess now = made_by(5, 0, AccessKind::store);
  CHECK(race_verdict(store.access, now, now, false, 3, 1) == Verdict::shared_race_equal);
  store.stored[3] = 8;
  CHECK(race_verdict(store.access, now, now, false, 3, 1) == Verdict::shared_race);
}
