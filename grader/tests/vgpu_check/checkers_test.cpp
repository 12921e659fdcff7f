// BarrierChecker, MemoryChecker and InitializedChecker: what they report, in which words, and what they let pass.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/barrier_checker.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/initialized_checker.h"
#include "vgpu/check/memory_checker.h"
#include "vgpu/check/row_pitch.h"
#include "vgpu/check/size_factor.h"
#include "vgpu/memory/global_memory.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

std::vector<Finding> barrier_findings(const Script& script) {
  BarrierChecker checker;
  perform(script, checker);
  return checker.findings(LineNames());
}

Finding violation(ViolationKind kind, std::uint64_t address, std::uint8_t bytes = 4,
                  std::optional<NamedRange> range = NamedRange{kGlobal, 400, "", false},
                  MemorySpace space = MemorySpace::global, AccessKind access = AccessKind::load,
                  std::uint32_t cut_line = 0) {
  Event e;
  e.type = Event::Type::violation;
  e.violation = kind;
  e.kind = access;
  e.space = space;
  e.bytes = bytes;
  e.address.fill(address);
  MemoryChecker checker;
  perform(ScriptBuilder().add(e, 12, 1, 0x30).build(), checker);
  LineNames names;
  names.range = range;
  names.cut_line = cut_line;
  const auto findings = checker.findings(names);
  REQUIRE(findings.size() == 1);
  return findings[0];
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("barriers that all threads reach together are fine", "[barrier]") {
  CHECK(barrier_findings(ScriptBuilder().barrier(3).barrier(4).build()).empty());
  // Lanes of one warp may arrive one after the other.
  CHECK(barrier_findings(ScriptBuilder(1, 32).arrive(3, 0, 0xff).arrive(3, 0, ~0xffu).complete().build()).empty());
}

TEST_CASE("two sites for one barrier", "[barrier]") {
  const auto findings = barrier_findings(
      ScriptBuilder().arrive(8, 1, ~0u).arrive(5, 0, 0xffff).arrive(8, 0, ~0xffffu).complete().build());
  REQUIRE(findings.size() == 1);
  const Finding& f = findings[0];
  CHECK(f.id == finding_ids::kBarrierDivergence);
  CHECK(f.severity == Severity::error);
  CHECK(f.where.line == 8);
  CHECK(f.thread == Index3{16, 0, 0});
  REQUIRE(f.other);
  CHECK(f.other->place.line == 5);
  CHECK(f.other->thread == Index3{0, 0, 0});
  CHECK(f.note == "48 threads here, 16 threads at the other");
}

TEST_CASE("arrivals do not leak into the next barrier, nor into another", "[barrier]") {
  CHECK(barrier_findings(ScriptBuilder()
                             .arrive(3, 0, ~0u)
                             .arrive(9, 1, ~0u, 1)
                             .complete(1, false)
                             .arrive(3, 1, ~0u)
                             .complete()
                             .barrier(4)
                             .build())
            .empty());
}

TEST_CASE("threads that have exited are told apart", "[barrier]") {
  const auto findings = barrier_findings(ScriptBuilder().arrive(6, 0, 0xfffff).complete(0, true, 44).build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == finding_ids::kBarrierDivergence);
  CHECK(findings[0].severity == Severity::error);
  CHECK(mentions(findings[0].note, "20 threads here, 44 exited"));
  CHECK(mentions(findings[0].note, "Volta"));
}

TEST_CASE("it is said how threads that have exited went past a barrier", "[barrier]") {
  const auto finding = [](const Script& script, const LineNames& names = {}) {
    BarrierChecker checker;
    perform(script, checker);
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const auto leave = [](std::uint32_t line, std::optional<std::uint32_t> early_end) {
    return ScriptBuilder().leave(line, 1, 0xffff0000, early_end).arrive(6, 0, ~0u).complete(0, true, 16).build();
  };
  const Finding condition = finding(leave(4, std::nullopt));
  REQUIRE(condition.other);
  CHECK(condition.other->place.line == 4);
  CHECK(condition.other->thread == Index3{48, 0, 0});
  CHECK(condition.other->label == "this condition kept the exited threads from the barrier");
  CHECK(mentions(condition.help, "out of the `if` at line 4"));

  const Finding early = finding(leave(4, 5));
  REQUIRE(early.other);
  CHECK(early.other->place.line == 5);
  CHECK(mentions(early.help, "take out the `return` at line 5"));

  LineNames names;
  names.barrier_place.loop = {4, 6, 8};
  const Finding loop = finding(leave(8, std::nullopt), names);
  REQUIRE(loop.other);
  CHECK(loop.other->place.line == 8);
  CHECK(mentions(loop.help, "let what line 8 asks not depend on the thread"));
  CHECK(mentions(finding(leave(8, 9), names).help, "`return` or `break` at line 9"));
  CHECK(mentions(finding(leave(2, std::nullopt), names).help, "out of the `if` at line 2"));

  // Threads that went all the rounds and skipped the barrier in each.
  names.barrier_place.skipped_at = 4;
  const Finding skipped = finding(leave(8, std::nullopt), names);
  REQUIRE(skipped.other);
  CHECK(skipped.other->place.line == 4);
  CHECK(mentions(skipped.help, "out of the `if` at line 4"));

  // What is not known is not said.
  const Finding unknown = finding(ScriptBuilder().arrive(6, 0, ~0u).complete(0, true, 32).build());
  CHECK_FALSE(unknown.other);
  CHECK_FALSE(mentions(unknown.help, "return"));
}

TEST_CASE("of several ways past a barrier the one of most threads is told, once", "[barrier]") {
  const auto findings = barrier_findings(ScriptBuilder()
                                             .leave(2, 0, 0x3)
                                             .leave(3, 1, 0xff)
                                             .arrive(6, 0, ~0x3u)
                                             .arrive(6, 1, ~0xffu)
                                             .complete(0, true, 10)
                                             .build());
  REQUIRE(findings.size() == 1);
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 3);
  CHECK(findings[0].other->thread == Index3{32, 0, 0});
}

TEST_CASE("a deadlock", "[barrier]") {
  Event e;
  e.type = Event::Type::deadlock;
  const auto findings = barrier_findings(ScriptBuilder().add(e, 6, 0, 0xf).build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].severity == Severity::error);
  CHECK(mentions(findings[0].message, "deadlock"));
  CHECK(findings[0].note == "4 threads here");
  CHECK(mentions(findings[0].message, "block"));

  e.barrier = kBarrierOfWarp;
  const auto of_warp = barrier_findings(ScriptBuilder().add(e, 6, 0, 0xf).build());
  REQUIRE(of_warp.size() == 1);
  CHECK(of_warp[0].id == finding_ids::kBarrierDivergence);
  CHECK(mentions(of_warp[0].message, "lanes of their warp"));
  CHECK(mentions(of_warp[0].help, "__syncwarp"));
}

