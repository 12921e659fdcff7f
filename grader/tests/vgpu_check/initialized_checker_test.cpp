// InitializedChecker: what it reports, in which words, and what it lets pass.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/initialized_checker.h"
#include "vgpu/check/row_pitch.h"
#include "vgpu/memory/global_memory.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

TEST_CASE("reads of shared memory nobody wrote", "[initialized]") {
  GlobalMemory memory(1 << 20);
  const auto run = [&](const Script& script) {
    InitializedChecker checker(memory);
    perform(script, checker);
    return checker.findings(LineNames());
  };
  const auto own = [](std::uint64_t t) { return 4 * t; };
  CHECK(run(ScriptBuilder().all_store(1, own).all_load(2, own).build()).empty());
  SECTION("one element missing") {
    const auto findings = run(ScriptBuilder()
                                  .access(AccessKind::store, 1, 0, ~0u & ~0x20u, own)
                                  .all_load(2, [](std::uint64_t t) { return 4 * (t % 32); })
                                  .build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].id == finding_ids::kUninitializedRead);
    CHECK(findings[0].where.line == 2);
    CHECK(findings[0].thread == Index3{5, 0, 0});
    CHECK(findings[0].count == 2);
    CHECK(findings[0].note == "4 bytes at byte 20 of `tile` (256 bytes), its element 5");
  }
  SECTION("some bytes of a word missing") {
    const auto byte = [](std::uint64_t t) { return 4 * t + 1; };
    CHECK(run(ScriptBuilder()
                  .all_store(1, byte, MemorySpace::shared, 1)
                  .all_load(2, byte, MemorySpace::shared, 1)
                  .build())
              .empty());
    CHECK(run(ScriptBuilder().all_store(1, byte, MemorySpace::shared, 1).all_load(2, own).build()).size() == 1);
  }
  SECTION("an atomic reads too, and writes") {
    const auto findings = run(ScriptBuilder().all(AccessKind::atomic, 1, own).all_load(2, own).build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].where.line == 1);
  }
  SECTION("an exchange whose old value nobody uses only writes") {
    const Script script = ScriptBuilder().all(AccessKind::atomic, 1, own).all_load(2, own).build();
    for (const auto& [pure, count] : {std::pair(1u, 0u), std::pair(2u, 1u)}) {
      InitializedChecker checker(memory, {.pure_exchanges = {pure}});
      perform(script, checker);
      CHECK(checker.findings(LineNames()).size() == count);
    }
  }
  SECTION("what another block wrote does not count") {
    const auto in_block = [](std::uint64_t t) { return 4 * (t % 64); };
    const auto findings = run(ScriptBuilder(2, 64).all_store(1, in_block).in_block(1).all_load(2, in_block).build());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].block == Index3{1, 0, 0});
  }
}

TEST_CASE("rows that are written further apart than they are read", "[initialized]") {
  // Rows of 8 elements; the warp has four rows of threads.
  static constexpr std::uint32_t kRow = 8;
  static constexpr Index3 kBlock{kRow, 4, 1};
  const auto pitches = [](std::uint32_t written_row, std::uint32_t read_row, std::uint64_t at,
                          std::uint32_t written_of_row = 8) {
    std::vector<std::uint8_t> written(4 * written_row * 6, 0);
    for (std::uint32_t row = 0; row < 5; ++row)
      std::fill_n(written.begin() + 4 * row * written_row, 4 * written_of_row, std::uint8_t{0xFF});
    std::fill_n(written.begin() + 4 * 5 * written_row, 4 * written_row, std::uint8_t{0xFF});  // another array
    std::array<std::uint64_t, kWarpSize> addresses{};
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) addresses[lane] = 4 * (lane / kRow * read_row);
    WarpAccess read;
    read.active = ~0u;
    read.bytes = 4;
    read.address = addresses.data();
    return different_pitches(read, 4 * at, kBlock, written);
  };
  CHECK(pitches(9, 8, 8) == RowPitches{36, 32});
  CHECK_FALSE(pitches(9, 9, 8));      // the same row length
  CHECK_FALSE(pitches(9, 7, 8));      // rows that are no part of it
  CHECK_FALSE(pitches(8, 8, 7, 7));   // the last column is not written
  CHECK_FALSE(pitches(9, 8, 35));     // too few gaps follow
  CHECK_FALSE(pitches(8, 8, 200));    // outside
  CHECK_FALSE(pitches(10, 8, 2, 1));  // single elements
}

