// By the first element of a row its reference is looked up; the others confirm it.
#include "check/misplaced_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "check/tolerance.h"

namespace cudalabs {
namespace {

constexpr std::int64_t kShortest = 4, kMostLines = 1024;

/// The rows of an output, or its columns.
class Lines {
 public:
  Lines(const Comparison& comparison, bool columns) : comparison_(comparison), columns_(columns) {
    const GridShape shape = comparison.grid();
    width_ = shape.columns;
    count = columns ? shape.columns : shape.rows;
    length = columns ? shape.rows : shape.columns;
  }

  std::int64_t count = 0, length = 0;

  bool is_wrong(std::int64_t line) const {
    return any([&](std::int64_t i) { return comparison_.fault[at(line, i)] == Fault::wrong; });
  }
  bool is_zero(std::int64_t line) const {
    return !any([&](std::int64_t i) { return comparison_.got[at(line, i)] != 0; });
  }
  /// The line holds what belongs into the other one.
  bool holds(std::int64_t line, std::int64_t other) const {
    return !any([&](std::int64_t i) {
      const std::size_t there = at(other, i);
      return !within(comparison_.got[at(line, i)], comparison_.expected[there], comparison_.bound[there]);
    });
  }

 private:
  std::size_t at(std::int64_t line, std::int64_t i) const {
    return static_cast<std::size_t>(columns_ ? i * width_ + line : line * width_ + i);
  }
  template <typename Wanted>
  bool any(const Wanted& wanted) const {
    for (std::int64_t i = 0; i < length; ++i)
      if (wanted(i)) return true;
    return false;
  }

  const Comparison& comparison_;
  bool columns_;
  std::int64_t width_ = 0;
};

/// A line, and the one whose values it holds.
struct Exchange {
  std::int64_t line = 0, source = 0;
  bool zeros = false;  // there are lines of zeros as well
};

/// The only line whose values that one holds.
std::optional<std::int64_t> source_of(const Lines& lines, std::int64_t line) {
  std::optional<std::int64_t> source;
  for (std::int64_t other = 0; other < lines.count; ++other) {
    if (!lines.holds(line, other)) continue;
    if (source) return std::nullopt;
    source = other;
  }
  return source;
}

bool may_be_told_apart(const Lines& lines) {
  return lines.count >= 2 && lines.count <= kMostLines && lines.length >= kShortest;
}

/// The first exchange, where all wrong lines are such; most of them hold another line's values.
std::optional<Exchange> exchange_of(const Lines& lines) {
  if (!may_be_told_apart(lines)) return std::nullopt;
  std::optional<Exchange> first;
  std::int64_t exchanged = 0, zeros = 0;
  for (std::int64_t line = 0; line < lines.count; ++line) {
    if (!lines.is_wrong(line)) continue;
    if (lines.is_zero(line)) {
      ++zeros;
      continue;
    }
    const auto source = source_of(lines, line);
    if (!source) return std::nullopt;
    ++exchanged;
    if (!first) first = {line, *source};
  }
  if (exchanged < 2 || exchanged < zeros) return std::nullopt;
  first->zeros = zeros > 0;
  return first;
}

}  // namespace

std::optional<ValuePattern> misplaced_rows(const Comparison& comparison) {
  if (comparison.shape.size() != 2) return std::nullopt;
  for (const auto& [columns, name] : {std::pair(false, "row"), std::pair(true, "column")}) {
    const auto exchange = exchange_of(Lines(comparison, columns));
    if (!exchange) continue;
    return ValuePattern{
        ValueKind::misplaced,
        fmt::format("each wrong {0} holds another {0}'s values{1}: {0} {2} those of {0} {3}", name,
                    exchange->zeros ? ", or 0" : "", exchange->line, exchange->source),
        fmt::format("the {0}s are right, but stand in other places: the line that reads and the one that stores must "
                    "compute the number of the {0} in the same way, in each step of a thread",
                    name)};
  }
  return std::nullopt;
}

std::vector<RowSource> sources_of_rows(const Comparison& comparison) {
  std::vector<RowSource> sources;
  const Lines rows(comparison, false);
  if (comparison.shape.size() != 2 || !may_be_told_apart(rows)) return sources;
  for (std::int64_t row = 0; row < rows.count; ++row) {
    if (!rows.is_wrong(row)) continue;
    const auto source = source_of(rows, row);
    if (!source) return {};
    sources.push_back({row, *source});
  }
  return sources;
}

}  // namespace cudalabs