TEST_CASE("occurrences add up over blocks; the first thread speaks", "[barrier]") {
  ScriptBuilder b(3, 64);
  for (const std::uint64_t block : {2, 0, 1}) b.in_block(block).arrive(5, 1, ~0u).arrive(8, 0, ~0u).complete();
  const auto findings = barrier_findings(b.build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 3);
  CHECK(findings[0].block == Index3{0, 0, 0});
}

const std::string kLaunch = "\nlaunch: <<<1, 64>>>, 64 threads";

TEST_CASE("out of bounds says by how much, of what", "[memory]") {
  const Finding f = violation(ViolationKind::global_out_of_bounds, kGlobal + 400);
  CHECK(f.id == finding_ids::kGlobalOutOfBounds);
  CHECK(f.message == "read of 4 bytes outside every allocation");
  CHECK(f.note ==
        "just past the end of an allocation, allocated as 400 bytes: index 100 where 99 is the last" + kLaunch);
  CHECK(f.where.line == 12);
  CHECK(f.thread == Index3{36, 0, 0});
  CHECK(f.count == 2);
  CHECK(f.address == kGlobal + 400);

  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 440).note ==
        "40 bytes past the end of an allocation, allocated as 400 bytes: index 110 where 99 is the last" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal - 4).note ==
        "4 bytes before the start of an allocation, allocated as 400 bytes" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16).message ==
        "read of 16 bytes that are in an allocation only in part");
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16).note ==
        "the access reaches 8 bytes past the end of an allocation, allocated as 400 bytes" + kLaunch);
  // 400 bytes hold whole groups of 16, and no whole groups of 7: then what is left over is done in smaller parts.
  CHECK_FALSE(mentions(violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16).help, "multiple"));
  CHECK(mentions(
      violation(ViolationKind::global_out_of_bounds, kGlobal + 392, 16, NamedRange{kGlobal, 399, "", false}).help,
      "399 bytes, no multiple of the 16 of one such access"));
  CHECK(
      violation(ViolationKind::global_out_of_bounds, kGlobal + 400, 4, NamedRange{kGlobal, 400, "table", false}).note ==
      "just past the end of `table`, allocated as 400 bytes: index 100 where 99 is the last" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal + 400, 4, std::nullopt).note ==
        "no allocation is near this address" + kLaunch);
  CHECK(violation(ViolationKind::global_out_of_bounds, kGlobal, 4, std::nullopt, MemorySpace::global, AccessKind::store)
            .message == "write of 4 bytes outside every allocation");
}

