// Mistakes of a matrix product that only its inputs can tell: another size in the place of the inner dimension, a
// dropped remainder of it, a product left out at an end, a sum that begins anew or is none, a row read with another
// matrix's width.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/comparison.h"
#include "check/explanations.h"
#include "datasets/dataset.h"

namespace cudalabs {

/// The operands of a case that is a matrix product, as its shapes tell: inputs `a` (m×n) and `b` (n×p), output m×p.
struct Product {
  const datasets::Array* a = nullptr;
  const datasets::Array* b = nullptr;
  std::int64_t m = 0, n = 0, p = 0;
};

/// An element of an operand.
float operand_value(const datasets::Array& array, std::int64_t index);

/// Of the wrong elements those that are looked at: some hundred, spread over the output.
std::vector<std::int64_t> sample_of_wrong(const Comparison& comparison);
/// Likewise, of all elements.
std::vector<std::int64_t> sample_of_all(const Comparison& comparison);

/// Nothing when the case is no single-precision matrix product.
std::optional<Product> product_of(const datasets::Case& test, const Comparison& comparison);

/// Every wrong element is the sum of the first floor(n / tile) * tile products only, for one tile width of 2 to 64:
/// `product_stops_early`, with `terms` of `n`, `missing` of them.
std::optional<Detected> remainder_dropped(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum of as many products as C has rows, or columns, and not of n, or of as many whole
/// tiles as hold these: `product_sums_rows` and `product_sums_columns`, with the size that was `taken` for `n` and the
/// `terms` of the sum. Only of sums that stop early: longer ones read past the operands.
std::optional<Detected> wrong_dimension(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum of all products but the last, or but the first: `product_misses_last` and
/// `product_misses_first`, of `n`.
std::optional<Detected> end_missing(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum of all products but those of the last tile, where n is a whole number of them:
/// `product_misses_last_tile`, with `missing` products of `n`.
std::optional<Detected> last_tile_missing(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum of the products of the last tile only, for one tile width of 2 to 64:
/// `product_sums_last_tile`, with the last `terms` of `n`.
std::optional<Detected> last_tile_only(const Product& product, const Comparison& comparison);

/// Every wrong element is the last of its `n` products: `product_keeps_last`.
std::optional<Detected> last_product_only(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum that the first row of `b` gives for all `n` rows, or the first row of `a` for every
/// row of the output: `product_one_row_of_b` and `product_one_row_of_a`.
std::optional<Detected> row_stays(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum that rows of `a` or of `b` with another of the three sizes as their length would
/// give: `product_row_of_a` and `product_row_of_b`, with the length that was `taken` and the `right` one.
std::optional<Detected> wrong_stride(const Product& product, const Comparison& comparison);
/// Every wrong element is 32 times the sum of the products of the last lane of a warp whose lanes share them, which is
/// what that lane has after `__shfl_down_sync`: `product_of_last_lane`, with the `lane`.
std::optional<Detected> last_lane_only(const Product& product, const Comparison& comparison);
/// Some products that follow each other are in each sum twice, up to a whole number of groups or to the last one: the
/// only such ones that fit.
std::optional<Detected> added_twice(const Product& product, const Comparison& comparison);

}  // namespace cudalabs
