// What is told once of an access that races in several of its cells.
#include "vgpu/check/reported_races.h"

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

PastAccess made_by(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction,
                   AccessKind kind = AccessKind::store) {
  PastAccess access;
  access.block = block;
  access.warp = warp;
  access.instruction = instruction;
  access.kind = kind;
  return access;
}

}  // namespace

TEST_CASE("a race with an instruction is news once, and again with threads further apart", "[race]") {
  using News = ReportedRaces::News;
  const PastAccess now = made_by(1, 2, 30);
  ReportedRaces races;
  CHECK(races.add(made_by(1, 2, 10), now) == News::first);
  CHECK(races.add(made_by(1, 2, 10), now) == News::none);
  CHECK(races.add(made_by(1, 3, 10), now) == News::further_apart);
  CHECK(races.add(made_by(1, 2, 10), now) == News::none);
  CHECK(races.add(made_by(0, 2, 10), now) == News::further_apart);
  CHECK(races.add(made_by(0, 7, 10), now) == News::none);
}

TEST_CASE("other instructions, and other kinds of access, are told apart", "[race]") {
  using News = ReportedRaces::News;
  const PastAccess now = made_by(1, 2, 30);
  ReportedRaces races;
  CHECK(races.add(made_by(0, 0, 10), now) == News::first);
  CHECK(races.add(made_by(0, 0, 11), now) == News::first);
  CHECK(races.add(made_by(0, 0, 10, AccessKind::load), now) == News::first);
  races.clear();
  CHECK(races.add(made_by(0, 0, 10), now) == News::first);
}
