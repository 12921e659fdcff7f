// Describing where faults lie: each detector with masks it must name and masks it must refuse.
#include "check/region.h"

#include "catch.h"

using namespace cudalabs;

namespace {

Mask mask(std::int64_t rows, std::int64_t columns, const std::function<bool(std::int64_t, std::int64_t)>& faulty) {
  Mask made{{rows, columns}, {}};
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) made.set.push_back(faulty(row, column));
  }
  return made;
}

/// The same mask with one element turned over: no detector of exact shapes may still see the shape.
Mask with_flaw(Mask made, std::int64_t row, std::int64_t column) {
  const auto index = static_cast<std::size_t>(row * made.shape.columns + column);
  made.set[index] = !made.set[index];
  return made;
}

}  // namespace

TEST_CASE("all elements are everywhere, all but one are not") {
  const Mask all = mask(4, 6, [](auto, auto) { return true; });
  CHECK(whole_array(all));
  CHECK_FALSE(whole_array(with_flaw(all, 2, 3)));
  CHECK(locate(all, std::nullopt).kind == RegionKind::everywhere);
}

TEST_CASE("one element is named by its place") {
  CHECK(single_element(mask(4, 6, [](auto row, auto column) { return row == 3 && column == 5; }))->where ==
        "only in the last element");
  CHECK(single_element(mask(4, 6, [](auto row, auto column) { return row == 0 && column == 0; }))->where ==
        "only in the first element");
  CHECK(single_element(mask(4, 6, [](auto row, auto column) { return row == 1 && column == 2; }))->where ==
        "only in one element");
  CHECK_FALSE(single_element(mask(4, 6, [](auto row, auto) { return row == 1; })));
}

TEST_CASE("rows beyond the last whole block are the partial block") {
  const Mask partial = mask(33, 20, [](auto row, auto) { return row >= 32; });
  const auto region = outside_whole_blocks(partial, BlockShape{16, 16});
  REQUIRE(region);
  CHECK(region->kind == RegionKind::partial_block);
  CHECK(region->where == "in row 32: beyond the last whole block of 16 rows");
  CHECK(region->lines == RegionLines{NumberedLines{32, 32}, {}});
  CHECK_FALSE(outside_whole_blocks(with_flaw(partial, 32, 4), BlockShape{16, 16}));
  CHECK_FALSE(outside_whole_blocks(with_flaw(partial, 3, 4), BlockShape{16, 16}));
}

TEST_CASE("columns beyond the last whole block are the partial block") {
  const Mask partial = mask(20, 37, [](auto, auto column) { return column >= 32; });
  CHECK(outside_whole_blocks(partial, BlockShape{8, 32})->where ==
        "in columns 32 to 36: beyond the last whole block of 32 columns");
}

TEST_CASE("both edges together are one region") {
  const Mask partial = mask(33, 37, [](auto row, auto column) { return row >= 32 || column >= 32; });
  const auto region = outside_whole_blocks(partial, BlockShape{16, 16});
  REQUIRE(region);
  CHECK(region->kind == RegionKind::partial_block);
  CHECK(region->where == "in row 32 and in columns 32 to 36: beyond the last whole block of 16 rows by 16 columns");
}

TEST_CASE("only the corner of both edges is not their union") {
  CHECK_FALSE(outside_whole_blocks(mask(33, 37, [](auto row, auto column) { return row >= 32 && column >= 32; }),
                                   BlockShape{16, 16}));
}

TEST_CASE("everything past the first block is past a multiple, not the last partial block") {
  const auto region = outside_whole_blocks(
      mask(64, 64, [](auto row, auto column) { return row >= 16 || column >= 16; }), BlockShape{16, 16});
  REQUIRE(region);
  CHECK(region->kind == RegionKind::past_block);
  CHECK_THAT(region->where, contains_text("past a multiple of 16 rows by 16 columns"));
}

TEST_CASE("without a launched block the usual ones are tried, the widest first") {
  const auto region = outside_whole_blocks(mask(33, 4, [](auto row, auto) { return row >= 32; }), std::nullopt);
  REQUIRE(region);
  CHECK_THAT(region->where, contains_text("beyond the last multiple of 32 rows"));
}

