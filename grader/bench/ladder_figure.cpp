// Draws what the ladder's benchmark wrote: for each lab a row for every step and a column for every size, and in it a
// bar as long as the step's share of the limit.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/svg.h"

namespace {

using Json = nlohmann::ordered_json;
using cudalabs::Svg;
namespace color = cudalabs::color;

constexpr double kNames = 330, kColumn = 190, kBar = 104, kRow = 30, kHead = 84, kGap = 40;

const Json* result_of(const Json& size, const std::string& step) {
  const auto& results = size.at("results");
  const auto found = std::ranges::find_if(results, [&](const Json& result) { return result.at("name") == step; });
  return found == results.end() ? nullptr : &*found;
}

/// The steps of a lab in their order, the limit left out; a step may be missing at a size.
std::vector<std::string> steps_of(const Json& lab) {
  std::vector<std::string> steps;
  for (const Json& size : lab.at("sizes")) {
    const auto& results = size.at("results");
    for (std::size_t i = 1; i < results.size(); ++i) {
      const std::string name = results[i].at("name");
      if (std::ranges::find(steps, name) == steps.end()) steps.push_back(name);
    }
  }
  std::ranges::sort(steps);
  return steps;
}

double height_of(const Json& lab) {
  return kHead + static_cast<double>(steps_of(lab).size()) * kRow + kGap;
}

void draw_cell(Svg& svg, double x, double y, const Json* result) {
  if (result == nullptr) {
    svg.text(x, y, "too slow to time", {.size = 13, .anchor = "start", .fill = color::kFaint});
    return;
  }
  const double share = result->at("share");
  svg.rectangle(x, y - 9, kBar, 18, color::kBusyLight);
  svg.rectangle(x, y - 9, std::min(share, 1.0) * kBar, 18, share >= 0.97 ? color::kGood : color::kBusy);
  svg.text(x + kBar + 8, y, fmt::format("{:.1f} %", 100 * share), {.size = 15, .anchor = "start"});
}

void draw_lab(Svg& svg, const Json& lab, double top) {
  const Json& sizes = lab.at("sizes");
  svg.text(20, top + 20,
           fmt::format("{}: {}, as a share of {}", lab.at("lab").get<std::string>(),
                       lab.at("function").get<std::string>(), sizes.at(0).at("limit").get<std::string>()),
           {.size = 20, .anchor = "start", .bold = true});
  double x = kNames;
  for (const Json& size : sizes) {
    svg.text(x, top + 56, size.at("size").get<std::string>(), {.size = 15, .anchor = "start"});
    x += kColumn;
  }
  double y = top + kHead;
  for (const std::string& step : steps_of(lab)) {
    svg.text(kNames - 16, y, step, {.size = 15, .anchor = "end", .monospace = true});
    x = kNames;
    for (const Json& size : sizes) {
      draw_cell(svg, x, y, result_of(size, step));
      x += kColumn;
    }
    y += kRow;
  }
}

std::string draw(const Json& all) {
  std::size_t columns = 1;
  double height = 70;
  for (const Json& lab : all.at("ladders")) {
    columns = std::max(columns, lab.at("sizes").size());
    height += height_of(lab);
  }
  const std::string device = all.at("machine").at("device");
  Svg svg(kNames + static_cast<double>(columns) * kColumn + 20, height, "The ladders on " + device,
          "For each step of each lab's ladder and each size, the share of what the device can do at most.");
  svg.text(20, 34, fmt::format("The ladders on {}, {}", device, all.at("date").get<std::string>()),
           {.size = 24, .anchor = "start", .bold = true});
  double top = 70;
  for (const Json& lab : all.at("ladders")) {
    draw_lab(svg, lab, top);
    top += height_of(lab);
  }
  return svg.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: ladder_figure RESULTS.json PICTURE.svg\n");
    return 2;
  }
  try {
    std::ifstream results(argv[1]);
    if (!results) throw std::runtime_error(std::string("cannot read ") + argv[1]);
    std::ofstream picture(argv[2]);
    picture << draw(Json::parse(results));
    if (!picture.flush()) throw std::runtime_error(std::string("cannot write ") + argv[2]);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ladder_figure: {}\n", error.what());
    return 1;
  }
}
