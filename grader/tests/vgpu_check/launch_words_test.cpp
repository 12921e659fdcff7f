// What was launched, in words, and indices that exchange the axes of a launch.
#include "vgpu/check/launch_words.h"

#include <vector>

#include "catch.h"
#include "vgpu/check/mixed_axes.h"

namespace cudalabs::vgpu {
namespace {

TEST_CASE("a launch is written as in the source, with as many axes as it needs") {
  CHECK(launch_note({{4, 1, 1}, {256, 1, 1}}) == "launch: <<<4, 256>>>, 1024 threads");
  CHECK(launch_note({{1, 1, 1}, {1, 1, 1}}) == "launch: <<<1, 1>>>, 1 thread");
  CHECK(launch_note({{3, 1, 1}, {16, 16, 1}}, columns_and_rows(45, 1)) ==
        "launch: <<<(3, 1), (16, 16)>>>, 48 × 16 threads for 45 columns × 1 row");
  CHECK(launch_note({{2, 1, 3}, {8, 8, 1}}) == "launch: <<<(2, 1, 3), (8, 8, 1)>>>, 16 × 8 × 3 threads");
  CHECK(launch_text({{2, 1, 1}, {64, 1, 1}, 512}) == "<<<2, 64, 512>>>");
}

constexpr std::uint64_t kAddress = 1 << 20;

/// 5 rows of 9.
NamedRange matrix(std::vector<std::uint64_t> extents = {5, 9}) {
  NamedRange range{kAddress, 5 * 9 * 4, "c"};
  range.type = std::make_shared<ptx::DataType>(ptx::array_of_scalars(4, std::move(extents)));
  range.flat = true;
  return range;
}

/// Blocks of 4 × 4 threads; the accesses are those of the threads in (column, row).
MixedAxes mixed(const NamedRange& range, const std::vector<std::array<std::uint64_t, 3>>& threads_and_indices) {
  const LaunchConfig config{{3, 2, 1}, {4, 4, 1}};
  std::vector<AccessOfThread> accesses;
  for (const auto& [column, row, index] : threads_and_indices) {
    accesses.push_back(
        {{row / 4 * 3 + column / 4, static_cast<std::uint32_t>(row % 4 * 4 + column % 4)}, kAddress + index * 4});
  }
  return mixed_axes(range, config, accesses);
}

TEST_CASE("an index with row and column exchanged is known by the thread that uses it", "[memory]") {
  CHECK(mixed(matrix(), {{5, 0, 5 * 9}, {8, 4, 8 * 9 + 4}}) == MixedAxes::exchanged);
  CHECK(mixed(matrix(), {{5, 0, 5 * 9}, {8, 4, 80}}) == MixedAxes::none);
  // A thread outside the array is the guard's business.
  CHECK(mixed(matrix(), {{9, 0, 9 * 9}}) == MixedAxes::none);
  CHECK(mixed(matrix(), {{3, 5, 5 * 9 + 3}}) == MixedAxes::none);
}

TEST_CASE("the length of a column taken for that of a row is known likewise", "[memory]") {
  NamedRange tall = matrix({9, 5});
  const LaunchConfig config{{2, 3, 1}, {4, 4, 1}};
  const std::vector<AccessOfThread> accesses{{{2, 4}, kAddress + 4 * (5 * 9 + 0)},
                                             {{5, 0}, kAddress + 4 * (8 * 9 + 4)}};
  CHECK(mixed_axes(tall, config, accesses) == MixedAxes::column_for_row);
}

TEST_CASE("the width of the grid taken for that of a row is known in squares, too", "[memory]") {
  CHECK(mixed(matrix(), {{0, 4, 4 * 12}, {8, 4, 4 * 12 + 8}}) == MixedAxes::grid_for_row);
  CHECK(mixed(matrix({9, 9}), {{1, 7, 7 * 12 + 1}}) == MixedAxes::grid_for_row);
  CHECK(mixed(matrix(), {{0, 4, 4 * 12 + 1}}) == MixedAxes::none);
}

TEST_CASE("nothing is said of arrays of another kind", "[memory]") {
  CHECK(mixed(matrix({45}), {{5, 0, 5 * 9}}) == MixedAxes::none);
  NamedRange with_subscripts = matrix();
  with_subscripts.flat = false;
  CHECK(mixed(with_subscripts, {{5, 0, 5 * 9}}) == MixedAxes::none);
  CHECK(mixed(matrix(), {}) == MixedAxes::none);
}

}  // namespace
}  // namespace cudalabs::vgpu
