// The ladders of fast versions that were measured and kept with the project.
#include "page/measured_ladders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

namespace cudalabs::page {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The number that "4096", "8192 × 8192" and "2^26" begin with; 0 for other text.
double size_of(std::string_view text) {
  double first = 0, power = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), first);
  if (error != std::errc()) return 0;
  if (end == text.data() + text.size() || *end != '^') return first;
  const auto [last, bad] = std::from_chars(end + 1, text.data() + text.size(), power);
  return bad == std::errc() ? std::pow(first, power) : 0;
}

/// How far apart two sizes are, in powers.
double distance(double one, double two) {
  return one > 0 && two > 0 ? std::abs(std::log(one / two)) : std::numeric_limits<double>::infinity();
}

/// "03_four_at_once" as people read it.
std::string name_of_step(std::string name) {
  name.erase(0, std::min(name.find_first_not_of("0123456789_"), name.size()));
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::int64_t largest(const std::map<std::string, std::int64_t>& parameters) {
  std::int64_t most = 0;
  for (const auto& [name, value] : parameters) most = std::max(most, value);
  return most;
}

/// What the submission reached in the ladder's unit, where the same device was measured.
double own_rate(const Ladder& ladder, const SpeedTest& test, const Report& report) {
  const auto speed = std::ranges::find(report.speed, test.check, &SpeedResult::check);
  if (speed == report.speed.end() || speed->kind != SpeedResult::Kind::measured) return 0;
  if (speed->device != ladder.device || !(speed->seconds > 0)) return 0;
  const double work = ladder.unit == "GB/s" ? test.bytes : ladder.unit == "GFLOP/s" ? test.operations : 0;
  return work / speed->seconds / 1e9;
}

Ladder ladder_of(const Json& machine, const Json& sizes, const SpeedTest& test) {
  const auto wanted = static_cast<double>(largest(test.parameters));
  const auto nearest = std::min_element(sizes.begin(), sizes.end(), [&](const Json& one, const Json& two) {
    return distance(size_of(one.at("size").get<std::string>()), wanted) <
           distance(size_of(two.at("size").get<std::string>()), wanted);
  });
  Ladder ladder;
  if (nearest == sizes.end()) return ladder;
  ladder.device = machine.at("device");
  ladder.size = nearest->at("size");
  ladder.limit = nearest->at("limit");
  ladder.unit = nearest->at("unit");
  for (const Json& result : nearest->at("results"))
    ladder.steps.push_back({name_of_step(result.at("name")), result.at("rate"), result.at("share")});
  return ladder;
}

}  // namespace

std::vector<std::pair<std::string, Ladder>> measured_ladders(const Lab& lab, const Report& report,
                                                             const fs::path& results) {
  std::error_code none;
  if (lab.speed.empty() || report.speed.empty() || !fs::is_directory(results, none)) return {};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(results)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("ladder-") && name.ends_with(".json")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  const SpeedTest& test = lab.speed.back();
  std::vector<std::pair<std::string, Ladder>> found;
  for (const fs::path& file : files) {
    try {
      std::ifstream stream(file);
      const Json json = Json::parse(stream);
      for (const Json& each : json.at("ladders")) {
        if (each.at("lab") != lab.id) continue;
        Ladder ladder = ladder_of(json.at("machine"), each.at("sizes"), test);
        ladder.own_rate = own_rate(ladder, test, report);
        if (!ladder.steps.empty()) found.emplace_back(test.check, std::move(ladder));
      }
    } catch (const Json::exception& error) {
      throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
    }
  }
  return found;
}

}  // namespace cudalabs::page
