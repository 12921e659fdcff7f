// From thread to pixel: the last block of the 72 x 62 picture under 16 x 16 blocks, thread by thread.
#include <fmt/format.h>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kWidth = 72, kHeight = 62, kBlock = 16;
constexpr int kBlocksX = (kWidth + kBlock - 1) / kBlock, kBlocksY = (kHeight + kBlock - 1) / kBlock;
constexpr int kBlockX = kBlocksX - 1, kBlockY = kBlocksY - 1;  // the block at the corner
constexpr int kThreadX = 5, kThreadY = 9;                      // the thread that is followed
constexpr int kCol = kBlockX * kBlock + kThreadX, kRow = kBlockY * kBlock + kThreadY;
static_assert(kCol < kWidth && kRow < kHeight, "the followed thread has a pixel");

constexpr double kBlockSide = 62, kPictureLeft = 20, kPictureTop = 92;
constexpr double kCell = 29, kZoomLeft = 520, kZoomTop = 92;

void picture(Svg& svg) {
  const double scale = kBlockSide / kBlock;
  svg.rectangle(kPictureLeft, kPictureTop, kBlocksX * kBlockSide, kBlocksY * kBlockSide, color::kIdle);
  svg.rectangle(kPictureLeft, kPictureTop, kWidth * scale, kHeight * scale, color::kBusyLight);
  for (int y = 0; y < kBlocksY; ++y) {
    for (int x = 0; x < kBlocksX; ++x) {
      svg.rectangle(kPictureLeft + x * kBlockSide, kPictureTop + y * kBlockSide, kBlockSide, kBlockSide, "none",
                    color::kInk, 1.5);
    }
  }
  svg.rectangle(kPictureLeft + kBlockX * kBlockSide, kPictureTop + kBlockY * kBlockSide, kBlockSide, kBlockSide, "none",
                color::kAccent, 5);
  svg.text(kPictureLeft, 30, fmt::format("{} x {} blocks of {} x {}", kBlocksX, kBlocksY, kBlock, kBlock),
           {.size = 25, .anchor = "start", .bold = true});
  svg.text(kPictureLeft, 66, fmt::format("over {} columns, {} rows", kWidth, kHeight), {.size = 23, .anchor = "start"});
}

void block(Svg& svg) {
  svg.text(kZoomLeft, 30, fmt::format("block ({}, {}), all its threads", kBlockX, kBlockY),
           {.size = 25, .anchor = "start", .bold = true});
  int idle = 0;
  for (int y = 0; y < kBlock; ++y) {
    for (int x = 0; x < kBlock; ++x) {
      const bool busy = kBlockX * kBlock + x < kWidth && kBlockY * kBlock + y < kHeight;
      idle += busy ? 0 : 1;
      svg.rectangle(kZoomLeft + x * kCell, kZoomTop + y * kCell, kCell - 3, kCell - 3,
                    busy ? color::kBusyLight : color::kIdle, color::kFaint, 0.7);
    }
  }
  svg.rectangle(kZoomLeft + kThreadX * kCell - 1, kZoomTop + kThreadY * kCell - 1, kCell - 1, kCell - 1, color::kBusy,
                color::kInk, 3);
  const TextStyle scale{.size = 20};
  svg.text(kZoomLeft + kCell / 2, kZoomTop - 18, "0", scale);
  svg.text(kZoomLeft + (kThreadX + 0.5) * kCell, kZoomTop - 18, fmt::format("{}", kThreadX),
           {.size = 23, .fill = color::kBusy, .bold = true});
  svg.text(kZoomLeft + (kBlock - 0.5) * kCell, kZoomTop - 18, fmt::format("{}", kBlock - 1), scale);
  svg.text(kZoomLeft - 20, kZoomTop + kCell / 2, "0", scale);
  svg.text(kZoomLeft - 20, kZoomTop + (kThreadY + 0.5) * kCell, fmt::format("{}", kThreadY),
           {.size = 23, .fill = color::kBusy, .bold = true});
  svg.text(kZoomLeft - 22, kZoomTop + (kBlock - 0.5) * kCell, fmt::format("{}", kBlock - 1), scale);
  const TextStyle note{.size = 25, .anchor = "start", .fill = color::kAccent, .bold = true};
  svg.text(kZoomLeft + kBlock * kCell + 18, kZoomTop + 16, fmt::format("{} of {}", idle, kBlock * kBlock), note);
  svg.text(kZoomLeft + kBlock * kCell + 18, kZoomTop + 48, "are idle", note);
}

void sums(Svg& svg) {
  const double y = kPictureTop + kBlocksY * kBlockSide + 52;
  const TextStyle mono{.size = 24, .anchor = "start", .monospace = true};
  svg.text(kPictureLeft, y, fmt::format("col = {} * {} + {} = {}", kBlockX, kBlock, kThreadX, kCol), mono);
  svg.text(kPictureLeft, y + 42, fmt::format("row = {} * {} + {} = {}", kBlockY, kBlock, kThreadY, kRow), mono);
  svg.text(kPictureLeft, y + 84, fmt::format("index = {} * {} + {} = {}", kRow, kWidth, kCol, kRow * kWidth + kCol),
           mono);
  const double x = kZoomLeft + kBlock * kCell + 18;
  svg.text(x, kZoomTop + 122, "x across:", {.size = 24, .anchor = "start", .bold = true});
  svg.text(x, kZoomTop + 154, "the column", {.size = 24, .anchor = "start"});
  svg.text(x, kZoomTop + 212, "y down:", {.size = 24, .anchor = "start", .bold = true});
  svg.text(x, kZoomTop + 244, "the row", {.size = 24, .anchor = "start"});
}

std::string draw() {
  Svg svg(1180, 570, "From thread to pixel",
          fmt::format("Thread ({}, {}) of block ({}, {}) has the pixel of row {} and column {}, index {}.", kThreadX,
                      kThreadY, kBlockX, kBlockY, kRow, kCol, kRow * kWidth + kCol));
  picture(svg);
  svg.arrow(kPictureLeft + kBlocksX * kBlockSide + 8, kPictureTop + (kBlockY + 0.5) * kBlockSide, kZoomLeft - 44,
            kPictureTop + (kBlockY + 0.5) * kBlockSide, color::kAccent, 4);
  block(svg);
  sums(svg);
  return svg.str();
}

const RegisterFigure kFigure("thread_to_pixel", &draw);

}  // namespace
}  // namespace cudalabs::figures
