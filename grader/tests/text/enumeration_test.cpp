// Several things in one sentence.
#include "text/enumeration.h"

#include <vector>

#include "catch.h"

using namespace cudalabs;

TEST_CASE("things are separated by commas, the last by a word") {
  const std::vector<std::string> names{"a", "b", "c"};
  CHECK(enumeration(std::span(names).first(0)).empty());
  CHECK(enumeration(std::span(names).first(1)) == "a");
  CHECK(enumeration(std::span(names).first(2)) == "a and b");
  CHECK(enumeration(names) == "a, b and c");
  CHECK(enumeration_of_names(names) == "`a`, `b` and `c`");
}

TEST_CASE("one line is a line, and several are lines") {
  const std::vector<std::uint32_t> lines{7, 9, 12};
  CHECK(enumeration_of_lines(std::span(lines).first(1)) == "line 7");
  CHECK(enumeration_of_lines(lines) == "lines 7, 9 and 12");
}
