#include "patch/partner_names.h"

#include <catch2/catch.hpp>

namespace cudalabs::patch::test {

TEST_CASE("names that differ by one part of a pair are partners") {
  CHECK(are_partner_names("TILE_W", "TILE_H"));
  CHECK(are_partner_names("TILE_HEIGHT", "TILE_WIDTH"));
  CHECK(are_partner_names("tileWidth", "tileHeight"));
  CHECK(are_partner_names("block_x", "block_y"));
  CHECK(are_partner_names("ROWS_PER_BLOCK", "COLS_PER_BLOCK"));
  CHECK(are_partner_names("kTileRows", "kTileColumns"));
  CHECK(are_partner_names("BM", "BN"));
  CHECK(are_partner_names("M", "N"));
}

TEST_CASE("others are not") {
  CHECK_FALSE(are_partner_names("TILE_W", "TILE_W"));
  CHECK_FALSE(are_partner_names("TILE_W", "BLOCK_H"));
  CHECK_FALSE(are_partner_names("TILE_A", "TILE_B"));
  CHECK_FALSE(are_partner_names("TILE", "TILE_H"));
  CHECK_FALSE(are_partner_names("ROWS_X", "COLS_Y"));
  CHECK_FALSE(are_partner_names("width", "weight"));
  CHECK_FALSE(are_partner_names("form", "forn"));
  CHECK_FALSE(are_partner_names("", "H"));
  CHECK_FALSE(are_partner_names("_", "__"));
}

}  // namespace cudalabs::patch::test
