// Whole idioms as event streams: correct ones raise nothing, and the same with its synchronisation taken away is found.
#include <string>

#include "catch.h"
#include "race_scripts.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

/// Sum in shared memory; `barrier_each_step`, or in the last warp `sync_each_step`.
Script tree(bool barrier_after_load, bool barrier_each_step, bool sync_each_step) {
  ScriptBuilder b(1, 64);
  const auto own = [](std::uint64_t t) { return 4 * t; };
  b.all_store(1, own);
  if (barrier_after_load) b.barrier(2);
  for (std::uint32_t stride = 32; stride > 0; stride /= 2) {
    const LaneMask lanes = stride >= 32 ? ~0u : (1u << stride) - 1;
    b.access(AccessKind::load, 4, 0, lanes, [&](std::uint64_t t) { return 4 * (t + stride); });
    b.access(AccessKind::load, 5, 0, lanes, own);
    b.access(AccessKind::store, 6, 0, lanes, own);
    if (barrier_each_step) b.barrier(7);
    if (sync_each_step) b.warp_sync(0);
  }
  b.access(AccessKind::load, 9, 0, kLane0, at(0));
  return b.build();
}

}  // namespace

TEST_CASE("the last block sums what all blocks wrote", "[race]") {
  CHECK(recorded(last_block_sums(true, true)).empty());
  SECTION("without the fence") {
    const auto findings = recorded(last_block_sums(false, true));
    // The read of the other blocks' partial results, and the reset of the counter.
    REQUIRE(!findings.empty());
    CHECK(findings[0].where.line == 15);
    CHECK(findings[0].other->place.line == 10);
    CHECK(findings[0].id == finding_ids::kGlobalRace);
  }
  SECTION("with a fence for the block only") {
    CHECK(!recorded(last_block_sums(true, true, MemoryScope::block)).empty());
  }
  SECTION("with a plain counter") {
    CHECK(!recorded(last_block_sums(true, false)).empty());
  }
}

TEST_CASE("a flag between blocks needs volatile and both fences", "[race]") {
  CHECK(recorded(flag(true, true, true)).empty());
  CHECK(!recorded(flag(true, true, false)).empty());
  CHECK(!recorded(flag(true, false, true)).empty());
  CHECK(!recorded(flag(false, true, true)).empty());
  CHECK(recorded(flag(true, true, true, MemoryScope::block)).size() == 1);
  // A plain write takes the place of what the strong one handed over: the flag races, and so does the data.
  CHECK(recorded(flag(true, true, true, MemoryScope::device, true)).size() == 2);
}

TEST_CASE("who only arrives at a barrier has acquired nothing", "[race]") {
  const std::uint64_t data = kGlobal, flag_at = kGlobal + 64;
  const auto build = [&](bool arrive_only) {
    ScriptBuilder b(2, 64);
    b.access(AccessKind::store, 1, 0, kLane0, at(data), MemorySpace::global).fence(0, kLane0);
    b.strong(AccessKind::store, 2, 0, kLane0, at(flag_at), MemorySpace::global);
    b.in_block(1).strong(AccessKind::load, 3, 0, kLane0, at(flag_at), MemorySpace::global);
    b.arrive(4, 0, ~0u, 1, arrive_only).arrive(5, 1, ~0u, 1).complete(1, false);
    b.access(AccessKind::load, 6, 0, kLane0, at(data), MemorySpace::global);
    return b.build();
  };
  CHECK(recorded(build(false)).empty());
  CHECK(recorded(build(true)).size() == 1);
}

TEST_CASE("a flag set again by another thread hands over nothing", "[race]") {
  const std::uint64_t data = kGlobal, flag_at = kGlobal + 64;
  const auto build = [&](AccessKind second) {
    ScriptBuilder b(3, 32);
    b.access(AccessKind::store, 1, 0, kLane0, at(data), MemorySpace::global).fence(0, kLane0);
    b.strong(AccessKind::store, 2, 0, kLane0, at(flag_at), MemorySpace::global);
    b.in_block(1).strong(second, 3, 0, kLane0, at(flag_at), MemorySpace::global);
    b.in_block(2).strong(AccessKind::load, 4, 0, kLane0, at(flag_at), MemorySpace::global).fence(0, kLane0);
    b.access(AccessKind::load, 5, 0, kLane0, at(data), MemorySpace::global);
    return b.build();
  };
  CHECK(recorded(build(AccessKind::atomic)).empty());  // carries on the release
  CHECK(recorded(build(AccessKind::store)).size() == 1);
}

TEST_CASE("a strong write hands over its fence, not what others wrote there since the fence", "[race]") {
  // Thread 32 fences; thread 0 writes the flag; after a barrier thread 32 writes the flag, which block 1 sees.
  const std::uint64_t flag_at = kGlobal;
  ScriptBuilder b(2, 64);
  b.fence(1, kLane0).strong(AccessKind::store, 1, 0, kLane0, at(flag_at), MemorySpace::global).barrier(2);
  b.strong(AccessKind::store, 3, 1, kLane0, at(flag_at), MemorySpace::global);
  b.in_block(1).strong(AccessKind::load, 4, 0, kLane0, at(flag_at), MemorySpace::global).barrier(5);
  b.access(AccessKind::store, 6, 0, kLane0, at(flag_at), MemorySpace::global);
  const auto findings = recorded(b.build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].where.line == 6);
  CHECK(findings[0].other->place.line == 1);
}

