// Edit distance and suggestions.
#include "lab/nearest.h"

#include <string>
#include <vector>

#include "catch.h"

using cudalabs::edit_distance;
using cudalabs::nearest;
using cudalabs::suggestion;

TEST_CASE("the edit distance counts single edits") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("lab3", "lab3") == 0);
  CHECK(edit_distance("", "lab3") == 4);
  CHECK(edit_distance("lab3", "") == 4);
  CHECK(edit_distance("lab3", "lab4") == 1);   // substitution
  CHECK(edit_distance("lab3", "lab33") == 1);  // insertion
  CHECK(edit_distance("lab3", "lb3") == 1);    // deletion
  CHECK(edit_distance("lab3", "alb3") == 1);   // neighbours swapped
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // a swapped pair is not edited again
  CHECK(edit_distance("abcdef", "fedcba") == edit_distance("fedcba", "abcdef"));
}

TEST_CASE("the nearest name is near, or there is none") {
  const std::vector<std::string> names = {"lab2", "lab3", "points", "parameters"};
  CHECK(nearest("pionts", names) == "points");
  CHECK(nearest("parametres", names) == "parameters");
  CHECK(nearest("lab9", names) == "lab2");  // the first of equals
  CHECK_FALSE(nearest("banana", names).has_value());
  CHECK_FALSE(nearest("", {}).has_value());
}

TEST_CASE("a suggestion names the nearest, or all that are known") {
  const std::vector<std::string> names = {"square", "edges"};
  CHECK(suggestion("sqare", names) == "; did you mean \"square\"?");
  CHECK(suggestion("banana", names) == "; known: \"square\", \"edges\"");
  CHECK(suggestion("banana", {}).empty());
}
