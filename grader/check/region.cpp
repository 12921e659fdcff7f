// Where the faulty elements of an output lie, in words.
#include "check/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cudalabs {
namespace {

constexpr std::array<std::int64_t, 3> kUsualSides{32, 16, 8};  // of a block
constexpr std::size_t kShown = 4;                              // indices listed one by one

/// The axes as the reader knows them: an array of one axis has elements, not columns.
std::string_view column_word(GridShape shape) {
  return shape.rows == 1 ? "element" : "column";
}

/// From one to the next; nothing where it is not the same for all.
std::optional<std::int64_t> step_of(const std::vector<std::int64_t>& indices) {
  if (indices.size() < 2) return std::nullopt;
  const std::int64_t step = indices[1] - indices[0];
  const bool regular =
      std::ranges::adjacent_find(indices, [step](auto a, auto b) { return b - a != step; }) == indices.end();
  return regular ? std::optional(step) : std::nullopt;
}

/// Every second one, or third and so on, to the end.
bool is_every_nth(const std::vector<std::int64_t>& indices, std::int64_t extent) {
  const auto step = step_of(indices);
  return step && *step > 1 && indices.size() > 2 && indices.back() + *step >= extent;
}

/// "row 3", "rows 3 to 7", "rows 0, 2 and 9"; every n-th to the end is named as such; long lists are cut.
std::string list_of(std::string_view word, const std::vector<std::int64_t>& indices, std::int64_t extent) {
  if (indices.size() == 1) return fmt::format("{} {}", word, indices[0]);
  const std::int64_t step = step_of(indices).value_or(0);
  if (step == 1) return fmt::format("{}s {} to {}", word, indices.front(), indices.back());
  if (is_every_nth(indices, extent)) {
    return fmt::format("every {}{} {} from {} on", step,
                       step == 2   ? "nd"
                       : step == 3 ? "rd"
                                   : "th",
                       word, indices.front());
  }
  if (indices.size() <= kShown) {
    return fmt::format("{}s {} and {}", word, fmt::join(indices.begin(), indices.end() - 1, ", "), indices.back());
  }
  return fmt::format("{}s {} and {} more", word, fmt::join(indices.begin(), indices.begin() + kShown - 1, ", "),
                     indices.size() - kShown + 1);
}

/// Without a gap. Any set of elements of a single row or column is a set of "whole" columns or rows: it is worth saying
/// only where it is regular.
bool is_run(const std::vector<std::int64_t>& indices) {
  return indices.back() - indices.front() + 1 == static_cast<std::int64_t>(indices.size());
}

/// As list_of() names them.
std::optional<NumberedLines> numbered(const std::vector<std::int64_t>& indices, std::int64_t extent) {
  if (is_every_nth(indices, extent)) return std::nullopt;
  return NumberedLines{indices.front(), indices.back(), !is_run(indices)};
}

std::string ordinal_hint(std::int64_t first, std::int64_t last, std::int64_t extent) {
  if (first != last) return {};
  if (first == 0) return " (the first)";
  return first == extent - 1 ? " (the last)" : "";
}

/// The correct elements as a rectangle from [0][0]: its rows and columns; nothing when they do not form one.
std::optional<GridShape> correct_corner(const Mask& mask) {
  if (mask.set.empty() || mask.at(0, 0)) return std::nullopt;
  GridShape corner{0, 0};
  while (corner.columns < mask.shape.columns && !mask.at(0, corner.columns)) ++corner.columns;
  while (corner.rows < mask.shape.rows && !mask.at(corner.rows, 0)) ++corner.rows;
  for (std::int64_t row = 0; row < mask.shape.rows; ++row) {
    for (std::int64_t column = 0; column < mask.shape.columns; ++column) {
      if (mask.at(row, column) == (row < corner.rows && column < corner.columns)) return std::nullopt;
    }
  }
  return corner;
}

/// How the correct part of one axis ends against multiples of `side`: at none, at the last one, or earlier.
enum class Cut : std::uint8_t { none, uneven, last_multiple, early_multiple };
Cut cut_of(std::int64_t correct, std::int64_t extent, std::int64_t side) {
  if (correct == extent) return Cut::none;
  if (side < 2 || correct % side != 0) return Cut::uneven;
  return correct == extent / side * side ? Cut::last_multiple : Cut::early_multiple;
}

std::string beyond(std::string_view word, std::int64_t correct, std::int64_t extent) {
  if (correct == extent - 1) return fmt::format("in {} {}", word, correct);
  return fmt::format("in {}s {} to {}", word, correct, extent - 1);
}

struct Sides {
  std::int64_t rows = 0, columns = 0;
  bool launched = false;   // those of a block of threads, not a guess
  GridShape threads = {};  // of the whole launch, where that is known
};

/// "the launch has 64 threads along x", where the correct part of each axis that is cut ends with the threads.
std::optional<std::string> threads_text(const Mask& mask, GridShape corner, GridShape threads) {
  std::vector<std::string> axes;
  if (corner.columns != mask.shape.columns) {
    if (corner.columns != threads.columns) return std::nullopt;
    axes.push_back(fmt::format("{} threads along x", threads.columns));
  }
  if (corner.rows != mask.shape.rows) {
    if (corner.rows != threads.rows) return std::nullopt;
    axes.push_back(fmt::format("{} {}along y", threads.rows, axes.empty() ? "threads " : ""));
  }
  return fmt::format("the launch has {}", fmt::join(axes, " and "));
}

std::optional<Region> outside_multiples(const Mask& mask, GridShape corner, Sides sides) {
  const Cut down = cut_of(corner.rows, mask.shape.rows, sides.rows);
  const Cut across = cut_of(corner.columns, mask.shape.columns, sides.columns);
  if (down == Cut::uneven || across == Cut::uneven) return std::nullopt;
  const bool last = down != Cut::early_multiple && across != Cut::early_multiple;
  std::vector<std::string> places;
  std::vector<std::string> sizes;
  RegionLines lines;
  if (down != Cut::none) {
    lines.rows = NumberedLines{corner.rows, mask.shape.rows - 1};
    places.push_back(beyond("row", corner.rows, mask.shape.rows));
    sizes.push_back(fmt::format("{} rows", sides.rows));
  }
  if (across != Cut::none) {
    if (mask.shape.rows > 1) lines.columns = NumberedLines{corner.columns, mask.shape.columns - 1};
    places.push_back(beyond(column_word(mask.shape), corner.columns, mask.shape.columns));
    sizes.push_back(fmt::format("{} {}s", sides.columns, column_word(mask.shape)));
  }
  const std::string_view beyond_last = sides.launched ? kBeyondLastBlock : "beyond the last multiple";
  Region region;
  region.kind = last ? RegionKind::partial_block : RegionKind::past_block;
  region.lines = lines;
  if (last) {
    region.where = fmt::format("{}: {} of {}", fmt::join(places, " and "), beyond_last, fmt::join(sizes, " by "));
  } else {
    region.where = fmt::format("{}: {}", fmt::join(places, " and "),
                               threads_text(mask, corner, sides.threads)
                                   .value_or(fmt::format("past a multiple of {}", fmt::join(sizes, " by "))));
  }
  return region;
}

/// Nearly all of a range, or of the rows from one to another, of which the few others may be right by chance: that they
/// are; empty: it is not so.
std::string nearly_all_of(const Mask& mask) {
  constexpr std::int64_t kFewest = 40, kOthers = 20;  // at most one in so many is right
  const auto first = std::ranges::find(mask.set, true) - mask.set.begin();
  const auto last = std::ranges::find(mask.set.rbegin(), mask.set.rend(), true).base() - mask.set.begin() - 1;
  const std::int64_t count = mask.count(), columns = mask.shape.columns;
  const auto fills = [&](std::int64_t elements) { return count >= kFewest && count >= elements - elements / kOthers; };
  if (fills(std::ssize(mask.set))) return "in nearly all elements";
  const std::int64_t top = first / columns, bottom = last / columns;
  if (mask.shape.rows > 1 && columns > 1 && fills((bottom - top + 1) * columns))
    return top == bottom ? fmt::format("in nearly all elements of row {}", top)
                         : fmt::format("in nearly all elements of rows {} to {}", top, bottom);
  const bool one_axis = mask.shape.rows == 1 || columns == 1;
  return one_axis && fills(last - first + 1) ? fmt::format("in nearly all of elements {} to {}", first, last)
                                             : std::string();
}

}  // namespace

