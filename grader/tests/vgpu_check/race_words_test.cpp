// What findings of races say: the places, the threads, and what to do, by what is missing.
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "race_scripts.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/race_recorder.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

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
  CHECK(f.help.advises(Advice::block_barrier));
  CHECK(f.barrier == BarrierLines{.after = 4, .before = 7});
  REQUIRE(f.other);
  CHECK(f.other->label == "the other thread's write is here");
  CHECK(f.other->place == SourcePlace{"kernel.cu", 4, 1});
  CHECK(f.other->thread == Index3{33, 0, 0});
}

TEST_CASE("where a barrier stands between the two lines, the advice is another, behind the later one", "[race]") {
  RaceRecorder recorder;
  perform(ScriptBuilder()
              .all_store(4, [](std::uint64_t t) { return 4 * t; })
              .all_load(7, [](std::uint64_t t) { return 4 * (t ^ 33); })
              .build(),
          recorder);
  LineNames names;
  names.block_barrier_line = 5;
  const auto finding = [&] { return recorder.findings(names).at(0); };
  const auto help = [&] { return finding().help; };
  CHECK(help() ==
        "there is a barrier between line 4 and line 7: put another after line 7, before line 4 is executed again");
  CHECK(help().advises(Advice::another_barrier));
  CHECK(finding().barrier == BarrierLines{.after = 7, .before = 4});
  names.inlined = true;
  CHECK(help() == "put a `__syncthreads()` between line 4 and line 7");
  names.inlined = false;
  names.loop_line = 7;
  CHECK(help() == "put a `__syncthreads()` after line 7, before line 4 is executed again");
  CHECK(help().advises(Advice::block_barrier));
  CHECK(finding().barrier == BarrierLines{.after = 7, .before = 4, .next_round = true});
  names.block_barrier_line = 8;
  CHECK(help() == "put a `__syncthreads()` between line 4 and line 7");
}

TEST_CASE("what comes again is told of a loop only where there is one", "[race]") {
  RaceRecorder recorder;
  perform(ScriptBuilder()
              .all_store(7, [](std::uint64_t t) { return 4 * t; })
              .all_load(4, [](std::uint64_t t) { return 4 * (t ^ 33); })
              .build(),
          recorder);
  LineNames names;
  const auto help = [&] { return recorder.findings(names).at(0).help; };
  CHECK(help() ==
        "line 4 is executed again while other threads may still be at line 7: put a `__syncthreads()` before line 4");
  CHECK(help().advises(Advice::block_barrier));
  names.loop_line = 4;
  CHECK(help() == "put a `__syncthreads()` after line 7, before line 4 is executed again");
}

TEST_CASE("between two calls of a function the barrier goes where they stand", "[race]") {
  RaceRecorder recorder;
  perform(ScriptBuilder()
              .all_store(7, [](std::uint64_t t) { return 4 * t; })
              .all_load(4, [](std::uint64_t t) { return 4 * (t ^ 33); })
              .build(),
          recorder);
  LineNames names;
  const auto finding = [&] { return recorder.findings(names).at(0); };
  const auto help = [&] { return finding().help; };
  const SourcePlace first{"kernel.cu", 20, 3}, second{"kernel.cu", 21, 3};
  names.calls_of = {{7, {first}}, {4, {second}}};
  // A condition in the function is around neither of the calls.
  names.guards_of = {{4, {{3, false, false}}}};
  names.calls_of[3] = {second};
  CHECK(help() == "put a `__syncthreads()` between line 20 and line 21");
  CHECK(finding().barrier == BarrierLines{.after = 20, .before = 21});
  SECTION("in another file") {
    names.calls_of = {{7, {{"a/main.cu", 20, 3}}}, {4, {{"a/main.cu", 21, 3}}}, {3, {{"a/main.cu", 21, 3}}}};
    CHECK(help() == "put a `__syncthreads()` between line 20 and line 21 of main.cu");
    CHECK(finding().barrier == BarrierLines{});
  }
  SECTION("in one line") {
    names.calls_of = {{7, {first}}, {4, {{"kernel.cu", 20, 12}}}, {3, {{"kernel.cu", 20, 12}}}};
    CHECK(help() == "put a `__syncthreads()` between the two calls of line 20");
  }
  SECTION("in a function that is called once more") {
    const SourcePlace outer{"kernel.cu", 40, 1};
    names.calls_of = {{7, {outer, first}}, {4, {outer, second}}, {3, {outer, second}}};
    CHECK(help() == "put a `__syncthreads()` between line 20 and line 21");
  }
  SECTION("of one call: the lines of the accesses") {
    names.calls_of = {{7, {first}}, {4, {first}}};
    names.guards_of.clear();
    CHECK(help().ends_with("put a `__syncthreads()` before line 4"));
  }
  SECTION("in a library: the lines of the accesses") {
    names.calls_of = {{7, {{"/usr/include/a.h", 20, 3}}}, {4, {{"/usr/include/a.h", 21, 3}}}};
    names.guards_of.clear();
    CHECK(help().ends_with("put a `__syncthreads()` before line 4"));
  }
}

