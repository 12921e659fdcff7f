// How far the grading of a class has come.
#include "course_cli/class_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace cudalabs {
namespace {

constexpr std::chrono::seconds kInterval{30};
constexpr std::chrono::seconds kShortestForRate{30};

}  // namespace

std::string shown_progress(const course::Tally& tally) {
  std::string text = fmt::format("{} of {} graded", tally.done, tally.all);
  if (tally.failed > 0) text += fmt::format(", {} without a verdict", tally.failed);
  if (tally.done == 0 || tally.elapsed.count() <= 0) return text;
  const double rate = static_cast<double>(tally.done) / tally.elapsed.count();
  const double left = static_cast<double>(tally.all - tally.done) / rate;
  // What comes out of the first seconds, or of a few gradings an hour, is no rate that a person can use.
  if (tally.elapsed >= kShortestForRate && rate * 60 >= 1) text += fmt::format(", {:.0f} a minute", rate * 60);
  if (tally.done < tally.all && left >= 60) text += fmt::format(", about {:.0f} min left", std::ceil(left / 60));
  if (tally.done < tally.all && left < 60) text += fmt::format(", about {:.0f} s left", std::ceil(left));
  return text;
}

ClassProgress::ClassProgress()
    : terminal_(isatty(STDERR_FILENO) == 1), next_(std::chrono::steady_clock::now() + kInterval) {}

void ClassProgress::show(const course::Tally& tally) {
  line_.say(shown_progress(tally));
  const auto now = std::chrono::steady_clock::now();
  if (terminal_ || now < next_) return;
  std::fprintf(stderr, "%s\n", shown_progress(tally).c_str());
  next_ = now + kInterval;
}

}  // namespace cudalabs
