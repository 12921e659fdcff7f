// One line on the terminal for work that takes longer than a second.
#include "cli/progress.h"

#include <unistd.h>

#include <cstdio>

namespace cudalabs {
namespace {

constexpr std::chrono::seconds kPatience{1};
constexpr char kEraseLine[] = "\r\x1b[K";

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) std::fputs(kEraseLine, stderr);
}

void Progress::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!terminal_ || std::chrono::steady_clock::now() - start_ < kPatience) return;
  std::fprintf(stderr, "%s%s", kEraseLine, text.c_str());
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace cudalabs
