// Mistakes of a tiled matrix product, and of a sum that ends at data, that only its inputs can tell.
#pragma once

#include <optional>

#include "check/detectors/product_pattern.h"

namespace cudalabs {

/// Every wrong element is what the tiles of `a`, or of `b`, give with their rows and columns exchanged, for one tile
/// width: `product_tile_of_a_transposed` and `product_tile_of_b_transposed`.
std::optional<Detected> tile_transposed(const Product& product, const Comparison& comparison);

/// Every wrong element has `more` products, of what the tiles held one phase before where they reach past the inner
/// dimension, for one tile width: `product_keeps_old_tile`, of `n`.
std::optional<Detected> old_tile_kept(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum of its first products, and not of the same number of them: `product_stops_at_data`,
/// of `n`.
std::optional<Detected> stops_at_data(const Product& product, const Comparison& comparison);

}  // namespace cudalabs
