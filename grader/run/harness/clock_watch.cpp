// Sees the submission read a clock: calls of the C library's clocks come here (--wrap), also those of std::chrono. Each
// does what it would have done.
#include <sys/time.h>
#include <time.h>

// In our own runtime only.
extern "C" __attribute__((weak)) void cudalabs_looks_at_clock();

namespace {

void note_look() {
  if (cudalabs_looks_at_clock != nullptr) cudalabs_looks_at_clock();
}

}  // namespace

extern "C" {

int __real_clock_gettime(clockid_t clock, timespec* time);
int __real_gettimeofday(timeval* time, void* zone);
int __real_timespec_get(timespec* time, int base);
time_t __real_time(time_t* time);
clock_t __real_clock();

__attribute__((visibility("default"))) int __wrap_clock_gettime(clockid_t clock, timespec* time) {
  note_look();
  return __real_clock_gettime(clock, time);
}

__attribute__((visibility("default"))) int __wrap_gettimeofday(timeval* time, void* zone) {
  note_look();
  return __real_gettimeofday(time, zone);
}

__attribute__((visibility("default"))) int __wrap_timespec_get(timespec* time, int base) {
  note_look();
  return __real_timespec_get(time, base);
}

__attribute__((visibility("default"))) time_t __wrap_time(time_t* time) {
  note_look();
  return __real_time(time);
}

__attribute__((visibility("default"))) clock_t __wrap_clock() {
  note_look();
  return __real_clock();
}
}
