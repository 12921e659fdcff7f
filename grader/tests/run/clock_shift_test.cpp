// Clocks that are ahead: by how much, from which phase on, and that differences stay right.
#include "run/harness/clock_shift.h"

#include "catch.h"

using namespace cudalabs::harness;

namespace {

constexpr long long kSecond = 1'000'000'000;

long long nanoseconds(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}

timespec shown(clockid_t clock, const timespec& now) {
  return plus(now, nanoseconds_ahead(clock, now));
}

}  // namespace

TEST_CASE("nanoseconds are added across seconds, in both directions", "[run]") {
  CHECK(nanoseconds(plus({5, 999'999'999}, 1)) == 6 * kSecond);
  CHECK(nanoseconds(plus({5, 0}, -1)) == 5 * kSecond - 1);
  CHECK(plus({5, 0}, -1).tv_nsec == kSecond - 1);
  CHECK(plus({5, 500'000'000}, 3 * kSecond + 500'000'000).tv_sec == 9);
}

TEST_CASE("a clock that was set ahead is first read just before a second ends", "[run]") {
  set_clocks_ahead();
  for (const clockid_t clock : {CLOCK_MONOTONIC, CLOCK_REALTIME}) {
    const timespec first{1000, 300'000'000}, second{1000, 300'002'000}, later{1007, 0};
    const timespec begin = shown(clock, first);
    CHECK(begin.tv_nsec == kSecond - 1000);
    CHECK(begin.tv_sec >= 1000 + 50 * 86'400);
    CHECK(shown(clock, second).tv_sec == begin.tv_sec + 1);
    CHECK(nanoseconds(shown(clock, second)) - nanoseconds(begin) == 2000);
    CHECK(nanoseconds(shown(clock, later)) - nanoseconds(begin) == nanoseconds(later) - nanoseconds(first));
    CHECK(nanoseconds(without_ahead(clock, shown(clock, later))) == nanoseconds(later));
  }
}

TEST_CASE("each time it is set, a clock goes further ahead", "[run]") {
  set_clocks_ahead();
  const long long first = nanoseconds_ahead(CLOCK_BOOTTIME, {100, 0});
  CHECK(nanoseconds_ahead(CLOCK_MONOTONIC, {101, 7}) == first);
  set_clocks_ahead();
  CHECK(nanoseconds_ahead(CLOCK_MONOTONIC, {102, 0}) > first + 49 * 86'400 * kSecond);
}

TEST_CASE("clocks of processor time are left alone", "[run]") {
  set_clocks_ahead();
  CHECK(nanoseconds_ahead(CLOCK_PROCESS_CPUTIME_ID, {100, 0}) == 0);
  CHECK(nanoseconds_ahead(CLOCK_THREAD_CPUTIME_ID, {100, 0}) == 0);
  CHECK(nanoseconds(without_ahead(CLOCK_PROCESS_CPUTIME_ID, {100, 5})) == 100 * kSecond + 5);
}