namespace {

/// All instructions are of one line.
class OneLineNames : public LineNames {
 public:
  SourcePlace place(std::uint32_t) const override { return {"kernel.cu", 4, 1}; }
};

}  // namespace

TEST_CASE("two accesses of one line are told of a loop only where there is one", "[race]") {
  RaceRecorder recorder;
  perform(ScriptBuilder()
              .all_store(4, [](std::uint64_t t) { return 4 * t; })
              .all_load(5, [](std::uint64_t t) { return 4 * (t ^ 33); })
              .build(),
          recorder);
  OneLineNames names;
  const auto help = [&] { return recorder.findings(names).at(0).help; };
  CHECK(help() == "put a `__syncthreads()` between the two accesses of line 4");
  names.loop_line = 5;
  CHECK(help() == "put a `__syncthreads()` between the two accesses of line 4: in a loop, one each time round");
}

TEST_CASE("blocks of a cooperative launch are told of the barrier that they have", "[race]") {
  ScriptBuilder b(2, 32);
  for (std::uint64_t block = 0; block < 2; ++block) {
    b.in_block(block);
    b.access(AccessKind::store, 3, 0, kLane0, at(kGlobal + 4 * block), MemorySpace::global);
    b.barrier(4);
    b.access(AccessKind::load, 5, 0, kLane0, at(kGlobal + 4 * (1 - block)), MemorySpace::global);
  }
  Script script = b.build();
  const auto help = [&] { return recorded(script).at(0).help; };
  CHECK(help().starts_with("blocks of one launch cannot wait for each other"));
  script.cooperative = true;
  CHECK(
      help() ==
      "`__syncthreads()` and `sync()` of a block wait for its own threads only, and this launch is cooperative: put a "
      "`grid.sync()` between line 3 and line 5, or between two rounds of a loop around them; all threads of the grid "
      "must reach it");
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

TEST_CASE("the fence that is missing is named, and where it goes", "[race]") {
  const auto help = [](const Script& script) -> std::string {
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

TEST_CASE("a launch that gives one array twice is told of races in global memory", "[race]") {
  const auto races = [](MemorySpace space, bool twice) {
    const std::uint64_t base = space == MemorySpace::global ? kGlobal : 0;
    RaceRecorder recorder;
    perform(ScriptBuilder(2, 32)
                .in_block(0)
                .all_load(
                    3, [=](std::uint64_t t) { return base + 4 * t; }, space)
                .in_block(1)
                .all_store(
                    5, [=](std::uint64_t t) { return base + 4 * (t % 32); }, space)
                .build(),
            recorder);
    LineNames names;
    if (twice) names.array_given_twice = {1, 2};
    return recorder.findings(names);
  };
  const auto told = races(MemorySpace::global, true);
  REQUIRE(told.size() == 1);
  CHECK(told[0].launch.pointer + told[0].launch.other_pointer == 3);
  CHECK(told[0].note.ends_with("\nthis launch gives the same array to the kernel twice, as arguments 1 and 2"));
  CHECK(told[0].help.starts_with("let the kernel read one array and write to another"));
  const auto others = races(MemorySpace::global, false);
  REQUIRE(others.size() == 1);
  CHECK(others[0].launch.pointer == 0);
  CHECK(others[0].help.starts_with("blocks of one launch cannot wait"));
}

TEST_CASE("a barrier of a warp that stands between two accesses is named where they are of two warps", "[race]") {
  const auto race = [](std::uint32_t barrier, std::uint64_t mask) {
    RaceRecorder recorder;
    perform(ScriptBuilder()
                .all_store(4, [](std::uint64_t t) { return 4 * t; })
                .all_load(7, [=](std::uint64_t t) { return 4 * (t ^ mask); })
                .build(),
            recorder);
    LineNames names;
    names.warp_barrier_line = barrier;
    const auto findings = recorder.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const Finding told = race(5, 33);
  REQUIRE(told.cause);
  CHECK(told.cause->place.line == 5);
  CHECK(told.help.starts_with("the barrier in line 5 keeps the threads of a warp together"));
  CHECK(told.other->place.line == 4);  // who reads no source has both accesses
  for (const Finding& other : {race(0, 33), race(4, 33), race(7, 33), race(5, 1)}) {
    CHECK_FALSE(other.cause);
    CHECK(other.help.starts_with("put a `__sync"));
  }
}

TEST_CASE("a barrier is advised where no condition keeps threads from it", "[race]") {
  using Guards = std::vector<AccessGuard>;
  const auto race = [](std::uint64_t mask, const Guards& of_write, const Guards& of_read, std::uint32_t read_line = 7) {
    RaceRecorder recorder;
    perform(ScriptBuilder()
                .all_store(4, [](std::uint64_t t) { return 4 * t; })
                .all_load(read_line, [=](std::uint64_t t) { return 4 * (t ^ mask); })
                .build(),
            recorder);
    LineNames names;
    names.guards_of = {{4, of_write}, {read_line, of_read}};
    const auto findings = recorder.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  const auto help = [&](std::uint64_t mask, const Guards& of_write, const Guards& of_read,
                        std::uint32_t read_line = 7) { return race(mask, of_write, of_read, read_line).help; };
  constexpr std::uint64_t kOtherWarp = 33, kOtherLane = 1;
  const AccessGuard outer{3, false, false}, inner{6, false, true}, loop{2, true, false};
  CHECK(help(kOtherWarp, {}, {}) == "put a `__syncthreads()` between line 4 and line 7");
  CHECK(race(kOtherWarp, {}, {inner}).barrier ==
        BarrierLines{.condition = 6, .after = 4, .before = 7, .guarded = true});
  CHECK(race(kOtherWarp, {outer}, {outer}).barrier == BarrierLines{.after = 4, .before = 7, .guarded = true});
  CHECK(help(kOtherWarp, {}, {inner}) ==
        "put a `__syncthreads()` between line 4 and line 7, outside of the condition in line 6: all threads must reach "
        "it");
  CHECK(
      help(kOtherWarp, {outer}, {outer, inner}) ==
      "put a `__syncthreads()` between line 4 and line 7, and let all threads of the block reach it: the condition in "
      "line 3 keeps some from there; they may skip the work, but not the barrier");
  CHECK(help(kOtherWarp, {loop}, {loop}).find("the loop in line 2 may have more rounds") != std::string::npos);
  CHECK(help(kOtherLane, {}, {}) == "put a `__syncthreads()` between line 4 and line 7");  // other warps may follow
  const Help warp = help(kOtherLane, {outer}, {outer});
  CHECK(warp.advises(Advice::warp_barrier));
  CHECK(warp.starts_with("put a `__syncwarp()` between line 4 and line 7, where all lanes of the warp arrive: "));
  CHECK(warp.find("threads that the condition in line 3 keeps from here") != std::string::npos);
  // Outside of what is around one of them alone, all threads may arrive, or the function is called for some.
  CHECK(help(kOtherLane, {}, {inner}).ends_with("what they wrote before it, they may read after it"));
  // Between two rounds, the barrier can be outside of what is in the loop, too.
  const std::string next = help(kOtherWarp, {inner}, {inner}, 2);
  CHECK(next.find("and let all threads") == std::string::npos);
  // A loop around one of the accesses alone is over there.
  CHECK(help(kOtherWarp, {loop}, {}, 2) == help(kOtherWarp, {}, {}, 2));
  CHECK(help(kOtherWarp, {loop}, {inner}).ends_with("outside of the condition in line 6: all threads must reach it"));
}

TEST_CASE("a condition without a line in the source of the accesses is not named", "[race]") {
  struct ConditionElsewhere : LineNames {
    SourcePlace place(std::uint32_t instruction) const override {
      return instruction == 3 ? SourcePlace{} : LineNames::place(instruction);
    }
  };
  RaceRecorder recorder;
  perform(ScriptBuilder()
              .all_store(4, [](std::uint64_t t) { return 4 * t; })
              .all_load(7, [](std::uint64_t t) { return 4 * (t ^ 33); })
              .build(),
          recorder);
  ConditionElsewhere names;
  names.guards_of = {{4, {{3, false, false}}}, {7, {{3, false, false}}}};
  CHECK(recorder.findings(names).at(0).help == "put a `__syncthreads()` between line 4 and line 7");
}

TEST_CASE("an atomic update that a volatile read may miss is named with its article", "[race]") {
  std::vector<InstructionRole> of_lines(6);
  of_lines[5].use = LoadUse::data;
  const InstructionRoles roles(std::move(of_lines));
  RaceRecorder recorder(roles);
  perform(ScriptBuilder(2, 32)
              .in_block(0)
              .strong(AccessKind::atomic, 3, 0, 1, at(kGlobal), MemorySpace::global)
              .in_block(1)
              .strong(AccessKind::load, 5, 0, 1, at(kGlobal), MemorySpace::global)
              .build(),
          recorder);
  const auto findings = recorder.findings(LineNames());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message ==
        "this read races with an atomic update of the same global memory by a thread of another block: `volatile` "
        "orders nothing");
}
