// How many gradings of a class run at a time.
#include "course_cli/class_places.h"

#include "catch.h"

using namespace cudalabs;

TEST_CASE("a grading whose cases run one by one takes half as many places") {
  Lab two, one, many;
  two.id = "two";
  one.id = "one";
  one.limits.cases_at_a_time = 1;
  many.id = "many";
  many.limits.cases_at_a_time = 8;
  const Places places = share_processors(std::nullopt, 3, {two, one, many});
  CHECK(places.all == 6);
  CHECK(places.places_of({"two", ""}) == 2);
  CHECK(places.places_of({"one", ""}) == 1);
  CHECK(places.places_of({"many", ""}) == 2);
}

TEST_CASE("who says how many at a time gets so many of any lab") {
  const Places places = share_processors(5, 3, {});
  CHECK(places.all == 5);
  CHECK_FALSE(places.places_of);
}
