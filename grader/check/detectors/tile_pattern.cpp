// What the tiles of a product would hold, computed from its operands.
#include "check/detectors/tile_pattern.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "check/tolerance.h"

namespace cudalabs {
namespace {

constexpr std::array<std::int64_t, 4> kTileWidths{16, 32, 8, 4};
/// Longer ones take time, and show nothing else.
constexpr std::int64_t kLongestSum = 4096;

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

/// What a subscript of a tile is: the thread's row or column in its block, or the counter of the loop that sums.
enum class Subscript : std::uint8_t { y, x, k };

struct Place {
  Subscript first, second;

  bool operator==(const Place&) const = default;
};
constexpr Place kRightOfA{Subscript::y, Subscript::k}, kRightOfB{Subscript::k, Subscript::x};

/// The places of the tiles that a thread multiplies.
struct TileUse {
  Place a, b;

  /// What fills a tile knows nothing of the thread that reads it: its row has no part in the place of the tile of `b`,
  /// nor its column in that of `a`. Where both tiles are wrong, it is where both are read.
  std::string_view name() const {
    if (a != kRightOfA && b != kRightOfB) return "product_tiles_read";
    if (b == kRightOfB) {
      if (a == Place{Subscript::k, Subscript::y}) return "product_tile_of_a_transposed";
      return has(a, Subscript::x) ? "product_tile_of_a_read" : "product_tile_of_a_filled";
    }
    if (b == Place{Subscript::x, Subscript::k}) return "product_tile_of_b_transposed";
    return has(b, Subscript::y) ? "product_tile_of_b_read" : "product_tile_of_b_filled";
  }