TEST_CASE("a broadcast of what one of the lanes has just written", "[race]") {
  for (const MemorySpace space : {MemorySpace::shared, MemorySpace::global}) {
    const std::uint64_t word = space == MemorySpace::global ? kGlobal + 8 : 8;
    for (const std::uint32_t writer : {0u, 1u, 15u, 16u, 31u}) {
      INFO("lane " << writer);
      const auto by_half = [&](std::uint64_t t) { return t / 16 == writer / 16 ? word : word + 64; };
      const auto build = [&](bool sync) {
        ScriptBuilder b(1, 32);
        b.access(AccessKind::store, 1, 0, 1u << writer, at(word), space);
        if (sync) b.warp_sync(0);
        b.access(AccessKind::load, 2, 0, ~0u, by_half, space);
        return b.build();
      };
      CHECK(recorded(build(false)).size() == 1);
      CHECK(suspicious(build(false)));
      CHECK(recorded(build(true)).empty());
      CHECK(!suspicious(build(true)));
      // The other way round: all have read, one writes.
      const auto reversed = [&](bool sync) {
        ScriptBuilder b(1, 32);
        b.access(AccessKind::load, 1, 0, ~0u, by_half, space);
        if (sync) b.warp_sync(0);
        b.access(AccessKind::store, 2, 0, 1u << writer, at(word), space);
        return b.build();
      };
      CHECK(recorded(reversed(false)).size() == 1);
      CHECK(suspicious(reversed(false)));
      CHECK(recorded(reversed(true)).empty());
      CHECK(!suspicious(reversed(true)));
    }
  }
}

TEST_CASE("a lock orders with fences only", "[race]") {
  CHECK(recorded(locked(true)).empty());
  const auto findings = recorded(locked(false));
  REQUIRE(!findings.empty());
  CHECK(findings[0].where.line == 2);
}

TEST_CASE("a tree sum needs its barriers", "[race]") {
  CHECK(recorded(tree(true, true, false)).empty());
  CHECK(!suspicious(tree(true, true, false)));
  // One warp is left after the first step: its own synchronisation will do.
  CHECK(recorded(tree(true, false, true)).empty());
  CHECK(!suspicious(tree(true, false, true)));
  SECTION("no barrier after the load") {
    const auto findings = recorded(tree(false, true, false));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].id == finding_ids::kSharedRace);
    CHECK(findings[0].where.line == 4);
    CHECK(findings[0].other->place.line == 1);
    CHECK(findings[0].help.find("`__syncthreads()`") != std::string::npos);
    CHECK(findings[0].help.find("between line 1 and line 4") != std::string::npos);
  }
  SECTION("none in the loop") {
    const auto findings = recorded(tree(true, false, false));
    REQUIRE(!findings.empty());
    CHECK(findings[0].where.line == 4);
    CHECK(findings[0].other->place.line == 6);
    CHECK(findings[0].help.find("put a `__syncthreads()` before line 4") != std::string::npos);
    CHECK(findings[0].help.find("__syncthreads()") != std::string::npos);  // larger steps go beyond warps
  }
}

TEST_CASE("of a plain write and an atomic in two blocks, the write is to blame", "[race]") {
  for (const bool write_first : {true, false}) {
    for (const std::uint64_t writing_block : {0u, 1u}) {
      ScriptBuilder b(2, 32);
      for (std::uint64_t block = 0; block < 2; ++block) {
        const bool writes = block == writing_block;
        b.in_block(block);
        const std::uint32_t line = writes == write_first ? 3 : 7;
        if (writes) {
          b.access(AccessKind::store, line, 0, kLane0, at(kGlobal), MemorySpace::global);
        } else {
          b.strong(AccessKind::atomic, line, 0, kLane0, at(kGlobal), MemorySpace::global, MemoryScope::device);
        }
      }
      const auto findings = recorded(b.build());
      REQUIRE(findings.size() == 1);
      CHECK(findings[0].where.line == (write_first ? 3 : 7));
      CHECK(findings[0].other->place.line == (write_first ? 7 : 3));
      CHECK(findings[0].message.starts_with("this write races with an atomic update"));
    }
  }
}

TEST_CASE("a volatile write of what was read before loses what others wrote", "[race]") {
  const std::uint64_t sum = kGlobal, lock = kGlobal + 64;
  const auto strong = [&](ScriptBuilder& b, AccessKind kind, std::uint32_t line, std::uint64_t address) {
    b.strong(kind, line, 0, kLane0, at(address), MemorySpace::global, MemoryScope::system);
  };
  const auto updates = [&](bool under_lock, AccessKind other) {
    ScriptBuilder b(2, 32);
    for (std::uint64_t block = 0; block < 2; ++block) {
      b.in_block(block);
      if (under_lock) {
        strong(b, AccessKind::atomic, 1, lock);
        b.fence(0, kLane0);
      }
      if (block == 0 || other == AccessKind::load) strong(b, AccessKind::load, 2, sum);
      if (block == 0 || other != AccessKind::atomic) strong(b, AccessKind::store, 3, sum);
      if (block == 1 && other == AccessKind::atomic) strong(b, AccessKind::atomic, 4, sum);
      if (under_lock) {
        b.fence(0, kLane0);
        strong(b, AccessKind::atomic, 5, lock);
      }
    }
    return b.build();
  };
  for (const AccessKind other : {AccessKind::load, AccessKind::store, AccessKind::atomic}) {
    const Script script = updates(false, other);
    const auto findings = recorded(script);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::error);
    CHECK(findings[0].id == finding_ids::kGlobalRace);
    CHECK(findings[0].message.find("loses") != std::string::npos);
    CHECK(suspicious(script));
    CHECK(recorded(updates(true, other)).empty());
  }
}