TEST_CASE("an earlier multiple of a usual block is chance") {
  CHECK_FALSE(outside_whole_blocks(mask(96, 4, [](auto row, auto) { return row >= 48; }), std::nullopt));
  CHECK(locate(mask(96, 4, [](auto row, auto) { return row >= 48; }), BlockShape{1, 256}).where == "in rows 48 to 95");
}

TEST_CASE("what lies past the threads of a launch is counted by them") {
  const BlockShape launched{1, 64, {1, 192}};
  const auto from = [](std::int64_t first, std::int64_t columns) {
    return mask(96, columns, [=](auto row, auto column) { return row * columns + column >= first; });
  };
  CHECK(locate(from(192, 4), launched).where == "in rows 48 to 95: the launch has 192 threads");
  CHECK(locate(from(192, 7), launched).where == "from element 192 on: the launch has 192 threads");
  CHECK(locate(mask(1, 500, [](auto, auto column) { return column >= 192; }), launched).where ==
        "in elements 192 to 499: the launch has 192 threads");
  CHECK(locate(from(191, 7), launched).kind == RegionKind::piece);
  CHECK(locate(from(192, 7), BlockShape{1, 64}).kind == RegionKind::piece);
  CHECK(locate(with_flaw(from(192, 7), 90, 1), launched).kind == RegionKind::scattered);
  // Less than a block is left: a whole one is missing.
  CHECK(locate(mask(1, 200, [](auto, auto column) { return column >= 192; }), launched).kind ==
        RegionKind::partial_block);
}

TEST_CASE("what lies in one piece is not scattered") {
  const auto where = [](std::int64_t rows, std::int64_t columns, const auto& is_set) {
    return locate(mask(rows, columns, is_set), BlockShape{16, 16}).where;
  };
  CHECK(where(33, 48, [](auto row, auto column) { return row == 32 && column >= 32; }) == "in the last 16 elements");
  CHECK(where(33, 49, [](auto row, auto column) { return row == 32 && column >= 32 && column < 48; }) ==
        "in 16 elements one behind the other, from row 32, column 32 on");
  CHECK(where(3, 5, [](auto row, auto column) { return row * 5 + column >= 8; }) == "in the last 7 elements");
  CHECK(where(64, 64, [](auto row, auto column) { return row >= 16 && row < 32 && column >= 48; }) ==
        "in columns 48 to 63 of rows 16 to 31");
  CHECK(where(64, 64, [](auto row, auto column) { return row >= 3 && row < 5 && column == 7; }) ==
        "in column 7 of rows 3 to 4");
  const auto piece = mask(64, 64, [](auto row, auto column) { return row >= 16 && row < 32 && column >= 48; });
  CHECK(one_piece(piece)->kind == RegionKind::piece);
  CHECK_FALSE(one_piece(with_flaw(piece, 20, 50)));
  CHECK_FALSE(one_piece(with_flaw(piece, 2, 50)));
  CHECK_FALSE(one_piece(mask(8, 8, [](auto row, auto column) { return row == column; })));
  CHECK_FALSE(one_piece(mask(8, 8, [](auto, auto) { return false; })));
}

TEST_CASE("a cut that is no multiple of any block is not a block's") {
  CHECK_FALSE(outside_whole_blocks(mask(33, 4, [](auto row, auto) { return row >= 29; }), std::nullopt));
  CHECK_FALSE(outside_whole_blocks(mask(33, 4, [](auto row, auto) { return row >= 30; }), BlockShape{16, 16}));
}

TEST_CASE("a block of one row has no partial rows") {
  CHECK_FALSE(outside_whole_blocks(mask(37, 4, [](auto row, auto) { return row >= 35; }), BlockShape{1, 256}));
}

TEST_CASE("whole rows are listed") {
  CHECK(whole_rows(mask(9, 4, [](auto row, auto) { return row == 8; }))->where == "in row 8 (the last)");
  CHECK(whole_rows(mask(9, 4, [](auto row, auto) { return row == 0; }))->where == "in row 0 (the first)");
  CHECK(whole_rows(mask(9, 4, [](auto row, auto) { return row >= 2 && row <= 5; }))->where == "in rows 2 to 5");
  CHECK(whole_rows(mask(9, 4, [](auto row, auto) { return row % 2 == 1; }))->where == "in every 2nd row from 1 on");
  CHECK(whole_rows(mask(9, 4, [](auto row, auto) { return row % 2 == 1; }))->lines == RegionLines{});
  CHECK(whole_rows(mask(9, 4, [](auto row, auto) { return row == 1 || row == 3; }))->where == "in rows 1 and 3");
}

