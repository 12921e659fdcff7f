// Points in time as systems write them.
#include "course/moment.h"

#include "catch.h"

using namespace cudalabs::course;

TEST_CASE("moments with an offset") {
  CHECK(parse_moment("1970-01-01T00:00:00Z") == 0);
  CHECK(parse_moment("2026-11-20T23:59:00+01:00") == 1795215540);
  CHECK(parse_moment("2026-11-20 14:59:00.123456 -0800") == 1795215540);
  CHECK(parse_moment("2026-11-20 22:59 UTC") == 1795215540);
  CHECK(shown_moment(1795215540) == "2026-11-20 22:59 UTC");
}

TEST_CASE("what leaves the moment open is none") {
  for (const char* text : {"", "2026-11-20", "2026-11-20T23:59:00", "2026-13-20T23:59:00Z", "2026-02-30T00:00:00Z",
                           "2026-11-20T25:00:00Z", "2026-11-20T23:59:00+1", "2026-11-20T23:59:00Z tomorrow", "x"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_moment(text).has_value());
  }
}

TEST_CASE("spans are rounded up") {
  CHECK(shown_span(1) == "1 min");
  CHECK(shown_span(3 * 3600) == "3 h");
  CHECK(shown_span(5 * 86400 + 1) == "6 days");
}
