// The reduction of the lecture's sixteen integers, step by step: with a stride that halves the adding threads stay
// together, with one that doubles they are spread over all warps.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kElements = 16, kWarp = 4;  // a warp has 32 threads; four show the same thing
using Values = std::array<int, kElements>;
constexpr Values kValues = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2};

constexpr double kCell = 50, kLeft = 130, kRow = 66, kGap = 8;

struct Scheme {
  std::string title;
  int first_stride;
  std::function<int(int)> next_stride;  // 0: done
  std::function<bool(int, int)> adds;   // (thread, stride)
};

double column(int thread) {
  const int gaps = thread / kWarp;
  return kLeft + thread * kCell + gaps * kGap;
}

void row(Svg& svg, double y, const Values& values, const std::function<bool(int)>& lit,
         const std::function<bool(int)>& live) {
  for (int thread = 0; thread < kElements; ++thread) {
    const double x = column(thread);
    svg.rectangle(x + 2, y, kCell - 4, 34, lit(thread) ? color::kGoodLight : color::kPaper,
                  live(thread) ? color::kInk : color::kFaint);
    svg.text(x + kCell / 2, y + 17, fmt::format("{}", values[static_cast<std::size_t>(thread)]),
             {.size = 18, .fill = live(thread) ? color::kInk : color::kFaint, .bold = lit(thread)});
  }
}

void panel(Svg& svg, double top, const Scheme& scheme) {
  Values values = kValues;
  svg.text(kLeft, top, scheme.title, {.size = 22, .anchor = "start", .bold = true});
  double y = top + 28;
  svg.text(kLeft - 14, y + 17, "loaded", {.size = 17, .anchor = "end"});
  row(
      svg, y, values, [](int) { return false; }, [](int) { return true; });
  for (int stride = scheme.first_stride; stride > 0; stride = scheme.next_stride(stride)) {
    const auto adds = [&](int thread) { return scheme.adds(thread, stride); };
    Values sums = values;
    std::array<bool, kElements / kWarp> busy{};
    for (int thread = 0; thread < kElements; ++thread) {
      if (!adds(thread)) continue;
      const int other = thread + stride;
      sums[static_cast<std::size_t>(thread)] += values[static_cast<std::size_t>(other)];
      const int warp = thread / kWarp;
      busy[static_cast<std::size_t>(warp)] = true;
      const double x = column(thread) + kCell / 2;
      svg.line(column(other) + kCell / 2, y + 34, x, y + kRow, color::kBusy, 1.5);
      svg.line(x, y + 34, x, y + kRow, color::kBusy, 2);
    }
    values = sums;
    y += kRow;
    int warps = 0;
    for (int warp = 0; warp < kElements / kWarp; ++warp) {
      if (!busy[static_cast<std::size_t>(warp)]) continue;
      ++warps;
      svg.rectangle(column(warp * kWarp) - 1, y - 4, kWarp * kCell + 2, 42, "none", color::kAccent, 2.5);
    }
    row(svg, y, values, adds, adds);
    svg.text(kLeft - 14, y + 17, fmt::format("stride {}", stride), {.size = 17, .anchor = "end"});
    svg.text(column(kElements) + 4, y + 17, fmt::format("{} {}", warps, warps == 1 ? "warp" : "warps"),
             {.size = 17, .anchor = "start", .fill = color::kAccent, .bold = true});
  }
}

Scheme halving() {
  return {"stride 8, 4, 2, 1: the first threads add", kElements / 2, [](int stride) { return stride / 2; },
          [](int thread, int stride) { return thread < stride; }};
}

Scheme doubling() {
  return {"stride 1, 2, 4, 8: every second, fourth, … thread adds", 1,
          [](int stride) { return 2 * stride < kElements ? 2 * stride : 0; },
          [](int thread, int stride) { return thread % (2 * stride) == 0; }};
}

constexpr double kPanel = 395, kLegend = 45;

std::string drawn(const std::string& description, const std::vector<Scheme>& schemes) {
  const double height = kPanel * static_cast<double>(schemes.size());
  Svg svg(column(kElements) + 100, height + kLegend - 5, "Sum of sixteen integers in shared memory", description);
  double top = 30;
  for (const Scheme& scheme : schemes) {
    panel(svg, top, scheme);
    top += kPanel;
  }
  svg.text(kLeft, height + kLegend - 25, "framed: warps with a thread that adds (here 4 threads a warp)",
           {.size = 17, .anchor = "start", .fill = color::kAccent});
  return svg.str();
}

constexpr const char* kHalvingSays =
    "With a stride that halves, the threads that add are always the first ones, so whole warps fall idle. ";
constexpr const char* kDoublingSays =
    "With a stride that doubles they are spread over all warps, and nearly every warp stays busy to the end. ";
constexpr const char* kSum = "The sum, 41, ends in the first place.";

const RegisterFigure kBoth("reduction_tree", [] {
  return drawn(std::string(kHalvingSays) + kDoublingSays + kSum, {halving(), doubling()});
});
const RegisterFigure kHalving("reduction_halving", [] { return drawn(std::string(kHalvingSays) + kSum, {halving()}); });
const RegisterFigure kDoubling("reduction_doubling",
                               [] { return drawn(std::string(kDoublingSays) + kSum, {doubling()}); });

}  // namespace
}  // namespace cudalabs::figures
