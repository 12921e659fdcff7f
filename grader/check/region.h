// Where the faulty elements of an output lie, in words: a row, a column, everything past a block, ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/comparison.h"

namespace cudalabs {

/// The faulty places of an output, as a grid.
struct Mask {
  GridShape shape;
  std::vector<bool> set;  // row-major

  bool at(std::int64_t row, std::int64_t column) const {
    return set[static_cast<std::size_t>(row * shape.columns + column)];
  }
  std::int64_t count() const;
};

/// The elements of `comparison` with exactly this fault.
Mask mask_of(const Comparison& comparison, Fault kind);

/// The block of threads the submission launched, in elements; it makes "the last partial block" a fact, not a guess.
struct BlockShape {
  std::int64_t rows = 0, columns = 0;
};

enum class RegionKind : std::uint8_t { everywhere, one_element, rows, columns, partial_block, past_block, scattered };

struct Region {
  RegionKind kind = RegionKind::scattered;
  std::string where;  // "everywhere", "in row 5", "in columns 32 to 36, beyond the last whole block of 16"
};

/// Each detector answers only when the mask is exactly its shape: one correct element in a wrong row makes it
/// scattered.
std::optional<Region> whole_array(const Mask& mask);
std::optional<Region> single_element(const Mask& mask);
/// Everything outside a rectangle that starts at [0][0], and one of its sides is a multiple of the block (or, without
/// `block`, of usual ones: 32, 16 or 8): the partial block at the edge, or all but the first blocks.
std::optional<Region> outside_whole_blocks(const Mask& mask, std::optional<BlockShape> block);
std::optional<Region> whole_rows(const Mask& mask);
std::optional<Region> whole_columns(const Mask& mask);

/// The first of the above that applies, in that order; "scattered" when none does. The mask must not be empty.
Region locate(const Mask& mask, std::optional<BlockShape> block);

}  // namespace cudalabs
