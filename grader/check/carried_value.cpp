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

/// Blocks that take one tile after the other: a thread's last element lies as many tiles away as there are blocks, at
/// the same place of its tile.
struct TileOrder {
  GridShape tile, tiles;
  std::int64_t blocks = 0;
  bool down = false;       // tiles are numbered column by column
  bool backwards = false;  // the last tile comes first

  std::int64_t count() const { return tiles.rows * tiles.columns; }
  /// A thread's sum begins here: as many tiles as there are blocks come before any other.
  bool is_first(std::int64_t at) const { return backwards ? at + blocks >= count() : at < blocks; }
  std::int64_t before(std::int64_t at) const { return backwards ? at + blocks : at - blocks; }

  std::int64_t number(std::int64_t row, std::int64_t column) const {
    const std::int64_t y = row / tile.rows, x = column / tile.columns;
    return down ? x * tiles.rows + y : y * tiles.columns + x;
  }
};

/// What the thread's sum holds that stores this element: of places outside of the output it is only carried on.
double carried_to(const Comparison& comparison, const TileOrder& order, std::int64_t index) {
  const GridShape shape = comparison.grid();
  const std::int64_t row = index / shape.columns, column = index % shape.columns;
  for (std::int64_t tile = order.before(order.number(row, column)); tile >= 0 && tile < order.count();
       tile = order.before(tile)) {
    const std::int64_t y = order.down ? tile % order.tiles.rows : tile / order.tiles.columns,
                       x = order.down ? tile / order.tiles.rows : tile % order.tiles.columns;
    const std::int64_t before = y * order.tile.rows + row % order.tile.rows,
                       beside = x * order.tile.columns + column % order.tile.columns;
    if (before < shape.rows && beside < shape.columns) return comparison.at(before * shape.columns + beside).got;
  }
  return 0;
}

bool carries_tiles(const Comparison& comparison, const TileOrder& order) {
  const GridShape shape = comparison.grid();
  std::int64_t confirmed = 0;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    if (order.is_first(order.number(i / shape.columns, i % shape.columns))) return false;
    const Element element = comparison.at(i);
    const double carried = carried_to(comparison, order, i);
    const double bound = 2 * element.bound + kRounding * (std::abs(carried) + std::abs(element.expected));
    if (!within(element.got, element.expected + carried, bound)) return false;
    confirmed += std::abs(carried) > 4 * bound ? 1 : 0;
  }
  return confirmed >= kEnough;
}

/// A block's threads do a tile of its own shape, or a square of as many elements.
std::vector<GridShape> tiles_of(const BlockShape& block) {
  if (block.rows > 1) return {{block.rows, block.columns}};
  const auto side = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(block.columns))));
  return side > 1 && side * side == block.columns ? std::vector<GridShape>{{side, side}} : std::vector<GridShape>{};
}

/// The blocks that the only launch had, where they carry a sum from tile to tile.
std::optional<std::int64_t> blocks_that_carry(const Comparison& comparison, const BlockShape& block) {
  const GridShape shape = comparison.grid();
  const std::int64_t threads = block.rows * block.columns;
  if (threads < 1 || block.threads.rows * block.threads.columns < threads) return std::nullopt;
  const std::int64_t blocks = block.threads.rows * block.threads.columns / threads;
  for (const GridShape tile : tiles_of(block)) {
    const GridShape tiles{(shape.rows + tile.rows - 1) / tile.rows, (shape.columns + tile.columns - 1) / tile.columns};
    for (const bool down : {false, true})
      for (const bool backwards : {false, true})
        if (carries_tiles(comparison, {tile, tiles, blocks, down, backwards})) return blocks;
  }
  return std::nullopt;
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
  if (const auto blocks = block ? blocks_that_carry(comparison, *block) : std::nullopt) {
    return ValuePattern{
        ValueKind::carried_over,
        fmt::format("each wrong element also contains what its thread computed for the tile before, {} tiles away, as "
                    "many as there are blocks",
                    *blocks),
        "a block that does several tiles needs a new sum for each of them: set it to 0 inside the loop over the tiles, "
        "not before it"};
  }
  return std::nullopt;
}

}  // namespace cudalabs
