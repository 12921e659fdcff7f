// Vector add: which thread of which block adds which element, and where the guard bites.
#include <fmt/format.h>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kElements = 10, kBlock = 4, kBlocks = (kElements + kBlock - 1) / kBlock;

std::string draw() {
  constexpr double kCell = 76, kLeft = 110;
  Svg svg(kLeft + kBlocks * kBlock * kCell + 40, 400, "Threads and elements of a vector addition",
          fmt::format("{} blocks of {} threads for {} elements: the last two threads have no element.", kBlocks, kBlock,
                      kElements));
  svg.text(kLeft - 14, 120, "thread", {.size = 20, .anchor = "end"});
  svg.text(kLeft - 14, 290, "element", {.size = 20, .anchor = "end"});
  for (int block = 0; block < kBlocks; ++block) {
    const double x = kLeft + block * kBlock * kCell;
    svg.rectangle(x + 3, 70, kBlock * kCell - 6, 84, "none", color::kInk, 2.5);
    svg.text(x + kBlock * kCell / 2, 46, fmt::format("blockIdx.x = {}", block), {.size = 22, .bold = true});
  }
  for (int i = 0; i < kBlocks * kBlock; ++i) {
    const double x = kLeft + i * kCell;
    const bool busy = i < kElements;
    svg.rectangle(x + 10, 84, kCell - 20, 56, busy ? color::kBusyLight : color::kIdle, color::kInk);
    svg.text(x + kCell / 2, 112, fmt::format("{}", i % kBlock), {.size = 24});
    if (busy) {
      svg.arrow(x + kCell / 2, 146, x + kCell / 2, 256, color::kBusy, 2.5);
      svg.rectangle(x + 10, 262, kCell - 20, 56, color::kGoodLight, color::kInk);
      svg.text(x + kCell / 2, 290, fmt::format("{}", i), {.size = 24});
    } else {
      svg.text(x + kCell / 2, 205, "idle", {.size = 22, .fill = color::kAccent, .bold = true});
    }
  }
  svg.text(kLeft + kBlocks * kBlock * kCell / 2, 362,
           "i = blockIdx.x * blockDim.x + threadIdx.x;   if (i < n) c[i] = a[i] + b[i];",
           {.size = 20, .monospace = true});
  return svg.str();
}

const RegisterFigure kFigure("thread_map_1d", &draw);

}  // namespace
}  // namespace cudalabs::figures
