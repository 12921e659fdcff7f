// The naive product's loads by one warp: which memory sectors they touch when x makes the column, and when x makes the
// row.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "figures/figure.h"
#include "figures/svg.h"

namespace cudalabs::figures {
namespace {

constexpr int kBlock = 16, kLanes = 32;  // a warp is two rows of 16 threads of a 16 x 16 block
constexpr int kSide = 48;                // A and B are kSide x kSide, of which the first rows are drawn
constexpr int kRows = 16, kK = 5;        // the step of the inner loop that is shown
constexpr int kFloatsOfSector = 8;       // 32 bytes
static_assert(kSide % kFloatsOfSector == 0, "rows start at sectors");

using Place = std::pair<int, int>;  // row, column of a matrix

struct Touched {
  std::set<Place> values;
  std::set<Place> sectors;  // row, column / kFloatsOfSector

  void add(int row, int column) {
    values.emplace(row, column);
    sectors.emplace(row, column / kFloatsOfSector);
  }
};

struct Loads {
  Touched a, b;
};

Loads loads(bool x_is_column) {
  Loads result;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int x = lane % kBlock, y = lane / kBlock;
    const int row = x_is_column ? y : x, col = x_is_column ? x : y;
    result.a.add(row, kK);
    result.b.add(kK, col);
  }
  return result;
}

constexpr double kCellWidth = 11, kCellHeight = 12;

void matrix(Svg& svg, double left, double top, const std::string& name, const Touched& touched) {
  svg.text(left - 8, top + 14, name, {.size = 28, .anchor = "end", .bold = true});
  for (int row = 0; row < kRows; ++row) {
    for (int sector = 0; sector < kSide / kFloatsOfSector; ++sector) {
      const bool hit = touched.sectors.contains({row, sector});
      const double x = left + sector * kFloatsOfSector * kCellWidth, y = top + row * kCellHeight;
      svg.rectangle(x, y, kFloatsOfSector * kCellWidth - 2, kCellHeight - 2, hit ? color::kIdle : color::kPaper,
                    hit ? color::kAccent : color::kFaint, hit ? 1.5 : 0.6);
      for (int i = 0; i < kFloatsOfSector; ++i) {
        if (touched.values.contains({row, sector * kFloatsOfSector + i})) {
          svg.rectangle(x + i * kCellWidth, y, kCellWidth - 2, kCellHeight - 2, color::kBusy);
        }
      }
    }
  }
  svg.text(left, top + kRows * kCellHeight + 18,
           fmt::format("{} values in {} {}", touched.values.size(), touched.sectors.size(),
                       touched.sectors.size() == 1 ? "sector" : "sectors"),
           {.size = 23, .anchor = "start"});
}

void panel(Svg& svg, double left, const std::string& title, const Loads& of) {
  svg.text(left, 26, title, {.size = 27, .anchor = "start", .bold = true});
  matrix(svg, left, 60, "A", of.a);
  matrix(svg, left, 304, "B", of.b);
  svg.text(left, 556, fmt::format("{} sectors a step", of.a.sectors.size() + of.b.sectors.size()),
           {.size = 29, .anchor = "start", .fill = color::kAccent, .bold = true});
}

std::string draw() {
  const Loads usual = loads(true), swapped = loads(false);
  constexpr double kPanel = kSide * kCellWidth + 96;
  Svg svg(2 * kPanel, 622, "Sectors that one warp of the naive product touches",
          fmt::format("One step of the inner loop, a warp of a {0} x {0} block. With x as the column it reads {1} "
                      "sectors of A and {2} of B; with x as the row {3} and {4}.",
                      kBlock, usual.a.sectors.size(), usual.b.sectors.size(), swapped.a.sectors.size(),
                      swapped.b.sectors.size()));
  panel(svg, 40, "x makes the column", usual);
  panel(svg, 40 + kPanel, "x makes the row", swapped);
  svg.rectangle(40, 592, kFloatsOfSector * kCellWidth, 20, color::kIdle, color::kAccent, 1.5);
  svg.text(40 + kFloatsOfSector * kCellWidth + 14, 602, "a sector: 32 bytes, moved as a whole",
           {.size = 23, .anchor = "start"});
  svg.rectangle(40 + kPanel, 592, 20, 20, color::kBusy);
  svg.text(40 + kPanel + 34, 602, "a value that some lane asked for", {.size = 23, .anchor = "start"});
  return svg.str();
}

const RegisterFigure kFigure("warp_sectors", &draw);

}  // namespace
}  // namespace cudalabs::figures