std::int64_t Mask::count() const {
  return std::ranges::count(set, true);
}

Mask mask_of(const Comparison& comparison, Fault kind) {
  Mask mask{comparison.grid(), {}};
  mask.set.reserve(comparison.fault.size());
  for (const Fault fault : comparison.fault) mask.set.push_back(fault == kind);
  return mask;
}

std::optional<Region> whole_array(const Mask& mask) {
  if (mask.set.empty() || mask.count() != static_cast<std::int64_t>(mask.set.size())) return std::nullopt;
  return Region{RegionKind::everywhere, "everywhere"};
}

std::optional<Region> single_element(const Mask& mask) {
  if (mask.count() != 1) return std::nullopt;
  const auto index = static_cast<std::int64_t>(std::ranges::find(mask.set, true) - mask.set.begin());
  const bool last = index + 1 == static_cast<std::int64_t>(mask.set.size());
  const std::string_view which = index == 0 ? "in the first element" : last ? "in the last element" : "in one element";
  return Region{RegionKind::one_element, fmt::format("only {}", which)};
}

std::optional<Region> outside_whole_blocks(const Mask& mask, std::optional<BlockShape> block) {
  const std::optional<GridShape> corner = correct_corner(mask);
  if (!corner || *corner == mask.shape) return std::nullopt;
  if (block) {
    if (auto region = outside_multiples(mask, *corner, {block->rows, block->columns, true, block->threads}))
      return region;
  }
  for (const std::int64_t side : kUsualSides) {
    auto region = outside_multiples(mask, *corner, {side, side, false});
    if (region && region->kind == RegionKind::partial_block) return region;
  }
  return std::nullopt;
}

