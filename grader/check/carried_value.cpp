#include "check/carried_value.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "check/tolerance.h"

namespace cudalabs {
namespace {

/// The elements that one thread may do one after the other are so far apart.
std::vector<std::int64_t> distances(const Comparison& comparison, std::optional<BlockShape> block) {
  const std::int64_t columns = comparison.grid().columns;
  std::vector<std::int64_t> found;
  if (block) {
    found.push_back(block->threads.rows * block->threads.columns);
    found.push_back(block->threads.columns);
    found.push_back(block->threads.rows * columns);
  }
  found.push_back(1);
  found.push_back(columns);
  if (block) {
    found.push_back(block->columns);
    found.push_back(block->rows * columns);
  }
  return found;
}

/// What a sum that goes on loses by rounding grows with what it holds already.
constexpr double kRounding = 0x1p-16;

bool carries(const Comparison& comparison, std::int64_t distance) {
  std::int64_t confirmed = 0;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    if (i < distance) return false;
    const Element element = comparison.at(i);
    const double carried = comparison.at(i - distance).got;
    const double bound = 2 * element.bound + kRounding * (std::abs(carried) + std::abs(element.expected));
    if (!within(element.got, element.expected + carried, bound)) return false;
    confirmed += std::abs(carried) > 4 * bound ? 1 : 0;
  }
  return confirmed >= kEnough;
}

std::string words_for_distance(std::int64_t distance, const Comparison& comparison) {
  const GridShape shape = comparison.grid();
  if (distance == 1) return "the one before it";
  if (distance == shape.columns && shape.rows > 1) return "the one above it";
  return fmt::format("the one {} before it", distance);
}

}  // namespace

std::optional<ValuePattern> carried_over(const Comparison& comparison, std::optional<BlockShape> block) {
  if (comparison.type == datasets::ElementType::u8) return std::nullopt;
  for (const std::int64_t distance : distances(comparison, block)) {
    if (distance < 1 || !carries(comparison, distance)) continue;
    return ValuePattern{
        ValueKind::carried_over,
        fmt::format("each wrong element also contains {}", words_for_distance(distance, comparison)),
        "a thread that does several elements needs a new sum for each of them: set it to 0 inside the loop over the "
        "elements, not before it"};
  }
  return std::nullopt;
}

}  // namespace cudalabs
