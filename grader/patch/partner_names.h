// Names of two that belong together and are easily taken for one another: a width and a height, rows and columns.
#pragma once

#include <string_view>

namespace cudalabs::patch {

/// "TILE_W" and "TILE_H", "tileWidth" and "tileHeight", "ROWS_A" and "COLS_A", "BM" and "BN": all of one word alike,
/// but for one part that is one of such a pair in both.
bool are_partner_names(std::string_view left, std::string_view right);

}  // namespace cudalabs::patch
