// A picture under 16 x 16 blocks: which threads have a pixel and which are idle.
#include <fmt/format.h>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kBlock = 16;

/// Columns and rows of the picture, and the side of a thread on paper.
std::string draw(int width, int height, double cell) {
  const int across = (width + kBlock - 1) / kBlock, down = (height + kBlock - 1) / kBlock;
  const int threads = across * down * kBlock * kBlock, idle = threads - width * height;
  constexpr double kLeft = 70, kTop = 70;
  Svg svg(kLeft + across * kBlock * cell + 420, kTop + down * kBlock * cell + 30,
          fmt::format("Idle threads of a {} x {} picture", width, height),
          fmt::format("{} x {} blocks of {} x {} threads cover the picture; {} of {} threads have no pixel.", across,
                      down, kBlock, kBlock, idle, threads));
  for (int y = 0; y < down * kBlock; ++y) {
    for (int x = 0; x < across * kBlock; ++x) {
      const bool busy = x < width && y < height;
      svg.rectangle(kLeft + x * cell, kTop + y * cell, cell - 1, cell - 1, busy ? color::kBusyLight : color::kIdle);
    }
  }
  for (int by = 0; by < down; ++by) {
    for (int bx = 0; bx < across; ++bx) {
      const double x = kLeft + bx * kBlock * cell, y = kTop + by * kBlock * cell;
      svg.rectangle(x - 0.5, y - 0.5, kBlock * cell, kBlock * cell, "none", color::kInk, 2);
      svg.text(x + 8, y + 22, fmt::format("{}, {}", bx, by), {.size = 22, .anchor = "start", .bold = true});
    }
  }
  svg.rectangle(kLeft - 1, kTop - 1, width * cell + 1, height * cell + 1, "none", color::kAccent, 4);
  svg.text(kLeft + width * cell / 2, kTop - 30, fmt::format("{} columns", width), {.size = 24});
  svg.text(kLeft - 36, kTop + height * cell / 2, fmt::format("{}", height), {.size = 24});
  svg.text(kLeft - 36, kTop + height * cell / 2 + 26, "rows", {.size = 22});
  const double x = kLeft + across * kBlock * cell + 30;
  svg.text(x, kTop + 60, fmt::format("{} x {} = {} blocks", across, down, across * down),
           {.size = 28, .anchor = "start", .bold = true});
  svg.text(x, kTop + 110, fmt::format("{} threads", threads), {.size = 28, .anchor = "start"});
  svg.rectangle(x, kTop + 150, 28, 28, color::kBusyLight, color::kInk);
  svg.text(x + 42, kTop + 164, fmt::format("{} have a pixel", width * height), {.size = 26, .anchor = "start"});
  svg.rectangle(x, kTop + 200, 28, 28, color::kIdle, color::kInk);
  svg.text(x + 42, kTop + 214, fmt::format("{} are idle", idle), {.size = 26, .anchor = "start"});
  const TextStyle code{.size = 24, .anchor = "start", .monospace = true};
  svg.text(x, kTop + 280, "if (col < width &&", code);
  svg.text(x + 58, kTop + 312, "row < height)", code);
  svg.text(x, kTop + 356, "keeps the idle ones out", {.size = 26, .anchor = "start"});
  return svg.str();
}

// The picture of the quiz is for the slides alone: handouts show another one.
const RegisterFigure kQuiz(
    "idle_threads_72x62", +[] { return draw(72, 62, 9); });
const RegisterFigure kHandout(
    "idle_threads_40x24", +[] { return draw(40, 24, 14); });

}  // namespace
}  // namespace cudalabs::figures
