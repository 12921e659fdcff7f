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
  GridShape threads = {};     // of the whole launch; empty where several launches have had a part
  bool follows_many = false;  // a single block, after a launch of many: it may add up what these have left

  /// Of a launch with one axis.
  std::optional<std::int64_t> threads_in_line() const {
    return threads.rows == 1 && threads.columns > 1 ? std::optional(threads.columns) : std::nullopt;
  }
};

enum class RegionKind : std::uint8_t {
  everywhere,
  one_element,
  rows,
  columns,
  partial_block,
  past_block,
  past_threads,
  piece,
  repeated_gap,
  every_few,
  scattered
};

/// The last `missing` of every `period` elements, in row-major order.
struct RepeatedGap {
  std::int64_t period = 0, missing = 0;
};
/// What the mask is, from its first element to its last; it has at least two whole periods.
std::optional<RepeatedGap> repeated_gap(const Mask& mask);

/// Elements whose number in row-major order leaves `place` when it is divided by `period`.
struct EveryFew {
  std::int64_t period = 0, place = 0;

  bool operator==(const EveryFew&) const = default;
};
/// All in the mask are such elements, and at least half of those, from the first to the last; the largest period. A
/// thread that does several elements may do one of them wrong.
std::optional<EveryFew> every_few(const Mask& mask);

/// Some of the rows, or of the columns, of a grid, by their numbers.
struct NumberedLines {
  std::int64_t first = 0, last = 0;
  bool gaps = false;  // some between the two are none of them

  bool operator==(const NumberedLines&) const = default;
};

/// The rows and the columns that a region is told by; neither where it is told in another way: by elements, by the
/// whole, by every so many rows, as a rectangle.
struct RegionLines {
  std::optional<NumberedLines> rows = {}, columns = {};

  bool operator==(const RegionLines&) const = default;
};

/// What the place of elements is told by that are missing or wrong from there on.
inline constexpr std::string_view kBeyondLastBlock = "beyond the last whole block";

struct Region {
  RegionKind kind = RegionKind::scattered;
  std::string where;       // "everywhere", "in row 5", "in columns 32 to 36, beyond the last whole block of 16"
  RegionLines lines = {};  // that it is told by
};

/// Each detector answers only when the mask is exactly its shape: one correct element in a wrong row makes it
/// scattered.
std::optional<Region> whole_array(const Mask& mask);
std::optional<Region> single_element(const Mask& mask);
/// Everything outside a rectangle that starts at [0][0], and one of its sides is a multiple of the block: the partial
/// block at the edge, or all but the first blocks. Else, or without `block`, the partial block of a usual one: 32, 16
/// or
/// 8. Earlier multiples of these are met too often by chance.
std::optional<Region> outside_whole_blocks(const Mask& mask, std::optional<BlockShape> block);
/// Everything but the first elements, as many as the launch has threads along its only axis.
std::optional<Region> past_threads(const Mask& mask, std::optional<BlockShape> block);
std::optional<Region> whole_rows(const Mask& mask);
std::optional<Region> whole_columns(const Mask& mask);
/// A rectangle, or elements that lie one behind the other in memory.
std::optional<Region> one_piece(const Mask& mask);

/// The first of the above that applies, in that order, but for what is past the threads, which says more than a
/// multiple of the block and less than a partial block; "scattered" when none does, also where the words say that
/// nearly all of a range is in the mask. The mask must not be empty.
Region locate(const Mask& mask, std::optional<BlockShape> block);

}  // namespace cudalabs
