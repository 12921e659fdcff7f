// Sums that stop as if another size was the inner dimension.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "check/detectors/product_pattern.h"
#include "check/detectors/product_walk.h"

namespace cudalabs {
namespace {

constexpr std::string_view kRows = "product_sums_rows", kColumns = "product_sums_columns";
/// Exactly so many products, or as many whole tiles as they need.
constexpr std::array<std::int64_t, 7> kTiles{1, 32, 16, 64, 8, 4, 2};

std::int64_t in_whole_tiles(std::int64_t size, std::int64_t tile) {
  return (size + tile - 1) / tile * tile;
}

/// The output, right or wrong, is not what a kernel computes that takes the size for the inner dimension. Longer sums
/// read past the operands, or add the zeros there: of these nothing is known.
bool contradicts(const CaseOutput& output, std::string_view name, std::int64_t tile) {
  const Comparison& comparison = *output.comparison;
  const auto product = product_of(*output.test, comparison);
  if (!product) return false;
  const std::int64_t terms = in_whole_tiles(name == kRows ? product->m : product->p, tile);
  if (terms > product->n) return false;
  const bool wrong = comparison.count(Fault::wrong) > 0;
  const std::vector<std::int64_t> sample = wrong ? sample_of_wrong(comparison) : sample_of_all(comparison);
  return !confirmed_by(*product, {terms, product->n, product->p}, comparison, sample);
}

bool agrees(std::string_view name, std::span<const CaseOutput> outputs) {
  return std::ranges::any_of(kTiles, [&](std::int64_t tile) {
    return std::ranges::none_of(outputs, [&](const CaseOutput& output) { return contradicts(output, name, tile); });
  });
}

std::optional<Detected> detect_dimension(const Comparison& comparison, const datasets::Case& test,
                                         std::optional<BlockShape>) {
  const auto product = product_of(test, comparison);
  // What a dropped remainder explains as well is that detector's.
  if (!product || remainder_dropped(*product, comparison)) return std::nullopt;
  return wrong_dimension(*product, comparison);
}

using vgpu::OriginKind;

const CauseLine kEndOfLoop{CauseLine::Kind::origin, OriginKind::loop_end},
    kAnyLoop{CauseLine::Kind::origin, OriginKind::loop};

const RegisterDetector kDimension({{kRows, {"terms", "taken", "n"}, {kEndOfLoop, kAnyLoop}},
                                   {kColumns, {"terms", "taken", "n"}, {kEndOfLoop, kAnyLoop}}},
                                  detect_dimension, agrees);

}  // namespace

std::optional<Detected> wrong_dimension(const Product& product, const Comparison& comparison) {
  const std::vector<std::int64_t> sample = sample_of_wrong(comparison);
  const std::pair<std::string_view, std::int64_t> others[] = {{kRows, product.m}, {kColumns, product.p}};
  for (const std::int64_t tile : kTiles) {
    for (const auto& [name, taken] : others) {
      const std::int64_t terms = in_whole_tiles(taken, tile);
      if (terms >= product.n || !walk_explains(product, {terms, product.n, product.p}, comparison, sample)) continue;
      // As many tiles may hold either.
      const auto as_well = [&](std::int64_t other) { return in_whole_tiles(other, tile) == terms; };
      return Detected{
          name, {{"terms", terms}, {"taken", taken}, {"n", product.n}}, !as_well(product.m) || !as_well(product.p)};
    }
  }
  return std::nullopt;
}

}  // namespace cudalabs
