#include "vgpu/exec/processor_time.h"

#include <cerrno>
#include <ctime>
#include <system_error>

namespace cudalabs::vgpu::exec {
namespace {

ProcessorTimeLimit::Duration thread_time() {
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot read the thread's processor time");
  }
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

ProcessorTimeLimit::ProcessorTimeLimit(std::optional<Duration> limit) : limit_(limit) {
  if (!limit_) return;
  begin_ = thread_time();
  ask_again_ = std::chrono::steady_clock::now() + *limit_;
}

bool ProcessorTimeLimit::ask() {
  const Duration left = *limit_ - (thread_time() - begin_);
  ask_again_ = std::chrono::steady_clock::now() + left;
  return left <= Duration::zero();
}

}  // namespace cudalabs::vgpu::exec
