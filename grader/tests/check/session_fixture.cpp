// Test cases for session_test.cpp to run: each ends in its own way.
#include <limits>
#include <stdexcept>

#include "catch.h"
#include "check/award.h"
#include "check/nothing_seen.h"
#include "check/submission_run.h"

TEST_CASE("one: passes", "[one][passes]") {
  CHECK(1 + 1 == 2);
}
TEST_CASE("one: fails twice", "[one][fails]") {
  CHECK(1 + 1 == 3);
  INFO("the sentence a student reads");
  CHECK(false);
}
TEST_CASE("one: fails with words", "[one][words]") {
  FAIL("just words");
}
TEST_CASE("one: fails blind", "[one][blind]") {
  cudalabs::note_nothing_seen(true);
  CHECK(false);
}
TEST_CASE("one: fails blind and for a reason", "[one][blind]") {
  cudalabs::note_nothing_seen(true);
  CHECK(false);
  CHECK(1 + 1 == 3);
}
TEST_CASE("one: fails and says what to do", "[one][explained]") {
  cudalabs::note_explained(true);
  CHECK(false);
}
TEST_CASE("one: fails once more without", "[one][explained]") {
  cudalabs::note_explained(true);
  CHECK(false);
  CHECK(1 + 1 == 3);
}
TEST_CASE("one: throws", "[one][throws]") {
  throw std::runtime_error("the check broke");
}
TEST_CASE("one: asserts nothing", "[one][nothing]") {}
TEST_CASE("one: passes with an award", "[one][award]") {
  cudalabs::award(0.5);
  CHECK(true);
}
TEST_CASE("one: fails after an award to another", "[one][award]") {
  CHECK(false);
}
TEST_CASE("one: fails with a part", "[one][award]") {
  cudalabs::award(0.5);
  cudalabs::award(0.25);
  CHECK(false);
}
TEST_CASE("one: throws after an award", "[one][award]") {
  cudalabs::award(1);
  throw std::runtime_error("the check broke");
}
TEST_CASE("one: awards what is no share", "[one][award]") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {-0.01, 1.01, kNan, -kNan, std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_AS(cudalabs::award(bad), std::logic_error);
  }
}
TEST_CASE("three: passes on the right submission run", "[three]") {
  CHECK(cudalabs::submission_run().real_gpu == "right");
}
TEST_CASE("two: passes", "[two][passes]") {
  CHECK(true);
}