 private:
  static bool has(const Place& place, Subscript subscript) {
    return place.first == subscript || place.second == subscript;
  }
};

/// All but the right one. Those with one mistake come first.
std::vector<TileUse> mistaken_uses() {
  constexpr std::array kSubscripts{Subscript::y, Subscript::x, Subscript::k};
  std::vector<Place> places;
  for (const Subscript first : kSubscripts)
    for (const Subscript second : kSubscripts) places.push_back({first, second});
  std::vector<TileUse> uses;
  for (const Place& place : places) {
    if (place != kRightOfB) uses.push_back({kRightOfA, place});
    if (place != kRightOfA) uses.push_back({place, kRightOfB});
  }
  for (const Place& a : places)
    for (const Place& b : places)
      if (a != kRightOfA && b != kRightOfB) uses.push_back({a, b});
  return uses;
}

const std::vector<TileUse> kTileUses = mistaken_uses();

/// Of the tiles' places outside the operands, which hold 0.
double sum_of_tiles(const Product& product, const TileUse& use, std::int64_t tile, std::int64_t row,
                    std::int64_t column) {
  const std::int64_t y = row % tile, x = column % tile;
  double sum = 0;
  for (std::int64_t phase = 0; phase < product.n; phase += tile) {
    for (std::int64_t k = 0; k < tile; ++k) {
      const auto of = [&](Subscript subscript) {
        return subscript == Subscript::y ? y : subscript == Subscript::x ? x : k;
      };
      sum += value_of_a(product, row - y + of(use.a.first), phase + of(use.a.second)) *
             value_of_b(product, phase + of(use.b.first), column - x + of(use.b.second));
    }
  }
  return sum;
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

/// No wrong element of the output is clearly another number than what tiles of that width give that are used in such a
/// way.
bool allows(const CaseOutput& output, std::string_view name, std::int64_t tile) {
  const Comparison& comparison = *output.comparison;
  const auto product = product_of(*output.test, comparison);
  if (!product || product->n > kLongestSum) return true;
  // Bounds are those of the right sums: other ones may be rounded more.
  constexpr double kClearly = 16;
  const auto largest = std::ranges::max_element(comparison.bound);
  const double bound = largest == comparison.bound.end() ? 0 : kClearly * *largest;
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  return std::ranges::any_of(kTileUses, [&](const TileUse& use) {
    return use.name() == name && std::ranges::all_of(sample, [&](std::int64_t index) {
             return within(comparison.got[static_cast<std::size_t>(index)],
                           sum_of_tiles(*product, use, tile, index / product->p, index % product->p), bound);
           });
  });
}

/// At an edge, where most of a tile is 0, several mistakes come to the same values.
bool tiles_agree(std::string_view name, std::span<const CaseOutput> outputs) {
  const bool is_use = std::ranges::any_of(kTileUses, [&](const TileUse& use) { return use.name() == name; });
  return !is_use || std::ranges::any_of(kTileWidths, [&](std::int64_t tile) {
    return std::ranges::all_of(outputs, [&](const CaseOutput& output) { return allows(output, name, tile); });
  });
}

std::optional<Detected> detect_tiles(const Comparison& comparison, const datasets::Case& test,
                                     std::optional<BlockShape>) {
  const auto product = product_of(test, comparison);
  if (!product) return std::nullopt;
  if (auto mistaken = tile_index_mistaken(*product, comparison)) return mistaken;
  if (auto kept = old_tile_kept(*product, comparison)) return kept;
  if (auto again = first_tile_again(*product, comparison)) return again;
  return stops_at_data(*product, comparison);
}

using vgpu::OriginKind;

const CauseLine kFillFromA{CauseLine::Kind::origin, OriginKind::fill, "a"},
    kFillFromB{CauseLine::Kind::origin, OriginKind::fill, "b"},
    kReadOfA{CauseLine::Kind::origin, OriginKind::fill_read, "a"},
    kReadOfB{CauseLine::Kind::origin, OriginKind::fill_read, "b"},
    kPartialFill{CauseLine::Kind::origin, OriginKind::partial_fill},
    kEarlyExit{CauseLine::Kind::origin, OriginKind::early_exit};

const RegisterDetector kTileMistakes({{"product_tile_of_a_transposed", {}, {kFillFromA}},
                                      {"product_tile_of_b_transposed", {}, {kFillFromB}},
                                      {"product_tile_of_a_filled", {}, {kFillFromA}},
                                      {"product_tile_of_b_filled", {}, {kFillFromB}},
                                      {"product_tile_of_a_read", {}, {kReadOfA}},
                                      {"product_tile_of_b_read", {}, {kReadOfB}},
                                      {"product_tiles_read", {}, {kReadOfA}},
                                      {"product_keeps_old_tile", {"more", "n"}, {kPartialFill, kFillFromA}},
                                      {"product_first_tile_of_a", {}, {kFillFromA}},
                                      {"product_first_tile_of_b", {}, {kFillFromB}},
                                      {"product_first_tiles", {}, {kFillFromA}},
                                      {"product_stops_at_data", {"n"}, {kEarlyExit}}},
                                     detect_tiles, tiles_agree);

}  // namespace

std::optional<Detected> tile_index_mistaken(const Product& product, const Comparison& comparison) {
  if (product.n > kLongestSum) return std::nullopt;
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  std::optional<Detected> found;
  for (const std::int64_t tile : kTileWidths) {
    for (const TileUse& use : kTileUses) {
      const bool explained = sums_explain(product, comparison, sample, [&](std::int64_t row, std::int64_t column) {
        return sum_of_tiles(product, use, tile, row, column);
      });
      if (!explained) continue;
      if (found && found->name != use.name()) found->sure = false;
      if (!found) found = Detected{use.name()};
    }
    if (found) return found;
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

std::optional<Detected> first_tile_again(const Product& product, const Comparison& comparison) {
  struct Load {
    std::string_view name;
    bool a_again, b_again, holds_zeros;  // where the phase would reach past the inner dimension
  };
  constexpr std::array<Load, 4> kLoads{{{"product_first_tiles", true, true, false},
                                        {"product_first_tiles", true, true, true},
                                        {"product_first_tile_of_a", true, false, true},
                                        {"product_first_tile_of_b", false, true, true}}};
  if (product.n > kLongestSum) return std::nullopt;
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  for (const std::int64_t tile : kTileWidths) {
    if (product.n <= tile) continue;
    for (const Load& load : kLoads) {
      const bool explained = sums_explain(product, comparison, sample, [&](std::int64_t row, std::int64_t column) {
        double sum = 0;
        for (std::int64_t phase = 0; phase < product.n; phase += tile) {
          const std::int64_t width = load.holds_zeros ? std::min(tile, product.n - phase) : tile;
          for (std::int64_t k = 0; k < width; ++k) {
            sum += value_of_a(product, row, load.a_again ? k : phase + k) *
                   value_of_b(product, load.b_again ? k : phase + k, column);
          }
        }
        return sum;
      });
      if (explained) return Detected{load.name};
    }
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