TEST_CASE("rows that stop before the end are not every n-th row") {
  CHECK(whole_rows(mask(20, 4, [](auto row, auto) { return row == 1 || row == 4 || row == 7; }))->where ==
        "in rows 1, 4 and 7");
}

TEST_CASE("rows with a correct element are not whole") {
  const Mask rows = mask(9, 4, [](auto row, auto) { return row == 5; });
  CHECK_FALSE(whole_rows(with_flaw(rows, 5, 2)));
  CHECK_FALSE(whole_rows(with_flaw(rows, 1, 2)));
}

TEST_CASE("whole columns are listed, and refused with a flaw") {
  const Mask columns = mask(4, 9, [](auto, auto column) { return column == 3; });
  CHECK(whole_columns(columns)->where == "in column 3");
  CHECK_FALSE(whole_columns(with_flaw(columns, 2, 3)));
  CHECK(whole_columns(mask(4, 9, [](auto, auto column) { return column % 3 == 0; }))->where ==
        "in every 3rd column from 0 on");
}

TEST_CASE("an array of one axis has elements, and only a run of them is a region") {
  CHECK(whole_columns(mask(1, 9, [](auto, auto column) { return column >= 5; }))->where == "in elements 5 to 8");
  CHECK_FALSE(whole_columns(mask(1, 9, [](auto, auto column) { return column == 2 || column == 6; })));
  CHECK(whole_rows(mask(9, 1, [](auto row, auto) { return row >= 5; }))->where == "in rows 5 to 8");
  CHECK_FALSE(whole_rows(mask(9, 1, [](auto row, auto) { return row == 2 || row == 6; })));
}

TEST_CASE("what lies past the threads along an axis is counted by them") {
  const auto where = [](GridShape threads, GridShape right) {
    return outside_whole_blocks(
               mask(70, 70, [=](auto row, auto column) { return row >= right.rows || column >= right.columns; }),
               BlockShape{8, 16, threads})
        ->where;
  };
  CHECK(where({80, 32}, {70, 32}) == "in columns 32 to 69: the launch has 32 threads along x");
  CHECK(where({16, 80}, {16, 70}) == "in rows 16 to 69: the launch has 16 threads along y");
  CHECK(where({16, 32}, {16, 32}) ==
        "in rows 16 to 69 and in columns 32 to 69: the launch has 32 threads along x and 16 along y");
  CHECK(where({16, 48}, {16, 32}) ==
        "in rows 16 to 69 and in columns 32 to 69: past a multiple of 8 rows by 16 columns");
}

TEST_CASE("what each block leaves out at its end is told with the period") {
  const auto gaps = [](std::int64_t size) {
    return mask(1, size, [](auto, auto column) { return column % 85 >= 80; });
  };
  const Region region = locate(gaps(1000), std::nullopt);
  CHECK(region.kind == RegionKind::repeated_gap);
  CHECK(region.where == "in the last 5 of every 85 elements");
  CHECK(repeated_gap(gaps(170)));
  CHECK_FALSE(repeated_gap(gaps(169)));  // less than two periods
  CHECK_FALSE(repeated_gap(with_flaw(gaps(1000), 0, 500)));
  CHECK_FALSE(repeated_gap(mask(1, 1000, [](auto, auto column) { return column % 85 < 5; })));  // at their begin
  const auto seventh = mask(10, 9, [](auto row, auto column) { return (row * 9 + column) % 7 == 6; });
  CHECK(locate(seventh, std::nullopt).where == "in the last of every 7 elements");
}