std::optional<Region> past_threads(const Mask& mask, std::optional<BlockShape> block) {
  const auto threads = block ? block->threads_in_line() : std::nullopt;
  const auto elements = static_cast<std::int64_t>(mask.set.size());
  if (!threads || *threads >= elements) return std::nullopt;
  for (std::int64_t i = 0; i < elements; ++i) {
    if (mask.set[static_cast<std::size_t>(i)] != (i >= *threads)) return std::nullopt;
  }
  std::string where = fmt::format("from element {} on", *threads);
  RegionLines lines;
  if (mask.shape.rows == 1) {
    where = beyond("element", *threads, elements);
  } else if (*threads % mask.shape.columns == 0) {
    where = beyond("row", *threads / mask.shape.columns, mask.shape.rows);
    lines.rows = NumberedLines{*threads / mask.shape.columns, mask.shape.rows - 1};
  }
  return Region{RegionKind::past_threads, fmt::format("{}: the launch has {} threads", where, *threads), lines};
}

std::optional<Region> whole_rows(const Mask& mask) {
  if (mask.shape.rows < 2) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (std::int64_t row = 0; row < mask.shape.rows; ++row) {
    const bool first = mask.at(row, 0);
    for (std::int64_t column = 1; column < mask.shape.columns; ++column) {
      if (mask.at(row, column) != first) return std::nullopt;
    }
    if (first) rows.push_back(row);
  }
  if (rows.empty() || static_cast<std::int64_t>(rows.size()) == mask.shape.rows) return std::nullopt;
  if (mask.shape.columns == 1 && !is_run(rows)) return std::nullopt;
  return Region{
      RegionKind::rows,
      "in " + list_of("row", rows, mask.shape.rows) + ordinal_hint(rows.front(), rows.back(), mask.shape.rows),
      {numbered(rows, mask.shape.rows), {}}};
}

std::optional<Region> whole_columns(const Mask& mask) {
  std::vector<std::int64_t> columns;
  for (std::int64_t column = 0; column < mask.shape.columns; ++column) {
    const bool first = mask.at(0, column);
    for (std::int64_t row = 1; row < mask.shape.rows; ++row) {
      if (mask.at(row, column) != first) return std::nullopt;
    }
    if (first) columns.push_back(column);
  }
  if (columns.empty() || static_cast<std::int64_t>(columns.size()) == mask.shape.columns) return std::nullopt;
  if (mask.shape.rows == 1 && !is_run(columns)) return std::nullopt;
  RegionLines lines;
  if (mask.shape.rows > 1) lines.columns = numbered(columns, mask.shape.columns);
  return Region{RegionKind::columns,
                "in " + list_of(column_word(mask.shape), columns, mask.shape.columns) +
                    ordinal_hint(columns.front(), columns.back(), mask.shape.columns),
                lines};
}