TEST_CASE("reads of global memory nobody wrote", "[initialized]") {
  GlobalMemory memory(1 << 20);
  const DeviceAddress a = memory.allocate(1024, 0);
  const auto run = [&](const Script& script, std::uint64_t bytes = 1024) {
    InitializedChecker checker(memory);
    perform(script, checker);
    LineNames names;
    names.range = NamedRange{a, bytes, "", false};
    return checker.findings(names);
  };
  const auto word = [a](std::uint64_t t) { return a + 4 * t; };
  const Script reads =
      ScriptBuilder().all_load(2, word, MemorySpace::global).all_load(2, word, MemorySpace::global).build();
  const auto findings = run(reads);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 128);
  CHECK(findings[0].note == "4 bytes at byte 0 of an allocation (1024 bytes)");
  CHECK(findings[0].message == "read of global memory that nobody has written");
  CHECK_FALSE(findings[0].other);  // it is not known who allocated it
  InitializedChecker checker(memory);
  perform(reads, checker);
  LineNames asked;
  asked.range = NamedRange{a, 1024, "", false};
  asked.range->asked_for = true;
  REQUIRE(checker.findings(asked)[0].other);
  CHECK(checker.findings(asked)[0].other->role == PlaceRole::allocation);
  InitializedChecker of_exchanges(memory, {.pure_exchanges = {1}});
  perform(ScriptBuilder()
              .all(AccessKind::atomic, 1, word, MemorySpace::global)
              .all(AccessKind::atomic, 2, word, MemorySpace::global)
              .build(),
          of_exchanges);
  REQUIRE(of_exchanges.findings(LineNames()).size() == 1);
  CHECK(of_exchanges.findings(LineNames())[0].where.line == 2);
  // A store is no read.
  CHECK(run(ScriptBuilder().all_store(1, word, MemorySpace::global).build()).empty());
  SECTION("half of it written") {
    memory.fill(a, 0, 128);
    REQUIRE(run(reads).size() == 1);
    CHECK(run(reads)[0].count == 64);
    CHECK(run(reads)[0].thread == Index3{32, 0, 0});
    CHECK_THAT(run(reads)[0].help, !contains_text("`sizeof`"));
  }
  SECTION("as many bytes written as there are elements") {
    memory.fill(a, 0, 128);
    CHECK_THAT(run(reads, 512)[0].help, contains_text("128 bytes end here"));
  }
  SECTION("all of it written") {
    memory.fill(a, 0, 1024);
    CHECK(run(reads).empty());
    memory.free(a, 0);
  }
}

TEST_CASE("padding of an object that is copied is no value that is read", "[initialized]") {
  GlobalMemory memory(1 << 20);
  const DeviceAddress a = memory.allocate(1024, 0);
  const auto findings = [&](const Script& script, std::map<std::uint32_t, std::uint32_t> copies) {
    InitializedChecker checker(memory, {.object_copies = std::move(copies)});
    perform(script, checker);
    return checker.findings(LineNames());
  };
  SECTION("in global memory") {
    for (std::uint64_t i = 0; i < 64; ++i) memory.fill(a + 16 * i, 1, 4);  // a member of 4 bytes, then padding of 4
    const auto first = [a](std::uint64_t t) { return a + 16 * t; };
    const Script copy = ScriptBuilder().all_load(2, first, MemorySpace::global, 8).build();
    CHECK(findings(copy, {{2, 8}}).empty());
    CHECK(findings(copy, {{2, 4}}).size() == 1);
    CHECK(findings(copy, {{1, 8}}).size() == 1);  // another instruction
    CHECK(findings(copy, {}).size() == 1);
    // The member that follows was not written either.
    const Script whole = ScriptBuilder().all_load(2, first, MemorySpace::global, 16).build();
    CHECK(findings(whole, {{2, 8}}).size() == 1);
    // By words: the second one is padding where the copy is of more than a word.
    const auto padding = [a](std::uint64_t t) { return a + 16 * t + 4; };
    const Script word = ScriptBuilder().all_load(2, padding, MemorySpace::global).build();
    CHECK(findings(word, {{2, 8}}).empty());
    CHECK(findings(word, {{2, 4}}).size() == 1);
  }
  SECTION("in shared memory, up to its end") {
    const auto byte = [](std::uint64_t t) { return 4 * t; };
    const Script copy = ScriptBuilder()
                            .all_store(1, byte, MemorySpace::shared, 1)
                            .all_load(2, [](std::uint64_t t) { return 4 * (63 - t); })
                            .build();
    CHECK(findings(copy, {{2, 4}}).empty());
    CHECK(findings(copy, {{2, 8}}).empty());
    CHECK(findings(copy, {}).size() == 1);
    CHECK(findings(ScriptBuilder().all_load(2, byte).build(), {{2, 4}}).size() == 1);
  }
}
