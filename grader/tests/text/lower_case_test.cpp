// Letters in lower case, whatever the locale.
#include "text/lower_case.h"

#include "catch.h"

TEST_CASE("ASCII letters alone become small ones") {
  CHECK(cudalabs::lower("Participant_12 AZ[`az{@") == "participant_12 az[`az{@");
  CHECK(cudalabs::lower("Größe Ä") == "größe Ä");
  CHECK(cudalabs::lower("").empty());
}
