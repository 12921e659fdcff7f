// The naive product: one thread reads a row of A and a column of B and writes one element of C.
#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kM = 5, kN = 6, kP = 8, kRow = 2, kCol = 5;
constexpr double kCell = 40;

void matrix(Svg& svg, double left, double top, int rows, int cols, int row, int col, std::string_view name,
            std::string_view highlight) {
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < cols; ++x) {
      const bool lit = (row < 0 || y == row) && (col < 0 || x == col);
      svg.rectangle(left + x * kCell, top + y * kCell, kCell - 3, kCell - 3, lit ? highlight : color::kPaper,
                    lit ? color::kInk : color::kFaint);
    }
  }
  svg.text(left - 24, top + 18, name, {.size = 30, .bold = true});
}

std::string draw() {
  const double left_c = 90 + kN * kCell + 60, top_c = 60 + kN * kCell + 50;
  Svg svg(left_c + kP * kCell + 30, top_c + kM * kCell + 90, "The naive matrix product",
          "Element (row, col) of C needs row `row` of A, which is m x n, and column `col` of B, which is n x p.");
  matrix(svg, 90, top_c, kM, kN, kRow, -1, "A", color::kBusyLight);
  matrix(svg, left_c, 60, kN, kP, -1, kCol, "B", color::kGoodLight);
  matrix(svg, left_c, top_c, kM, kP, kRow, kCol, "C", color::kIdle);
  const double y = top_c + kRow * kCell + kCell / 2, x = left_c + kCol * kCell + kCell / 2 - 1;
  svg.arrow(90 + kN * kCell + 4, y, x - kCell / 2, y, color::kBusy, 3);
  svg.arrow(x, 60 + kN * kCell + 4, x, y - kCell / 2, color::kGood, 3);
  svg.text(90 + kN * kCell / 2, top_c + kM * kCell + 26, "m x n, read along a row", {.size = 24});
  svg.text(left_c + kP * kCell / 2, 34, "n x p, read down a column", {.size = 24});
  svg.text(left_c + kP * kCell / 2, top_c + kM * kCell + 26, "m x p, written once", {.size = 24});
  svg.text((90 + left_c + kP * kCell) / 2, top_c + kM * kCell + 62,
           "c[row * p + col] += a[row * n + k] * b[k * p + col]", {.size = 22, .monospace = true});
  return svg.str();
}

const RegisterFigure kFigure("matrix_product", &draw);

}  // namespace
}  // namespace cudalabs::figures
