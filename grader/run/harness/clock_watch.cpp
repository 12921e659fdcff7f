// Sees the submission read a clock: calls of the C library's clocks come here (--wrap), also those of std::chrono. Each
// does what it would have done, but for what the clocks are ahead (clock_shift.h). Waits that end at a time of day or
// of the counting clock take that time back.
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <cerrno>

#include "run/harness/clock_shift.h"

// In our own runtime only.
extern "C" __attribute__((weak)) void cudalabs_looks_at_clock();

extern "C" {

int __real_clock_gettime(clockid_t clock, timespec* time);
clock_t __real_clock();
int __real_clock_nanosleep(clockid_t clock, int flags, const timespec* request, timespec* remain);
int __real_pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end);
int __real_pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const timespec* end);
int __real_pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* end);
int __real_pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* end);
int __real_sem_timedwait(sem_t* semaphore, const timespec* end);
int __real_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end);
long __real_syscall(long number, ...);
}

namespace {

using cudalabs::harness::nanoseconds_ahead;
using cudalabs::harness::plus;
using cudalabs::harness::without_ahead;

void note_look() {
  if (cudalabs_looks_at_clock != nullptr) cudalabs_looks_at_clock();
}

/// What `clock` shows.
int read(clockid_t clock, timespec* time) {
  const int result = __real_clock_gettime(clock, time);
  if (result == 0) *time = plus(*time, nanoseconds_ahead(clock, *time));
  return result;
}

/// A wait's end that the program computed, for the system.
class End {
 public:
  End(clockid_t clock, const timespec* time) : given_(time != nullptr) {
    if (given_) time_ = without_ahead(clock, *time);
  }
  const timespec* get() const { return given_ ? &time_ : nullptr; }

 private:
  bool given_;
  timespec time_{};
};

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int __wrap_clock_gettime(clockid_t clock, timespec* time) {
  note_look();
  return read(clock, time);
}

__attribute__((visibility("default"))) int __wrap_gettimeofday(timeval* time, void*) {
  note_look();
  timespec now{};
  if (const int result = read(CLOCK_REALTIME, &now); result != 0) return result;
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

__attribute__((visibility("default"))) int __wrap_timespec_get(timespec* time, int base) {
  note_look();
  return base == TIME_UTC && read(CLOCK_REALTIME, time) == 0 ? base : 0;
}

__attribute__((visibility("default"))) time_t __wrap_time(time_t* time) {
  note_look();
  timespec now{};
  read(CLOCK_REALTIME, &now);
  if (time != nullptr) *time = now.tv_sec;
  return now.tv_sec;
}

__attribute__((visibility("default"))) clock_t __wrap_clock() {
  note_look();
  return __real_clock();
}

__attribute__((visibility("default"))) int __wrap_clock_nanosleep(clockid_t clock, int flags, const timespec* request,
                                                                  timespec* remain) {
  if ((flags & TIMER_ABSTIME) == 0) return __real_clock_nanosleep(clock, flags, request, remain);
  return __real_clock_nanosleep(clock, flags, End(clock, request).get(), remain);
}

// The clock of a condition variable cannot be asked for: it is that of the day, unless the program chose another.
__attribute__((visibility("default"))) int __wrap_pthread_cond_timedwait(pthread_cond_t* condition,
                                                                         pthread_mutex_t* mutex, const timespec* end) {
  return __real_pthread_cond_timedwait(condition, mutex, End(CLOCK_REALTIME, end).get());
}

__attribute__((visibility("default"))) int __wrap_pthread_cond_clockwait(pthread_cond_t* condition,
                                                                         pthread_mutex_t* mutex, clockid_t clock,
                                                                         const timespec* end) {
  return __real_pthread_cond_clockwait(condition, mutex, clock, End(clock, end).get());
}

__attribute__((visibility("default"))) int __wrap_pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* end) {
  return __real_pthread_mutex_timedlock(mutex, End(CLOCK_REALTIME, end).get());
}

__attribute__((visibility("default"))) int __wrap_pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                                                          const timespec* end) {
  return __real_pthread_mutex_clocklock(mutex, clock, End(clock, end).get());
}

__attribute__((visibility("default"))) int __wrap_sem_timedwait(sem_t* semaphore, const timespec* end) {
  return __real_sem_timedwait(semaphore, End(CLOCK_REALTIME, end).get());
}

__attribute__((visibility("default"))) int __wrap_sem_clockwait(sem_t* semaphore, clockid_t clock,
                                                                const timespec* end) {
  return __real_sem_clockwait(semaphore, clock, End(clock, end).get());
}

/// std::future waits by the system call itself.
__attribute__((visibility("default"))) long __wrap_syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (long& word : words) word = va_arg(list, long);
  va_end(list);
  const long operation = words[1];
  const bool until = number == SYS_futex && (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  const auto* time = until ? reinterpret_cast<const timespec*>(words[3]) : nullptr;
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  const End end(clock, time);
  if (until) words[3] = reinterpret_cast<long>(end.get());
  return __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
}