std::optional<Region> one_piece(const Mask& mask) {
  const auto first = std::ranges::find(mask.set, true) - mask.set.begin();
  const auto last = std::ranges::find(mask.set.rbegin(), mask.set.rend(), true).base() - mask.set.begin() - 1;
  const std::int64_t count = mask.count(), columns = mask.shape.columns;
  if (count == 0) return std::nullopt;
  if (last - first + 1 == count) {
    const bool to_the_end = last + 1 == static_cast<std::int64_t>(mask.set.size());
    std::string from = fmt::format("from element {} on", first);
    if (mask.shape.rows > 1) from = fmt::format("from row {}, column {} on", first / columns, first % columns);
    return Region{RegionKind::piece, to_the_end ? fmt::format("in the last {} elements", count)
                                                : fmt::format("in {} elements one behind the other, {}", count, from)};
  }
  const std::int64_t top = first / columns, bottom = last / columns;
  std::int64_t left = columns, right = 0;
  for (std::int64_t column = 0; column < columns; ++column) {
    if (!mask.at(top, column)) continue;
    left = std::min(left, column);
    right = column;
  }
  if (count != (bottom - top + 1) * (right - left + 1)) return std::nullopt;
  for (std::int64_t row = top; row <= bottom; ++row) {
    for (std::int64_t column = left; column <= right; ++column) {
      if (!mask.at(row, column)) return std::nullopt;
    }
  }
  const auto span = [](std::string_view word, std::int64_t from, std::int64_t to) {
    return from == to ? fmt::format("{} {}", word, from) : fmt::format("{}s {} to {}", word, from, to);
  };
  return Region{RegionKind::piece, fmt::format("in {} of {}", span("column", left, right), span("row", top, bottom))};
}

std::optional<RepeatedGap> repeated_gap(const Mask& mask) {
  const auto size = static_cast<std::int64_t>(mask.set.size());
  const auto at = [&](std::int64_t index) { return mask.set[static_cast<std::size_t>(index)]; };
  std::int64_t begin = 0;
  while (begin < size && !at(begin)) ++begin;
  std::int64_t end = begin;
  while (end < size && at(end)) ++end;
  if (begin == 0 || size < 2 * end) return std::nullopt;
  for (std::int64_t index = end; index < size; ++index) {
    if (at(index) != (index % end >= begin)) return std::nullopt;
  }
  return RepeatedGap{end, end - begin};
}

std::optional<EveryFew> every_few(const Mask& mask) {
  constexpr std::int64_t kLargest = 32, kFewest = 8;
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < mask.set.size(); ++i)
    if (mask.set[i]) places.push_back(static_cast<std::int64_t>(i));
  if (std::ssize(places) < kFewest) return std::nullopt;
  for (std::int64_t period = kLargest; period > 1; --period) {
    const std::int64_t place = places.front() % period, among = (places.back() - places.front()) / period + 1;
    const auto is_there = [&](std::int64_t at) { return at % period == place; };
    if (2 * std::ssize(places) >= among && std::ranges::all_of(places, is_there)) return EveryFew{period, place};
  }
  return std::nullopt;
}

Region locate(const Mask& mask, std::optional<BlockShape> block) {
  if (auto region = whole_array(mask)) return *region;
  if (auto region = single_element(mask)) return *region;
  const auto blocks = outside_whole_blocks(mask, block);
  if (blocks && blocks->kind == RegionKind::partial_block) return *blocks;
  if (auto region = past_threads(mask, block)) return *region;
  if (blocks) return *blocks;
  if (auto region = whole_rows(mask)) return *region;
  if (auto region = whole_columns(mask)) return *region;
  if (auto region = one_piece(mask)) return *region;
  if (const auto gap = repeated_gap(mask)) {
    return Region{RegionKind::repeated_gap,
                  gap->missing == 1 ? fmt::format("in the last of every {} elements", gap->period)
                                    : fmt::format("in the last {} of every {} elements", gap->missing, gap->period)};
  }
  if (const auto few = every_few(mask)) {
    return Region{RegionKind::every_few, fmt::format("only in elements whose number leaves {} when it is divided by {}",
                                                     few->place, few->period)};
  }
  const std::string nearly = nearly_all_of(mask);
  return Region{RegionKind::scattered, nearly.empty() ? "in scattered places" : nearly};
}

}  // namespace cudalabs
