// A number and its noun.
#include "text/counted.h"

#include <limits>

#include "catch.h"

using cudalabs::counted;

TEST_CASE("one thing has no plural, and none has one") {
  CHECK(counted(0, "byte") == "0 bytes");
  CHECK(counted(1, "byte") == "1 byte");
  CHECK(counted(2, "byte") == "2 bytes");
  CHECK(counted(std::numeric_limits<std::uint64_t>::max(), "byte") == "18446744073709551615 bytes");
}

TEST_CASE("a plural of another kind is told") {
  CHECK(counted(1, "pass", "passes") == "1 pass");
  CHECK(counted(11, "pass", "passes") == "11 passes");
  CHECK(counted(0, "row differs", "rows differ") == "0 rows differ");
}
