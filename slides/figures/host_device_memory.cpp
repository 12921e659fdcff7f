// Vector add as seen from above: two memories, and what has to cross between them, in order.
#include <string>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr double kHostLeft = 20, kDeviceLeft = 800, kBoxWidth = 380, kTop = 70, kHeight = 400;
constexpr double kArrayTop[] = {100, 185, 355};

void array(Svg& svg, double left, double top, const std::string& name, std::string_view fill) {
  constexpr int kCells = 6;
  constexpr double kCell = 42;
  svg.text(left + 70, kTop + top, name, {.size = 28, .anchor = "end", .bold = true, .monospace = true});
  for (int i = 0; i < kCells; ++i) {
    svg.rectangle(left + 88 + i * kCell, kTop + top - 21, kCell - 3, 42, fill, color::kInk, 1.5);
  }
}

void step(Svg& svg, double x, double y, int number, const std::string& text) {
  svg.circle(x, y, 19, color::kInk);
  svg.text(x, y, std::to_string(number), {.size = 24, .fill = color::kPaper, .bold = true});
  svg.text(x + 30, y, text, {.size = 24, .anchor = "start", .monospace = true});
}

std::string draw() {
  Svg svg(1200, 610, "Host memory and device memory in a vector addition",
          "Allocate on the device, copy a and b over, launch the kernel, copy the result back, free.");
  for (const double left : {kHostLeft, kDeviceLeft}) {
    svg.rectangle(left, kTop - 10, kBoxWidth, kHeight + 80, "none", color::kInk, 3);
  }
  svg.text(kHostLeft + kBoxWidth / 2, 30, "host", {.size = 32, .bold = true});
  svg.text(kDeviceLeft + kBoxWidth / 2, 30, "device", {.size = 32, .bold = true});
  const std::string names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; ++i) {
    array(svg, kHostLeft, kArrayTop[i], names[i], i < 2 ? color::kBusyLight : color::kGoodLight);
    array(svg, kDeviceLeft, kArrayTop[i], "d_" + names[i], i < 2 ? color::kBusyLight : color::kGoodLight);
  }
  const double from = kHostLeft + kBoxWidth + 6, to = kDeviceLeft - 6;
  svg.arrow(from, kTop + kArrayTop[0], to, kTop + kArrayTop[0], color::kBusy, 4);
  svg.arrow(from, kTop + kArrayTop[1], to, kTop + kArrayTop[1], color::kBusy, 4);
  svg.arrow(to, kTop + kArrayTop[2], from, kTop + kArrayTop[2], color::kGood, 4);
  step(svg, kDeviceLeft + 40, kTop + 30, 1, "cudaMalloc");
  step(svg, from + 90, kTop + kArrayTop[0] + 46, 2, "cudaMemcpy");
  svg.arrow(kDeviceLeft + 210, kTop + kArrayTop[1] + 28, kDeviceLeft + 210, kTop + kArrayTop[2] - 26, color::kInk, 4);
  step(svg, kDeviceLeft + 40, kTop + 270, 3, "kernel");
  step(svg, from + 90, kTop + kArrayTop[2] - 42, 4, "cudaMemcpy");
  step(svg, kDeviceLeft + 40, kTop + 440, 5, "cudaFree");
  svg.text(kHostLeft, 584, "a[0] means nothing on the device, d_a[0] nothing on the host",
           {.size = 24, .anchor = "start", .fill = color::kAccent});
  return svg.str();
}

const RegisterFigure kFigure("host_device_memory", &draw);

}  // namespace
}  // namespace cudalabs::figures
