// One line on the terminal for work that takes longer than a second.
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace cudalabs {
namespace {

constexpr std::chrono::seconds kSilent{1};
constexpr char kEraseLine[] = "\r\x1b[K";

}  // namespace

Progress::Progress() {
  if (isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1)
    ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
}

Progress::~Progress() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  if (shown_) std::fputs(kEraseLine, stderr);
}

void Progress::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  text_ = text;
  if (ticker_.joinable()) show();
}

void Progress::tick(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, kSilent, [] { return false; });
    if (!stop.stop_requested()) show();
  }
}

/// With the mutex held.
void Progress::show() {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start_).count();
  if (text_.empty() || seconds < kSilent.count()) return;
  fmt::print(stderr, "{}{}, {} s", kEraseLine, text_, seconds);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace cudalabs
