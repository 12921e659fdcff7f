// Numbers as people write them.
#include "report/number_text.h"

#include <fmt/format.h>

#include <cmath>

namespace cudalabs {
namespace {

/// "97.4", "15".
std::string tenths(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

}  // namespace

std::string points_of(double points, double max) {
  const double rounded = std::round(points * 10) / 10;
  return tenths(points < max && rounded >= max ? std::ceil(max * 10 - 1) / 10 : rounded);
}

std::string points_text(double points, double max) {
  return fmt::format("{} of {} points", points_of(points, max), tenths(max));
}

std::string count_text(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string count_text(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count_text(count), count == 1 ? one : many);
}

}  // namespace cudalabs
