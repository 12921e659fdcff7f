// Test cases for session_test.cpp to run: each ends in its own way.
#include <stdexcept>

#include "catch.h"
#include "check/nothing_seen.h"

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
  cudalabs::nothing_seen = true;
  CHECK(false);
}
TEST_CASE("one: fails blind and for a reason", "[one][blind]") {
  cudalabs::nothing_seen = true;
  CHECK(false);
  CHECK(1 + 1 == 3);
}
TEST_CASE("one: throws", "[one][throws]") {
  throw std::runtime_error("the check broke");
}
TEST_CASE("one: asserts nothing", "[one][nothing]") {}
TEST_CASE("two: passes", "[two][passes]") {
  CHECK(true);
}
