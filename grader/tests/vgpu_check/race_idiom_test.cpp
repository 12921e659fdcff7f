// Whole idioms as event streams: correct ones raise nothing, and the same with its synchronisation taken away is found.
#include <string>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/race_filter.h"
#include "vgpu/check/race_recorder.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

std::vector<Finding> recorded(const Script& script) {
  RaceRecorder recorder;
  perform(script, recorder);
  return recorder.findings(LineNames());
}

bool suspicious(const Script& script) {
  static GlobalShadow shadow(kGlobal, 1 << 20);
  RaceFilter filter(shadow);
  perform(script, filter);
  return filter.suspicious();
}

const LaneMask kLane0 = 1;

auto at(std::uint64_t address) {
  return [address](std::uint64_t) { return address; };
}

/// Every block writes its partial result; the last one, by a counter, reads them all.
Script last_block_sums(bool writer_fences, bool counter_is_atomic, MemoryScope fence_scope = MemoryScope::device) {
  constexpr std::uint32_t kBlocks = 4;
  const std::uint64_t partial = kGlobal, counter = kGlobal + 64;
  ScriptBuilder b(kBlocks, 64);
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    b.in_block(block);
    b.access(AccessKind::store, 10, 0, kLane0, at(partial + 4 * block), MemorySpace::global);
    if (writer_fences) b.fence(0, kLane0, fence_scope);
    if (counter_is_atomic) {
      b.strong(AccessKind::atomic, 12, 0, kLane0, at(counter), MemorySpace::global);
    } else {
      b.access(AccessKind::load, 12, 0, kLane0, at(counter), MemorySpace::global);
      b.access(AccessKind::store, 12, 0, kLane0, at(counter), MemorySpace::global);
    }
    b.barrier(13);
    if (block + 1 == kBlocks) {
      b.access(
          AccessKind::load, 15, 0, 0xf, [&](std::uint64_t t) { return partial + 4 * (t % 4); }, MemorySpace::global);
      b.access(
          AccessKind::load, 15, 1, 0xf, [&](std::uint64_t t) { return partial + 4 * (t % 4); }, MemorySpace::global);
      b.access(AccessKind::store, 16, 0, kLane0, at(counter), MemorySpace::global);  // ready for the next launch
    }
  }
  return b.build();
}

/// Block 0 writes data and raises a flag; block 1 waits for the flag and reads.
Script flag(bool flag_is_volatile, bool writer_fences, bool reader_fences,
            MemoryScope reader_scope = MemoryScope::device, bool cleared_plainly = false) {
  const std::uint64_t data = kGlobal, flag_at = kGlobal + 64;
  const auto raise = [&](ScriptBuilder& b, AccessKind kind, std::uint32_t line) {
    if (flag_is_volatile) {
      b.strong(kind, line, 0, kLane0, at(flag_at), MemorySpace::global, MemoryScope::system);
    } else {
      b.access(kind, line, 0, kLane0, at(flag_at), MemorySpace::global);
    }
  };
  ScriptBuilder b(2, 32);
  b.access(AccessKind::store, 1, 0, kLane0, at(data), MemorySpace::global);
  if (writer_fences) b.fence(0, kLane0);
  raise(b, AccessKind::store, 2);
  if (cleared_plainly) b.access(AccessKind::store, 5, 0, kLane0, at(flag_at), MemorySpace::global);
  b.in_block(1);
  raise(b, AccessKind::load, 3);
  raise(b, AccessKind::load, 3);
  if (reader_fences) b.fence(0, kLane0, reader_scope);
  b.access(AccessKind::load, 4, 0, kLane0, at(data), MemorySpace::global);
  return b.build();
}

/// Threads of several blocks add to a plain counter under a lock.
Script locked(bool fences) {
  const std::uint64_t lock = kGlobal, counter = kGlobal + 64;
  ScriptBuilder b(3, 32);
  for (std::uint64_t block = 0; block < 3; ++block) {
    b.in_block(block);
    b.strong(AccessKind::atomic, 1, 0, kLane0, at(lock), MemorySpace::global);
    if (fences) b.fence(0, kLane0);
    b.access(AccessKind::load, 2, 0, kLane0, at(counter), MemorySpace::global);
    b.access(AccessKind::store, 2, 0, kLane0, at(counter), MemorySpace::global);
    if (fences) b.fence(0, kLane0);
    b.strong(AccessKind::atomic, 3, 0, kLane0, at(lock), MemorySpace::global);
  }
  return b.build();
}

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
    CHECK(findings[0].help.find("before the loop comes back to line 4") != std::string::npos);
    CHECK(findings[0].help.find("__syncwarp()") != std::string::npos);
  }
}

