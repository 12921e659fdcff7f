// The words of --check, and which finding is of which check.
#include "sanitizer/checks.h"

#include <stdexcept>

#include "catch.h"
#include "vgpu/check/finding_table.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;

TEST_CASE("checks are named by their own words and by those of compute-sanitizer") {
  CHECK(Checks::parse("race") == Checks::parse("racecheck"));
  CHECK(Checks::parse("memory,race,initialisation,synchronisation,leak,advice") == Checks::all());
  CHECK(Checks::parse("memcheck,synccheck").text() == "memory, synchronisation");
  CHECK(Checks::parse("all") == Checks::all());
  CHECK(Checks::parse("none").text() == "none");
  CHECK(Checks::parse("none") == Checks());
}

TEST_CASE("a word that is no check is refused with those there are") {
  for (const std::string list : {"", "races", "race,", ",race", "race, memory", "none,race", "Race"}) {
    CAPTURE(list);
    CHECK_THROWS_AS(Checks::parse(list), std::invalid_argument);
  }
  CHECK_THROWS_WITH(Checks::parse("races"), contains_text("`races`") && contains_text("memory, race"));
}

TEST_CASE("a finding is reported when its check was asked for") {
  const Checks race = Checks::parse("race");
  CHECK(race.report("shared-race"));
  CHECK(race.report("global-race"));
  CHECK(race.report("stream-race"));
  CHECK_FALSE(race.report("memory-leak"));
  CHECK_FALSE(race.report("global-out-of-bounds"));
  CHECK_FALSE(Checks::parse("memory").report("barrier-divergence"));
  CHECK(Checks::parse("initcheck").report("uninitialized-read"));
}

TEST_CASE("what keeps the program from running as it was meant to is always reported") {
  for (const char* id : {"invalid-launch", "unsupported-call", "assertion-failed", "timed-out", "device-reset",
                         "unchecked-launch", "build-failed"}) {
    CAPTURE(id);
    REQUIRE(finding_kind(id) != nullptr);
    CHECK(Checks().report(id));
  }
}

TEST_CASE("every finding of a group of the table is of a check") {
  for (const FindingKind& kind : finding_kinds()) {
    CAPTURE(kind.id);
    if (kind.group != FindingGroup::none) CHECK(check_of(kind.id).has_value());
    if (kind.stage == Stage::remark) CHECK(check_of(kind.id) == Check::advice);
  }
}
