// The 72 x 62 picture under 16 x 16 blocks: which threads have a pixel and which are idle.
#include <fmt/format.h>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kWidth = 72, kHeight = 62, kBlock = 16;
constexpr int kBlocksX = (kWidth + kBlock - 1) / kBlock, kBlocksY = (kHeight + kBlock - 1) / kBlock;
constexpr int kThreads = kBlocksX * kBlocksY * kBlock * kBlock;
constexpr int kIdleThreads = kThreads - kWidth * kHeight;

std::string draw() {
  constexpr double kCell = 9, kLeft = 70, kTop = 70;
  Svg svg(kLeft + kBlocksX * kBlock * kCell + 420, kTop + kBlocksY * kBlock * kCell + 30,
          "Idle threads of a 72 x 62 picture",
          fmt::format("{} x {} blocks of {} x {} threads cover the picture; {} of {} threads have no pixel.", kBlocksX,
                      kBlocksY, kBlock, kBlock, kIdleThreads, kThreads));
  for (int y = 0; y < kBlocksY * kBlock; ++y) {
    for (int x = 0; x < kBlocksX * kBlock; ++x) {
      const bool busy = x < kWidth && y < kHeight;
      svg.rectangle(kLeft + x * kCell, kTop + y * kCell, kCell - 1, kCell - 1, busy ? color::kBusyLight : color::kIdle);
    }
  }
  for (int by = 0; by < kBlocksY; ++by) {
    for (int bx = 0; bx < kBlocksX; ++bx) {
      const double x = kLeft + bx * kBlock * kCell, y = kTop + by * kBlock * kCell;
      svg.rectangle(x - 0.5, y - 0.5, kBlock * kCell, kBlock * kCell, "none", color::kInk, 2);
      svg.text(x + 8, y + 22, fmt::format("{}, {}", bx, by), {.size = 22, .anchor = "start", .bold = true});
    }
  }
  svg.rectangle(kLeft - 1, kTop - 1, kWidth * kCell + 1, kHeight * kCell + 1, "none", color::kAccent, 4);
  svg.text(kLeft + kWidth * kCell / 2, kTop - 30, fmt::format("{} columns", kWidth), {.size = 24});
  svg.text(kLeft - 36, kTop + kHeight * kCell / 2, fmt::format("{}", kHeight), {.size = 24});
  svg.text(kLeft - 36, kTop + kHeight * kCell / 2 + 26, "rows", {.size = 22});
  const double x = kLeft + kBlocksX * kBlock * kCell + 30;
  svg.text(x, kTop + 60, fmt::format("{} x {} = {} blocks", kBlocksX, kBlocksY, kBlocksX * kBlocksY),
           {.size = 28, .anchor = "start", .bold = true});
  svg.text(x, kTop + 110, fmt::format("{} threads", kThreads), {.size = 28, .anchor = "start"});
  svg.rectangle(x, kTop + 150, 28, 28, color::kBusyLight, color::kInk);
  svg.text(x + 42, kTop + 164, fmt::format("{} have a pixel", kWidth * kHeight), {.size = 26, .anchor = "start"});
  svg.rectangle(x, kTop + 200, 28, 28, color::kIdle, color::kInk);
  svg.text(x + 42, kTop + 214, fmt::format("{} are idle", kIdleThreads), {.size = 26, .anchor = "start"});
  const TextStyle code{.size = 24, .anchor = "start", .monospace = true};
  svg.text(x, kTop + 280, "if (col < width &&", code);
  svg.text(x + 58, kTop + 312, "row < height)", code);
  svg.text(x, kTop + 356, "keeps the idle ones out", {.size = 26, .anchor = "start"});
  return svg.str();
}

const RegisterFigure kFigure("idle_threads_72x62", &draw);

}  // namespace
}  // namespace cudalabs::figures
