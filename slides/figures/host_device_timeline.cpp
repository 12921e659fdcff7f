// What three ways of timing measure: host and device drawn to scale, from the cost of a launch and a kernel's length.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

// Microseconds. A launch costs the host about 2.5 on the machine with an NVIDIA H200 that the anchors come from; the
// kernel is an example's.
constexpr double kLaunch = 2.5, kKernel = 30, kStart = 2, kWake = 2;
constexpr double kEvent = 0.5;

struct Bar {
  double begin, end;
  std::string_view fill;
  std::string label;
};

struct Way {
  std::string title;
  std::vector<Bar> host, device;
  double from, to;  // what the two readings enclose
};

Way around_the_launch() {
  const double started = kStart + kLaunch;
  return {"clock, launch, clock",
          {{kStart, started, color::kInk, "launch"}},
          {{started, started + kKernel, color::kBusy, "kernel"}},
          kStart,
          started};
}

Way with_a_wait() {
  Way way = around_the_launch();
  way.title = "clock, launch, cudaDeviceSynchronize, clock";
  way.to = way.device[0].end + kWake;
  way.host.push_back({way.host[0].end, way.to, color::kIdle, "waits"});
  return way;
}

Way with_events() {
  Way way = around_the_launch();
  way.title = "cudaEventRecord, launch, cudaEventRecord";
  Bar& kernel = way.device[0];
  kernel.begin += kEvent;
  kernel.end += kEvent;
  way.device.insert(way.device.begin(), {kernel.begin - kEvent, kernel.begin, color::kAccent, ""});
  const double end = way.device.back().end;
  way.device.push_back({end, end + kEvent, color::kAccent, ""});
  way.from = way.device.front().begin;
  way.to = way.device.back().end;
  return way;
}

constexpr double kLeft = 120, kScale = 28, kPanel = 196;
double at(double time) {
  return kLeft + time * kScale;
}

void lane(Svg& svg, double y, const std::string& name, const std::vector<Bar>& bars, double last) {
  svg.text(kLeft - 14, y, name, {.size = 24, .anchor = "end"});
  svg.line(kLeft, y, at(last), y, color::kFaint, 1.5);
  for (const Bar& bar : bars) {
    svg.rectangle(at(bar.begin), y - 17, at(bar.end) - at(bar.begin), 34, bar.fill, color::kInk, 1);
    if (!bar.label.empty()) {
      const bool dark = bar.fill == color::kBusy || bar.fill == color::kInk;
      svg.text((at(bar.begin) + at(bar.end)) / 2, y, bar.label,
               {.size = bar.end - bar.begin < 5 ? 19.0 : 23.0, .fill = dark ? color::kPaper : color::kInk});
    }
  }
}

std::string draw() {
  const Way ways[] = {around_the_launch(), with_a_wait(), with_events()};
  double last = 0;
  for (const Way& way : ways) last = std::max({last, way.to, way.device.back().end});
  last += 3;
  Svg svg(at(last) + 30, 3 * kPanel + 40, "Three ways to time a kernel",
          fmt::format("A clock around the launch reads {:g} microseconds, one behind a synchronisation {:g}, events "
                      "{:g}; the kernel takes {:g}.",
                      ways[0].to - ways[0].from, ways[1].to - ways[1].from, ways[2].to - ways[2].from, kKernel));
  double top = 0;
  for (const Way& way : ways) {
    svg.text(20, top + 24, way.title, {.size = 23, .anchor = "start", .monospace = true});
    svg.text(at(last), top + 24, fmt::format("reads {:g} µs", way.to - way.from),
             {.size = 25, .anchor = "end", .fill = color::kAccent, .bold = true});
    for (const double time : {way.from, way.to}) {
      svg.line(at(time), top + 46, at(time), top + 178, color::kAccent, 2.5, true);
    }
    svg.line(at(way.from), top + 48, at(way.to), top + 48, color::kAccent, 5);
    lane(svg, top + 86, "host", way.host, last);
    lane(svg, top + 146, "device", way.device, last);
    top += kPanel;
  }
  svg.text(20, top + 14,
           fmt::format("to scale: the launch takes the host {:g} µs, the kernel runs for {:g} µs", kLaunch, kKernel),
           {.size = 22, .anchor = "start"});
  return svg.str();
}

const RegisterFigure kFigure("host_device_timeline", &draw);

}  // namespace
}  // namespace cudalabs::figures