TEST_CASE("reports name both places, threads, bytes and what to do", "[race]") {
  const auto findings = recorded(ScriptBuilder()
                                     .all_store(4, [](std::uint64_t t) { return 4 * t; })
                                     .all_load(7, [](std::uint64_t t) { return 4 * (t ^ 33); })
                                     .build());
  REQUIRE(findings.size() == 1);
  const Finding& f = findings[0];
  CHECK(f.message == "this read races with a write of the same shared memory by another thread of the block");
  CHECK(f.kernel == "k");
  CHECK(f.where == SourcePlace{"kernel.cu", 7, 1});
  CHECK(f.block == Index3{0, 0, 0});
  CHECK(f.thread == Index3{0, 0, 0});
  CHECK(f.address == 132u);
  CHECK(f.count == 64);
  CHECK(f.note == "4 bytes in conflict at byte 132 of `tile` (256 bytes), its element 33");
  CHECK(f.help == "put a `__syncthreads()` between line 4 and line 7");
  REQUIRE(f.other);
  CHECK(f.other->label == "the other thread's write is here");
  CHECK(f.other->place == SourcePlace{"kernel.cu", 4, 1});
  CHECK(f.other->thread == Index3{33, 0, 0});
}

TEST_CASE("blocks that write one element are told that they cannot wait for each other", "[race]") {
  ScriptBuilder b(4, 32);
  for (std::uint64_t block = 0; block < 4; ++block) b.in_block(block).all_store(3, at(kGlobal), MemorySpace::global);
  const auto findings = recorded(b.build());
  REQUIRE(!findings.empty());
  bool between = false;
  for (const Finding& f : findings) {
    CHECK(f.id == finding_ids::kGlobalRace);
    CHECK(f.severity == Severity::error);
    between |= f.help.find("blocks of one launch cannot wait for each other") != std::string::npos;
  }
  CHECK(between);
}

TEST_CASE("nothing carries over from one launch to the next, nor from block to block", "[race]") {
  static GlobalShadow shadow(kGlobal, 1 << 20);
  const auto build = [](std::uint64_t shift) {
    return ScriptBuilder()
        .all_store(
            1, [=](std::uint64_t t) { return kGlobal + 4 * ((t + shift) % 64); }, MemorySpace::global)
        .build();
  };
  // More launches than a mark has values: marks and lines start anew.
  for (std::uint64_t launch = 0; launch < 600; ++launch) {
    RaceFilter filter(shadow);
    perform(build(launch), filter);
    REQUIRE(!filter.suspicious());
  }
  ScriptBuilder b(3, 64);
  for (std::uint64_t block = 0; block < 3; ++block)
    b.in_block(block).all_store(1, [&](std::uint64_t t) { return 4 * ((t + block * 5) % 64); });
  CHECK(!suspicious(b.build()));
}

TEST_CASE("what was read by all blocks in earlier launches is no excuse in this one", "[race]") {
  GlobalShadow shadow(kGlobal, 1 << 20);
  const auto suspect = [&](const Script& script) {
    RaceFilter filter(shadow);
    perform(script, filter);
    return filter.suspicious();
  };
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

TEST_CASE("the fence that is missing is named, and where it goes", "[race]") {
  const auto help = [](const Script& script) {
    for (const Finding& f : recorded(script)) {
      // Of the data, not of the flag.
      if (f.help.find("__threadfence") != std::string::npos) return f.help;
    }
    return std::string();
  };
  CHECK(help(flag(true, false, true)) == "put a `__threadfence()` between line 1 and line 2");
  CHECK(help(flag(true, true, false)) == "put a `__threadfence()` between line 3 and line 4");
  CHECK(help(flag(true, false, false)) ==
        "put a `__threadfence()` between line 1 and line 2, and one between line 3 and line 4");
  // The barrier after the counter stands for the reader's fence.
  CHECK(help(last_block_sums(false, true)) == "put a `__threadfence()` between line 10 and line 12");
  CHECK(help(locked(false)).find("__threadfence") != std::string::npos);
  CHECK(help(last_block_sums(true, false)).empty());
  CHECK(help(flag(false, false, false)).empty());
}

TEST_CASE("a fence is named without the line of a function that is not the student's", "[race]") {
  struct AtomicElsewhere : LineNames {
    SourcePlace place(std::uint32_t instruction) const override {
      return instruction == 12 ? SourcePlace{} : LineNames::place(instruction);
    }
  };
  RaceRecorder recorder;
  perform(last_block_sums(false, true), recorder);
  const auto findings = recorder.findings(AtomicElsewhere());
  REQUIRE(!findings.empty());
  bool named = false;
  for (const Finding& f : findings) {
    CHECK((f.help + f.note).find("line 0") == std::string::npos);
    named |= f.help == "put a `__threadfence()` after line 10, before the atomic or flag that says so";
  }
  CHECK(named);
}

TEST_CASE("blocks that happen to count before they read do not wait for each other", "[race]") {
  // Each block writes its element, counts, and reads its neighbour's, which may not have been written.
  const std::uint64_t counter = kGlobal + 64;
  ScriptBuilder b(3, 32);
  for (std::uint64_t block = 0; block < 3; ++block) {
    b.in_block(block);
    b.access(AccessKind::store, 1, 0, kLane0, at(kGlobal + 4 * block), MemorySpace::global);
    b.strong(AccessKind::atomic, 2, 0, kLane0, at(counter), MemorySpace::global);
    b.access(AccessKind::load, 3, 0, kLane0, at(kGlobal + 4 * ((block + 1) % 3)), MemorySpace::global);
  }
  const auto findings = recorded(b.build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].help.find("__threadfence") == std::string::npos);
}
