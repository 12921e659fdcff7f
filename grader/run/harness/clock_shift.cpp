// Clocks of the host that show another time than they do.
#include "run/harness/clock_shift.h"

#include <mutex>

namespace cudalabs::harness {
namespace {

constexpr long long kSecond = 1'000'000'000, kDay = 86'400 * kSecond;
// After so many days, seconds in a `float` are half a second apart.
constexpr long long kAhead = 50 * kDay;
constexpr long long kPhase = kSecond - 1000;

struct Shift {
  long long nanoseconds = 0;
  bool pending = false;  // the next reading gives it its phase
};

enum Kind { kOfTheDay, kCountingOn, kKinds };

std::mutex mutex;
Shift shifts[kKinds];

bool kind_of(clockid_t clock, Kind& kind) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
      kind = kOfTheDay;
      return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
      kind = kCountingOn;
      return true;
    default:
      return false;
  }
}

}  // namespace

timespec plus(const timespec& time, long long nanoseconds) {
  timespec sum = time;
  sum.tv_sec += nanoseconds / kSecond;
  sum.tv_nsec += nanoseconds % kSecond;
  if (sum.tv_nsec >= kSecond) {
    ++sum.tv_sec;
    sum.tv_nsec -= kSecond;
  } else if (sum.tv_nsec < 0) {
    --sum.tv_sec;
    sum.tv_nsec += kSecond;
  }
  return sum;
}

void set_clocks_ahead() {
  const std::scoped_lock lock(mutex);
  for (Shift& shift : shifts) {
    shift.nanoseconds += kAhead;
    shift.pending = true;
  }
}

long long nanoseconds_ahead(clockid_t clock, const timespec& now) {
  Kind kind = kOfTheDay;
  if (!kind_of(clock, kind)) return 0;
  const std::scoped_lock lock(mutex);
  Shift& shift = shifts[kind];
  if (shift.pending) {
    const long long shown = plus(now, shift.nanoseconds).tv_nsec;
    shift.nanoseconds += (kPhase - shown + kSecond) % kSecond;
    shift.pending = false;
  }
  return shift.nanoseconds;
}

timespec without_ahead(clockid_t clock, const timespec& time) {
  Kind kind = kOfTheDay;
  if (!kind_of(clock, kind)) return time;
  const std::scoped_lock lock(mutex);
  return plus(time, -shifts[kind].nanoseconds);
}

}  // namespace cudalabs::harness
