// What the tiles of a product would hold, computed from its operands.
#include "check/detectors/tile_pattern.h"

#include <algorithm>
#include <array>
#include <set>

#include "check/tolerance.h"

namespace cudalabs {
namespace {

constexpr std::array<std::int64_t, 4> kTileWidths{16, 32, 8, 4};

double value_of_a(const Product& product, std::int64_t row, std::int64_t k) {
  return row < product.m && k < product.n ? operand_value(*product.a, row * product.n + k) : 0.0;
}

double value_of_b(const Product& product, std::int64_t k, std::int64_t column) {
  return k < product.n && column < product.p ? operand_value(*product.b, k * product.p + column) : 0.0;
}

/// `sum(row, column)` is what each wrong element is, and there are enough of them.
template <typename Sum>
bool sums_explain(const Product& product, const Comparison& comparison, const std::vector<std::int64_t>& sample,
                  const Sum& sum) {
  const bool all = std::ranges::all_of(sample, [&](std::int64_t index) {
    const Element element = comparison.at(index);
    return within(element.got, sum(index / product.p, index % product.p), element.bound);
  });
  return all && static_cast<std::int64_t>(sample.size()) >= kEnough;
}

/// The number of the first products that the element is the sum of; nothing: it is none.
std::optional<std::int64_t> terms_of(const Product& product, const Element& element, std::int64_t row,
                                     std::int64_t column) {
  double sum = 0;
  for (std::int64_t k = 0; k < product.n; ++k) {
    if (within(element.got, sum, element.bound)) return k;
    sum += value_of_a(product, row, k) * value_of_b(product, k, column);
  }
  return std::nullopt;
}

std::optional<Detected> detect_tiles(const Comparison& comparison, const datasets::Case& test,
                                     std::optional<BlockShape>) {
  const auto product = product_of(test, comparison);
  if (!product) return std::nullopt;
  if (auto transposed = tile_transposed(*product, comparison)) return transposed;
  if (auto kept = old_tile_kept(*product, comparison)) return kept;
  return stops_at_data(*product, comparison);
}

using vgpu::OriginKind;

const CauseLine kFillFromA{CauseLine::Kind::origin, OriginKind::fill, "a"},
    kFillFromB{CauseLine::Kind::origin, OriginKind::fill, "b"},
    kPartialFill{CauseLine::Kind::origin, OriginKind::partial_fill},
    kEarlyExit{CauseLine::Kind::origin, OriginKind::early_exit};

const RegisterDetector kTiles({{"product_tile_of_a_transposed", {}, {kFillFromA}},
                               {"product_tile_of_b_transposed", {}, {kFillFromB}},
                               {"product_keeps_old_tile", {"more", "n"}, {kPartialFill, kFillFromA}},
                               {"product_stops_at_data", {"n"}, {kEarlyExit}}},
                              detect_tiles);

}  // namespace

std::optional<Detected> tile_transposed(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  for (const std::int64_t tile : kTileWidths) {
    const auto explains = [&](bool of_a, bool of_b) {
      return sums_explain(product, comparison, sample, [&](std::int64_t row, std::int64_t column) {
        const std::int64_t y = row % tile, x = column % tile;
        double sum = 0;
        for (std::int64_t k = 0; k < (product.n + tile - 1) / tile * tile; ++k) {
          const std::int64_t phase = k / tile * tile, in_tile = k % tile;
          const double a = of_a ? value_of_a(product, row - y + in_tile, phase + y) : value_of_a(product, row, k);
          const double b = of_b ? value_of_b(product, phase + x, column - x + in_tile) : value_of_b(product, k, column);
          sum += a * b;
        }
        return sum;
      });
    };
    if (explains(false, true)) return Detected{"product_tile_of_b_transposed"};
    if (explains(true, false)) return Detected{"product_tile_of_a_transposed"};
  }
  return std::nullopt;
}

std::optional<Detected> old_tile_kept(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  for (const std::int64_t tile : kTileWidths) {
    const std::int64_t end = (product.n + tile - 1) / tile * tile;
    if (end == product.n || product.n < tile) continue;
    const bool explained = sums_explain(product, comparison, sample, [&](std::int64_t row, std::int64_t column) {
      double sum = 0;
      for (std::int64_t k = 0; k < end; ++k) {
        const std::int64_t held = k < product.n ? k : k - tile;
        sum += value_of_a(product, row, held) * value_of_b(product, held, column);
      }
      return sum;
    });
    if (explained) return Detected{"product_keeps_old_tile", {{"more", end - product.n}, {"n", product.n}}};
  }
  return std::nullopt;
}

std::optional<Detected> stops_at_data(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  std::set<std::int64_t> ends;
  std::int64_t some = 0;  // that are not just 0
  for (const std::int64_t index : sample) {
    const auto terms = terms_of(product, comparison.at(index), index / product.p, index % product.p);
    if (!terms) return std::nullopt;
    ends.insert(*terms);
    some += *terms > 0 ? 1 : 0;
  }
  if (ends.size() < 2 || some < kEnough) return std::nullopt;
  // Sums of fewer products may be the same by chance.
  const bool alike = sums_explain(product, comparison, sample, [&](std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t k = 0; k < *ends.rbegin(); ++k)
      sum += value_of_a(product, row, k) * value_of_b(product, k, column);
    return sum;
  });
  if (alike) return std::nullopt;
  return Detected{"product_stops_at_data", {{"n", product.n}}};
}

}  // namespace cudalabs