TEST_CASE("elements of one place in every few are told by what their number leaves") {
  const auto third_of_four = [](std::int64_t rows, std::int64_t columns, std::int64_t skipped) {
    return mask(rows, columns, [=](auto row, auto column) {
      const auto number = row * columns + column;
      return number % 4 == 2 && (skipped == 0 || number % skipped != 0);
    });
  };
  CHECK(every_few(third_of_four(1, 64, 0)) == EveryFew{4, 2});
  CHECK(every_few(third_of_four(7, 9, 10)) == EveryFew{4, 2});  // some of them are right
  CHECK(locate(third_of_four(7, 9, 0), std::nullopt).kind == RegionKind::every_few);
  CHECK(locate(third_of_four(7, 9, 0), std::nullopt).where ==
        "only in elements whose number leaves 2 when it is divided by 4");
  CHECK_FALSE(every_few(third_of_four(1, 28, 0)));                                            // only 7
  CHECK_FALSE(every_few(mask(1, 1000, [](auto, auto column) { return column % 67 == 2; })));  // too far apart
  CHECK_FALSE(every_few(with_flaw(third_of_four(1, 64, 0), 0, 3)));
}

TEST_CASE("what has no shape is scattered") {
  const Region region =
      locate(mask(8, 8, [](auto row, auto column) { return (row * 5 + column * 3) % 7 == 1; }), std::nullopt);
  CHECK(region.kind == RegionKind::scattered);
  CHECK(region.where == "in scattered places");
}

TEST_CASE("a range with few gaps is no scattered places") {
  const auto where = [](std::int64_t rows, std::int64_t columns, std::int64_t first, std::int64_t last,
                        std::int64_t gaps) {
    const Region region = locate(mask(rows, columns,
                                      [=](auto row, auto column) {
                                        const std::int64_t at = row * columns + column;
                                        return first <= at && at < last && (at * 7) % gaps != 3;
                                      }),
                                 std::nullopt);
    CHECK(region.kind == RegionKind::scattered);
    return region.where;
  };
  CHECK(where(20, 11, 110, 220, 41) == "in nearly all elements of rows 10 to 19");
  CHECK(where(20, 11, 111, 219, 41) == "in nearly all elements of rows 10 to 19");
  CHECK(where(20, 100, 501, 599, 41) == "in nearly all elements of row 5");
  CHECK(where(1, 300, 100, 200, 43) == "in nearly all of elements 100 to 199");
  CHECK(where(20, 11, 0, 220, 41) == "in nearly all elements");
  CHECK(where(20, 11, 110, 220, 10) == "in scattered places");  // one in ten is right
  CHECK(where(1, 60, 10, 40, 29) == "in scattered places");     // a few elements
  CHECK(where(20, 11, 116, 210, 41) == "in scattered places");  // parts of rows
}

TEST_CASE("a partial block is preferred to the rows it consists of") {
  const Mask partial = mask(33, 20, [](auto row, auto) { return row >= 32; });
  CHECK(locate(partial, BlockShape{16, 16}).kind == RegionKind::partial_block);
  CHECK(locate(mask(33, 20, [](auto row, auto) { return row == 31; }), BlockShape{16, 16}).kind == RegionKind::rows);
}

TEST_CASE("rows and columns are data where the words number them", "[region]") {
  const auto lines = [](std::int64_t rows, std::int64_t columns, auto faulty) {
    return locate(mask(rows, columns, faulty), BlockShape{8, 8}).lines;
  };
  CHECK(lines(16, 16, [](auto row, auto column) { return row >= 8 || column >= 8; }) ==
        RegionLines{NumberedLines{8, 15}, NumberedLines{8, 15}});
  CHECK(lines(9, 7, [](auto row, auto) { return row != 0; }) == RegionLines{NumberedLines{1, 8}, {}});
  CHECK(lines(9, 7, [](auto row, auto) { return row == 2 || row == 5; }) == RegionLines{NumberedLines{2, 5, true}, {}});
  CHECK(lines(9, 7, [](auto, auto column) { return column == 3; }) == RegionLines{{}, NumberedLines{3, 3}});
  // An array of one axis has elements, and a rectangle is told by its corners.
  CHECK(lines(1, 30, [](auto, auto column) { return column >= 24; }) == RegionLines{});
  CHECK(lines(9, 7, [](auto row, auto column) { return row == 2 && column > 1 && column < 4; }) == RegionLines{});
  CHECK(lines(9, 7, [](auto, auto) { return true; }) == RegionLines{});
}