TEST_CASE("an access far outside leads to where its index loses bits", "[memory]") {
  const auto other = [](std::uint64_t address, std::uint32_t cut_line) {
    const Finding f = violation(ViolationKind::global_out_of_bounds, address, 4, NamedRange{kGlobal, 400, "c", false},
                                MemorySpace::global, AccessKind::load, cut_line);
    return f.other ? f.other->place.line : 0;
  };
  CHECK(other(kGlobal - 80'000, 7) == 7);
  CHECK(other(kGlobal + 80'000, 7) == 7);
  CHECK(other(kGlobal - 80'000, 0) == 0);
  CHECK(other(kGlobal - 80'000, 12) == 0);  // the access's own line
  CHECK(other(kGlobal + 400, 7) == 0);      // the last block sticks out
}

TEST_CASE("an allocation that is too small is shown, and to blame where a factor tells of a forgotten size",
          "[memory]") {
  // Threads of one warp write the last elements of so many bytes, behind an allocation of the program.
  const auto finding = [](std::uint64_t allocated, std::uint64_t needed, std::uint8_t bytes, bool bare,
                          bool asked_for = true) {
    Event e;
    e.type = Event::Type::violation;
    e.violation = ViolationKind::global_out_of_bounds;
    e.kind = AccessKind::store;
    e.space = MemorySpace::global;
    e.bytes = bytes;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      e.address[lane] = kGlobal + needed - (kWarpSize - lane) * std::uint64_t{bytes};
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, ~0u).build(), checker);
    LineNames names;
    names.range = NamedRange{kGlobal, allocated, "", false};
    names.range->asked_for = asked_for;
    names.bare_line = bare ? 12 : 0;
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const Finding forgotten = finding(64, 256, 4, false);
  CHECK(forgotten.id == finding_ids::kGlobalOutOfBounds);
  CHECK(forgotten.message == "`k` accesses 4 times as many bytes as the allocation has");
  CHECK(forgotten.note == "64 bytes allocated, 256 needed: is `sizeof` missing?");
  CHECK(mentions(forgotten.help, "n * sizeof(float)"));
  CHECK_FALSE(forgotten.where.known());  // the host knows
  REQUIRE(forgotten.other);
  CHECK(forgotten.other->role == PlaceRole::access);
  CHECK(forgotten.other->place.line == 12);
  CHECK(forgotten.other->thread == Index3{32, 0, 0});

  const Finding of_floats = finding(1024, 2048, 8, false);
  CHECK(of_floats.note == "1024 bytes allocated, 2048 needed: is it the `sizeof` of another type?");
  CHECK(mentions(of_floats.help, "n * sizeof(double)"));

  // Without a guard threads may go any number of elements too far.
  const Finding bare = finding(64, 256, 4, true);
  CHECK(bare.where.line == 12);
  CHECK(mentions(bare.help, "if (i < n)"));
  REQUIRE(bare.other);
  CHECK(bare.other->label == "allocated here; accesses go on to byte 256: is `sizeof` missing?");
  CHECK(bare.other->role == PlaceRole::allocation);
  CHECK_FALSE(bare.other->place.known());

  const Finding about = finding(63, 256, 4, false);
  CHECK(about.where.line == 12);
  CHECK(about.other->label == "allocated here; accesses go on to byte 256: is `sizeof` missing?");
  const Finding few = finding(100, 256, 4, false);
  CHECK(few.other->label == "allocated here; accesses go on to byte 256");
  CHECK(mentions(few.help, "the conditions around this access"));
  CHECK_FALSE(finding(64, 256, 4, false, false).other);
  // The last block sticks out of the array: a guard is what is missing.
  CHECK_FALSE(finding(384, 512, 4, true).other);
  CHECK(finding(384, 512, 4, false).other);
}

TEST_CASE("shared memory of a size that the launch says leads to the launch", "[memory]") {
  const auto finding = [](bool by_launch, std::uint64_t first) {
    Event e;
    e.type = Event::Type::violation;
    e.violation = ViolationKind::shared_out_of_bounds;
    e.kind = AccessKind::store;
    e.space = MemorySpace::shared;
    e.bytes = 4;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) e.address[lane] = (first + 4 * lane) & 0xFFFF'FFFFu;
    MemoryChecker checker;
    perform(ScriptBuilder().add(e, 12, 1, ~0u).build(), checker);
    LineNames names;
    names.shared_by_launch = by_launch;
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const Finding told = finding(true, 256);
  REQUIRE(told.other);
  CHECK(told.other->role == PlaceRole::launch);
  CHECK(told.other->label == "this launch asks for no bytes, the kernel goes on to byte 384");
  CHECK(mentions(told.help, "the third launch argument"));
  // An array of a fixed size, and an index below 0.
  for (const Finding& other : {finding(false, 256), finding(true, 0xFFFF'FF00u)}) {
    CHECK_FALSE(other.other);
    CHECK(other.help == "check the index against the size of the `__shared__` array");
  }
}

TEST_CASE("a factor that may be the size of an element", "[memory]") {
  const auto times = [](std::uint64_t allocated, std::uint64_t needed) {
    const auto factor = size_factor(allocated, needed);
    return factor ? static_cast<int>(factor->times) * (factor->exact ? 1 : -1) : 0;
  };
  CHECK(times(256, 1024) == 4);
  CHECK(times(1, 16) == 16);
  CHECK(times(1000, 4096) == -4);
  CHECK(times(1000, 2000) == 2);
  CHECK(times(1000, 3000) == 0);
  CHECK(times(1000, 1500) == 0);
  CHECK(times(1000, 5000) == 0);
  CHECK(times(1000, 32000) == 0);
  CHECK(times(0, 4) == 0);
  CHECK(times(1, ~0ull) == 0);
  CHECK(times(1ull << 62, ~0ull) == 0);
}

TEST_CASE("elements are named as in the source where the type is known", "[memory]") {
  using enum ViolationKind;
  NamedRange table{kGlobal, 4 * 8 * 4, "table", false};
  table.type = std::make_shared<ptx::DataType>(ptx::array_of_scalars(4, {4, 8}));
  CHECK(violation(global_out_of_bounds, kGlobal + 128, 4, table).note ==
        "just past the end of `table`, allocated as 128 bytes: `table[4][0]` where `table[3][7]` is the last" +
            kLaunch);
  CHECK(violation(misaligned, kGlobal + 42, 4, table).note ==
        "the address is 2 bytes past a multiple of 4, at byte 2 of `table[1][2]`");
  CHECK(violation(use_after_free, kGlobal + 44, 8, table).note == "`table[1][3]`");

  NamedRange c = table;  // a pointer has one subscript in the source
  c.name = "c";
  c.flat = true;
  CHECK(violation(use_after_free, kGlobal + 44, 4, c).note == "`c[1][3]` (row 1, column 3)");
  CHECK(violation(global_out_of_bounds, kGlobal + 132, 4, c).note ==
        "4 bytes past the end of `c`, allocated as 128 bytes: index 33 where 31 is the last" + kLaunch);

  NamedRange dynamic = table;  // elements of which only the alignment is known
  ptx::DataType assumed = ptx::array_of_scalars(4, {0});
  assumed.assumed = true;
  dynamic.type = std::make_shared<ptx::DataType>(assumed);
  CHECK(violation(use_after_free, kGlobal + 44, 4, dynamic).note == "`table[11]`");
  CHECK(violation(use_after_free, kGlobal + 44, 1, dynamic).note == "byte 44 of `table` (128 bytes), its element 44");
}

TEST_CASE("every violation has an id and says what to do", "[memory]") {
  using enum ViolationKind;
  const std::vector<std::pair<ViolationKind, std::string_view>> expected{
      {global_out_of_bounds, finding_ids::kGlobalOutOfBounds},
      {shared_out_of_bounds, finding_ids::kSharedOutOfBounds},
      {local_out_of_bounds, finding_ids::kLocalOutOfBounds},
      {constant_out_of_bounds, finding_ids::kConstantOutOfBounds},
      {misaligned, finding_ids::kMisalignedAccess},
      {host_pointer, finding_ids::kHostPointerDereference},
      {null_pointer, finding_ids::kNullPointerDereference},
      {use_after_free, finding_ids::kUseAfterFree},
      {write_to_constant, finding_ids::kWriteToConstant}};
  for (const auto& [kind, id] : expected) {
    const Finding f = violation(kind, kGlobal + 2);
    CHECK(f.id == id);
    CHECK(f.severity == Severity::error);
    CHECK(!f.help.empty());
    CHECK(!f.message.empty());
    CHECK(f.message.back() != '.');
    CHECK(f.help.back() != '.');
  }
  CHECK(mentions(violation(host_pointer, 0x7fff0000).help, "`cudaMalloc`"));
  CHECK(mentions(violation(misaligned, kGlobal + 4, 16).message, "not a multiple of 16"));
  CHECK(mentions(violation(null_pointer, 8).note, "null plus an offset"));
}

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
      InitializedChecker checker(memory, {pure});
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
  InitializedChecker of_exchanges(memory, {1});
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
    CHECK_FALSE(mentions(run(reads)[0].help, "`sizeof`"));
  }
  SECTION("as many bytes written as there are elements") {
    memory.fill(a, 0, 128);
    CHECK(mentions(run(reads, 512)[0].help, "128 bytes end here"));
  }
  SECTION("all of it written") {
    memory.fill(a, 0, 1024);
    CHECK(run(reads).empty());
    memory.free(a, 0);
  }
}
