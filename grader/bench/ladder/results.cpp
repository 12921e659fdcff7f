// What the ladder benchmark found: JSON with every figure, Markdown with rates and shares.
#include "results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cudalabs::ladder {
namespace {

double rounded(double value, double digits) {
  const double scale = std::pow(10.0, digits);
  return std::round(value * scale) / scale;
}

double rate(const SizeResult& size, std::size_t index) {  // 1e9 a second
  const double work = index == 0 ? size.limit_work : size.step_work;
  return work / size.measurements[index].milliseconds * 1e-6;
}

double share(const SizeResult& size, std::size_t index, double of_time) {
  return index == 0 ? of_time : of_time * size.step_work / size.limit_work;
}

}  // namespace

nlohmann::ordered_json to_json(const LadderResult& result) {
  nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
  for (const SizeResult& size : result.sizes) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < size.measurements.size(); ++i) {
      const Measurement& one = size.measurements[i];
      rows.push_back(
          {{"name", one.name},
           {"median_ms", rounded(one.milliseconds, 5)},
           {"rate", rounded(rate(size, i), 1)},
           {"share", rounded(share(size, i, one.share), 4)},
           {"share_quartiles", {rounded(share(size, i, one.share_low), 4), rounded(share(size, i, one.share_high), 4)}},
           {"outputs_verified", one.verified},
           {"worst_error_of_allowed", rounded(one.worst_error, 4)}});
    }
    sizes.push_back({{"size", size.label},
                     {"limit", size.limit},
                     {"unit", size.unit},
                     {"results", rows},
                     {"left_out", size.left_out}});
  }
  return {{"lab", result.lab}, {"function", result.function}, {"edge_cases", result.edge_cases}, {"sizes", sizes}};
}

std::string to_markdown(const LadderResult& result) {
  std::vector<std::string> names;  // in the order of the ladder, from whichever size has them
  for (const SizeResult& size : result.sizes) {
    for (const Measurement& one : size.measurements) {
      if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
    }
  }
  std::sort(names.begin() + (names.empty() ? 0 : 1), names.end());
  std::string text = "### " + result.lab + ": `" + result.function + "`\n\n";
  if (!result.sizes.empty()) {
    text += "| " + result.sizes[0].unit + " (share of the limit) |";
    std::string rule = "\n|---|";
    for (const SizeResult& size : result.sizes) {
      text += " " + size.label + " |";
      rule += "---|";
    }
    text += rule + "\n";
  }
  for (const std::string& name : names) {
    text += "| " + name + " |";
    for (const SizeResult& size : result.sizes) {
      std::string cell = " – |";
      for (std::size_t i = 0; i < size.measurements.size(); ++i) {
        if (size.measurements[i].name != name) continue;
        char buffer[64];
        std::snprintf(buffer, sizeof buffer, " %.0f (%.1f %%) |", rate(size, i),
                      100 * share(size, i, size.measurements[i].share));
        cell = buffer;
      }
      text += cell;
    }
    text += "\n";
  }
  return text + "\nEdge sizes: " + std::to_string(result.edge_cases) + " checked with every step.\n";
}

}  // namespace cudalabs::ladder
