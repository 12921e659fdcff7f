// BarrierChecker: what it reports, in which words, and what it lets pass.
#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/barrier_checker.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

std::vector<Finding> barrier_findings(const Script& script) {
  BarrierChecker checker;
  perform(script, checker);
  return checker.findings(LineNames());
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

TEST_CASE("two calls of the function that has the barrier", "[barrier]") {
  const auto called = [](std::uint32_t first, std::uint32_t second) {
    return barrier_findings(
        ScriptBuilder().arrive(3, 0, ~0u, 0, false, first).arrive(3, 1, ~0u, 0, false, second).complete().build());
  };
  CHECK(called(8, 8).empty());
  const auto findings = called(8, 12);
  REQUIRE(findings.size() == 1);
  const Finding& f = findings[0];
  CHECK(f.id == finding_ids::kBarrierDivergence);
  CHECK(f.message == "threads of one block come to one barrier from different calls");
  CHECK(f.where.line == 12);
  REQUIRE(f.other);
  CHECK(f.other->place.line == 8);
  CHECK(f.note == "the barrier is in line 3; 32 threads here, 32 threads at the other");
  CHECK(f.missed_barrier == MissedBarrier::waits_elsewhere);
}

TEST_CASE("two sites of which one is in a function that is called", "[barrier]") {
  const auto findings =
      barrier_findings(ScriptBuilder().arrive(3, 0, ~0u, 0, false, 8).arrive(12, 1, ~0u).complete().build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message == "threads of one block wait at different barriers");
  CHECK(findings[0].where.line == 12);
}

TEST_CASE("the condition is named that is around one of two sites", "[barrier]") {
  LineNames names;
  const auto finding = [&] {
    BarrierChecker checker;
    perform(ScriptBuilder().arrive(8, 1, ~0u).arrive(5, 0, ~0u).complete().build(), checker);
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0];
  };
  CHECK_THAT(finding().help, contains_text("no `if`, loop, `return` or `break` may keep some"));
  CHECK_FALSE(finding().cause);
  names.guards_of[8] = {{2, false, false}, {6, false, true}};
  names.guards_of[5] = {{2, false, false}};
  const Finding parted = finding();
  CHECK(parted.barrier == BarrierLines{.condition = 6});
  CHECK(parted.missed_barrier == MissedBarrier::waits_elsewhere);
  REQUIRE(parted.cause);
  CHECK(parted.cause->place.line == 6);
  CHECK(parted.other->role == PlaceRole::barrier);
  CHECK_THAT(parted.help, contains_text("the condition in line 6 keeps some from one of the two"));
  // Which of several it was is not known.
  names.guards_of[5].push_back({4, false, false});
  CHECK(finding().barrier == BarrierLines{});
}

TEST_CASE("a condition around the call of the function that has the barrier is named, too", "[barrier]") {
  LineNames names;
  const auto condition_with_call = [&](std::optional<std::uint32_t> call) {
    BarrierChecker checker;
    perform(ScriptBuilder().arrive(12, 1, ~0u, 0, false, call).arrive(5, 0, ~0u).complete().build(), checker);
    const auto findings = checker.findings(names);
    REQUIRE(findings.size() == 1);
    return findings[0].barrier.condition;
  };
  names.guards_of[7] = {{6, false, false}};
  CHECK(condition_with_call(7) == 6);
  CHECK(condition_with_call(8) == 0);
  CHECK(condition_with_call(std::nullopt) == 0);
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
  CHECK(findings[0].missed_barrier == MissedBarrier::exited);
  CHECK_THAT(findings[0].note, contains_text("20 threads here, 44 exited"));
  CHECK_THAT(findings[0].note, contains_text("Volta"));
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
  CHECK_THAT(condition.help, contains_text("out of the `if` at line 4"));

  const Finding early = finding(leave(4, 5));
  REQUIRE(early.other);
  CHECK(early.other->place.line == 5);
  CHECK_THAT(early.help, contains_text("take out the `return` at line 5"));

  LineNames names;
  names.barrier_place.loop = {4, 6, 8};
  const Finding loop = finding(leave(8, std::nullopt), names);
  REQUIRE(loop.other);
  CHECK(loop.other->place.line == 8);
  CHECK_THAT(loop.help, contains_text("let what line 8 asks not depend on the thread"));
  CHECK_THAT(finding(leave(8, 9), names).help, contains_text("`return` or `break` at line 9"));
  CHECK_THAT(finding(leave(2, std::nullopt), names).help, contains_text("out of the `if` at line 2"));

  // Threads that went all the rounds and skipped the barrier in each.
  names.barrier_place.skipped_at = 4;
  const Finding skipped = finding(leave(8, std::nullopt), names);
  REQUIRE(skipped.other);
  CHECK(skipped.other->place.line == 4);
  CHECK_THAT(skipped.help, contains_text("out of the `if` at line 4"));

  // What is not known is not said.
  const Finding unknown = finding(ScriptBuilder().arrive(6, 0, ~0u).complete(0, true, 32).build());
  CHECK_FALSE(unknown.other);
  CHECK_THAT(unknown.help, !contains_text("return"));
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
  CHECK_THAT(findings[0].message, contains_text("deadlock"));
  CHECK(findings[0].note == "4 threads here");
  CHECK_THAT(findings[0].message, contains_text("block"));

  e.barrier = kBarrierOfWarp;
  const auto of_warp = barrier_findings(ScriptBuilder().add(e, 6, 0, 0xf).build());
  REQUIRE(of_warp.size() == 1);
  CHECK(of_warp[0].id == finding_ids::kBarrierDivergence);
  CHECK_THAT(of_warp[0].message, contains_text("lanes of their warp"));
  CHECK_THAT(of_warp[0].help, contains_text("__syncwarp"));
}

TEST_CASE("occurrences add up over blocks; the first thread speaks", "[barrier]") {
  ScriptBuilder b(3, 64);
  for (const std::uint64_t block : {2, 0, 1}) b.in_block(block).arrive(5, 1, ~0u).arrive(8, 0, ~0u).complete();
  const auto findings = barrier_findings(b.build());
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 3);
  CHECK(findings[0].block == Index3{0, 0, 0});
}
