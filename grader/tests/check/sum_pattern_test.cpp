// Wrong sums: which elements are in them, and sums about which nothing is said.
#include "check/detectors/sum_pattern.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;
using datasets::ElementType;

namespace {

constexpr std::int64_t kElements = 100'000;

/// Whole numbers without a pattern, so that no two prefixes have the same sum.
std::vector<std::int32_t> numbers(std::int64_t n) {
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<std::int32_t>(1000 + i * i % 4099));
  return values;
}

double sum_of_first(std::int64_t count) {
  const auto values = numbers(count);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

datasets::Case sum_case(double bound = 0) {
  datasets::Case test;
  test.inputs.push_back(array_of("integers", ElementType::i32, {kElements}, numbers(kElements)));
  test.expected.push_back({"sum", ElementType::i32, {1}, {sum_of_first(kElements)}, {bound}});
  return test;
}

std::optional<Detected> explained(double got, std::optional<BlockShape> block, const datasets::Case& test) {
  const auto output = array_of("sum", ElementType::i32, {1}, std::vector{static_cast<std::int32_t>(got)});
  return part_of_sum(compare(output, test.expected[0]), test, block);
}

std::string what(double got, std::optional<BlockShape> block = BlockShape{1, 192}) {
  const auto pattern = explained(got, block, sum_case());
  if (!pattern) return "";
  CHECK(pattern->numbers.at("n") == kElements);
  return std::string(pattern->name) + " " + std::to_string(pattern->numbers.at("first"));
}

}  // namespace

TEST_CASE("the last partial block is missing") {
  CHECK(what(sum_of_first(99'840)) == "sum_of_whole_blocks 99840");
  CHECK(what(sum_of_first(99'840), BlockShape{12, 16}) != "");
}

TEST_CASE("only the first block is there, or as many blocks as one can add up") {
  CHECK(what(sum_of_first(192)) == "sum_of_one_block 192");
  CHECK(what(sum_of_first(192 * 192)) == "sum_of_a_block_of_blocks 36864");
}

TEST_CASE("one block's share after many blocks and then one is another mistake") {
  const BlockShape last{1, 192, {}, true};
  CHECK(what(sum_of_first(192), last) == "sum_left_in_one_block 192");
  CHECK(what(sum_of_first(256), last) == "sum_left_in_one_block 256");
  CHECK(what(sum_of_first(192 * 192), last) == "sum_of_a_block_of_blocks 36864");
}

TEST_CASE("only the last element is missing") {
  CHECK(what(sum_of_first(kElements - 1)) == "sum_without_the_last 99999");
}

TEST_CASE("blocks that take more elements than they go on, or fewer, are recognised") {
  const auto in_steps = [](std::int64_t each, std::int64_t step) {
    const auto values = numbers(kElements);
    std::vector<double> sums;
    for (std::int64_t block = 0; block * each < kElements; ++block) {
      double sum = 0;
      for (std::int64_t i = block * step; i < std::min(kElements, block * step + each); ++i)
        sum += values[static_cast<std::size_t>(i)];
      sums.push_back(sum);
    }
    REQUIRE(sums.size() <= 512);
    const double first = std::accumulate(sums.begin(), sums.end(), 0.0);
    return explained(first, BlockShape{1, 256}, sum_case());
  };
  const auto overlap = in_steps(512, 256);
  REQUIRE(overlap);
  CHECK(overlap->name == "sum_of_overlapping_blocks");
  CHECK(overlap->numbers == std::map<std::string_view, std::int64_t>{{"each", 512}, {"step", 256}});
  CHECK(overlap->sure);
  const auto gaps = in_steps(1024, 2048);
  REQUIRE(gaps);
  CHECK(gaps->name == "sum_with_gaps");
}

TEST_CASE("without a known block the usual ones are tried, and no others") {
  CHECK(what(sum_of_first(256), std::nullopt) == "sum_of_one_block 256");
  CHECK(what(sum_of_first(192), std::nullopt).empty());
}

TEST_CASE("a sum that is no such part is not explained") {
  CHECK(what(sum_of_first(kElements)).empty());
  CHECK(what(sum_of_first(kElements) + 1).empty());
  CHECK(what(sum_of_first(777)).empty());
  CHECK(what(0).empty());
}

TEST_CASE("a sum that need not be exact, or is none of an input, is not explained") {
  CHECK_FALSE(explained(sum_of_first(192), BlockShape{1, 192}, sum_case(1.0)));
  datasets::Case other = sum_case();
  other.expected[0].value[0] += 1;
  CHECK_FALSE(explained(sum_of_first(192), BlockShape{1, 192}, other));
  datasets::Case empty;
  empty.inputs.push_back(array_of("integers", ElementType::i32, {0}, std::vector<std::int32_t>{}));
  empty.expected.push_back({"sum", ElementType::i32, {1}, {0}, {0}});
  CHECK_FALSE(explained(3, BlockShape{1, 192}, empty));
}

TEST_CASE("the sum is there several times, perhaps as often as a block has threads") {
  const double sum = sum_of_first(kElements);
  const auto of = [&](double got, std::optional<BlockShape> block) {
    const auto pattern = explained(got, block, sum_case());
    return pattern ? std::string(pattern->name) + " " + std::to_string(pattern->numbers.at("times")) : "";
  };
  CHECK(of(2 * sum, BlockShape{1, 192}) == "sum_many_times 2");
  CHECK(of(4 * sum, BlockShape{1, 4}) == "sum_for_each_thread 4");
  CHECK(of(4 * sum, std::nullopt) == "sum_many_times 4");
  CHECK(of(2 * sum + 1, BlockShape{1, 192}).empty());
  CHECK(of(-2 * sum, BlockShape{1, 192}).empty());
}

TEST_CASE("a block of one thread, as of a kernel that hands the result over, is a block like others") {
  const BlockShape one_thread{1, 1};
  CHECK_FALSE(explained(12'345, one_thread, sum_case()));
  CHECK(explained(sum_of_first(1), one_thread, sum_case())->name == "sum_of_one_block");
}
