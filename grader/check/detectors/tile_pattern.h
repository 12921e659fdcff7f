// Mistakes of a tiled matrix product, and of a sum that ends at data, that only its inputs can tell.
#pragma once

#include <optional>

#include "check/detectors/product_pattern.h"

namespace cudalabs {

/// Every wrong element is what the tiles give, for one tile width, when another place of them is used than row y and
/// counter k of that of `a`, and counter k and column x of that of `b`. With rows and columns exchanged:
/// `product_tile_of_a_transposed`, or `_b_`. As only the sum can have it: `product_tile_of_a_read`, or `_b_`, of both
/// `product_tiles_read`. Else `product_tile_of_a_filled`, or `_b_`.
std::optional<Detected> tile_index_mistaken(const Product& product, const Comparison& comparison);

/// Every wrong element has `more` products, of what the tiles held one phase before where they reach past the inner
/// dimension, for one tile width: `product_keeps_old_tile`, of `n`.
std::optional<Detected> old_tile_kept(const Product& product, const Comparison& comparison);

/// Every wrong element is what comes out when each phase loads the first tile of `a` again, for one tile width:
/// `product_first_tile_of_a`; of `b`: `product_first_tile_of_b`; of both: `product_first_tiles`.
std::optional<Detected> first_tile_again(const Product& product, const Comparison& comparison);

/// Every wrong element is the sum of its first products, and not of the same number of them: `product_stops_at_data`,
/// of `n`.
std::optional<Detected> stops_at_data(const Product& product, const Comparison& comparison);

}  // namespace cudalabs
