// The versions of a lab's ladder as bars: names and measured speeds are read from the ladder's files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "figures/figure.h"
#include "figures/svg.h"
#include "tree/tree_paths.h"

namespace cudalabs::figures {
namespace {

namespace fs = std::filesystem;

struct Version {
  std::string name, speed;  // the speed as written, with its unit
  double percent = 0;       // of the yardstick
};

/// The first lines of a ladder's file say `Step 3 of 6: NAME.` and `Measured on an H200: SPEED and PERCENT % of …`.
Version read_version(const fs::path& path) {
  std::ifstream file(path);
  std::string comment;
  for (std::string line; std::getline(file, line) && line.starts_with("//");) comment += line.substr(2);
  static const std::regex kStep(R"(Step \d+ of \d+: ([^.]+)\.)");
  static const std::regex kMeasured(R"(Measured on an H200: ([\d,.]+ \S+) and ([\d.]+) % of)");
  std::smatch step, measured;
  if (!std::regex_search(comment, step, kStep) || !std::regex_search(comment, measured, kMeasured)) {
    throw std::runtime_error(path.string() + ": its first comment does not say the step and what was measured");
  }
  return {step[1], measured[1], std::stod(measured[2])};
}

std::vector<Version> read_ladder(const std::string& slug) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(source_path("solutions")) / slug / "ladder")) {
    if (entry.path().extension() != ".cu") continue;
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Version> versions;
  versions.reserve(paths.size());
  for (const fs::path& path : paths) versions.push_back(read_version(path));
  return versions;
}

std::string draw(const std::string& slug, const std::string& what, const std::string& yardstick) {
  const std::vector<Version> versions = read_ladder(slug);
  constexpr double kNames = 640, kWidth = 560, kRow = 46, kTop = 70;
  const double bottom = kTop + static_cast<double>(versions.size()) * kRow;
  const double most = std::max(100.0, std::max_element(versions.begin(), versions.end(), [](auto& a, auto& b) {
                                        return a.percent < b.percent;
                                      })->percent);
  const auto at = [&](double percent) { return kNames + percent / most * kWidth; };
  Svg svg(kNames + kWidth + 210, bottom + 20, what,
          fmt::format("From {} ({}) to {} ({}).", versions.front().name, versions.front().speed, versions.back().name,
                      versions.back().speed));
  svg.text(20, 30, what, {.size = 24, .anchor = "start", .bold = true});
  svg.text(at(100), 30, yardstick, {.size = 22});
  svg.line(at(100), 46, at(100), bottom, color::kInk, 2, true);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const double y = kTop + static_cast<double>(i) * kRow + kRow / 2;
    svg.text(kNames - 14, y, versions[i].name, {.size = 23, .anchor = "end"});
    svg.rectangle(kNames, y - 15, at(versions[i].percent) - kNames, 30, color::kBusy);
    svg.text(at(most) + 190, y, versions[i].speed, {.size = 23, .anchor = "end"});
  }
  return svg.str();
}

const RegisterFigure kMatmul("matmul_ladder", [] {
  return draw("lab4_tiled_matmul", "C = A·B, 4,096 × 4,096, on an NVIDIA H200", "cuBLAS, plain FP32");
});

const RegisterFigure kReduction("reduction_ladder", [] {
  return draw("lab5_reduction", "sum of 2²⁸ floats, on an NVIDIA H200", "copy on the device");
});

}  // namespace
}  // namespace cudalabs::figures
