// The tiled product: which tiles of A and B a block holds in shared memory in each phase.
#include <fmt/format.h>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kTile = 4, kM = 8, kN = 10, kP = 8;  // n is no multiple of the tile: the last phase is partial
constexpr int kPhases = (kN + kTile - 1) / kTile;
constexpr int kBlockRow = 1, kBlockCol = 0;
constexpr double kCell = 26;

/// Cells of one matrix; those of the tile at (tile_row, tile_col) are lit, what lies past the edge is zero-filled.
void matrix(Svg& svg, double left, double top, int rows, int cols, int tile_row, int tile_col,
            std::string_view highlight) {
  const auto in_tile = [&](int y, int x) { return y / kTile == tile_row && x / kTile == tile_col; };
  for (int y = 0; y < (rows + kTile - 1) / kTile * kTile; ++y) {
    for (int x = 0; x < (cols + kTile - 1) / kTile * kTile; ++x) {
      const bool inside = y < rows && x < cols;
      if (!inside && !in_tile(y, x)) continue;
      svg.rectangle(left + x * kCell, top + y * kCell, kCell - 2, kCell - 2,
                    !inside         ? color::kIdle
                    : in_tile(y, x) ? highlight
                                    : color::kPaper,
                    inside ? color::kFaint : color::kAccent);
    }
  }
  svg.rectangle(left + tile_col * kTile * kCell - 2, top + tile_row * kTile * kCell - 2, kTile * kCell + 2,
                kTile * kCell + 2, "none", color::kInk, 2.5);
}

std::string draw() {
  constexpr double kPanel = 300, kTop = 90;
  Svg svg(60 + kPhases * 2 * kPanel, 600, "Tiles of the tiled product, phase by phase",
          fmt::format("In each of {} phases a block loads one tile of A and one of B; past the edge the tile holds "
                      "zeros.",
                      kPhases));
  for (int phase = 0; phase < kPhases; ++phase) {
    const double left = 40 + phase * 2 * kPanel;
    svg.text(left + kPanel - 20, 32, fmt::format("phase {}", phase), {.size = 34, .bold = true});
    svg.text(left + 10, kTop - 14, "A", {.size = 30, .bold = true});
    matrix(svg, left, kTop, kM, kN, kBlockRow, phase, color::kBusyLight);
    svg.text(left + kPanel + 30, kTop - 14, "B", {.size = 30, .bold = true});
    matrix(svg, left + kPanel + 20, kTop, kN, kP, phase, kBlockCol, color::kGoodLight);
    if (phase > 0) svg.line(left - 22, 20, left - 22, 580, color::kFaint, 1.5, true);
    svg.text(left + kPanel - 20, 440, "load  >  __syncthreads()", {.size = 30, .monospace = true});
    svg.text(left + kPanel - 20, 484, fmt::format("use each value {} times", kTile), {.size = 30});
    if (phase == kPhases - 1) {
      svg.text(left + kPanel - 20, 570, "zeros where the tile has no data", {.size = 30, .fill = color::kAccent});
    }
    svg.text(left + kPanel - 20, 528, "__syncthreads()  >  next", {.size = 30, .monospace = true});
  }
  return svg.str();
}

const RegisterFigure kFigure("tiles_by_phase", &draw);

}  // namespace
}  // namespace cudalabs::figures
