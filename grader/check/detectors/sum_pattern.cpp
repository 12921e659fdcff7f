// A wrong sum of an array, explained by which elements are in it.
#include "check/detectors/sum_pattern.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "check/element_counts.h"

namespace cudalabs {
namespace {

double sum_of_first(const std::vector<double>& values, std::int64_t count) {
  return std::accumulate(values.begin(), values.begin() + count, 0.0);
}

Detected part(std::string_view name, std::int64_t first, std::int64_t n) {
  return {name, {{"first", first}, {"n", n}}};
}

/// The whole sum, several times over. Of a small sum many a number is a multiple. `threads`: of a block, 0: not known.
std::optional<Detected> detect_times(double expected, double got, std::int64_t threads) {
  constexpr double kLeast = 64;
  if (std::abs(expected) < kLeast || got / expected < 2 || std::fmod(got, expected) != 0) return std::nullopt;
  const auto times = static_cast<std::int64_t>(got / expected);
  return Detected{threads == times ? "sum_for_each_thread" : "sum_many_times", {{"times", times}}};
}

std::optional<Detected> detect_parts(const std::vector<double>& values, double got, std::int64_t block,
                                     bool follows_many) {
  const auto n = static_cast<std::int64_t>(values.size());
  const auto is_first = [&](std::int64_t count) {
    return count > 0 && count < n && sum_of_first(values, count) == got;
  };
  if (is_first(n / block * block)) return part("sum_of_whole_blocks", n / block * block, n);
  if (is_first(block)) return part(follows_many ? "sum_left_in_one_block" : "sum_of_one_block", block, n);
  if (is_first(block * block)) return part("sum_of_a_block_of_blocks", block * block, n);
  return std::nullopt;
}

/// What is left when each block of a launch adds up `each` elements, and the next one begins `step` further on, again
/// and again until one block is enough.
double sum_in_steps(std::vector<double> values, std::size_t each, std::size_t step) {
  while (values.size() > each) {
    std::vector<double> sums;
    for (std::size_t block = 0; block * each < values.size(); ++block) {
      const std::size_t begin = std::min(values.size(), block * step), end = std::min(values.size(), begin + each);
      sums.push_back(std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                     values.begin() + static_cast<std::ptrdiff_t>(end), 0.0));
    }
    values = std::move(sums);
  }
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::optional<Detected> detect_steps(const std::vector<double>& values, double got, std::int64_t block) {
  for (const std::int64_t each : {1, 2, 4, 8}) {
    for (const std::int64_t step : {1, 2, 4, 8}) {
      // A block of one thread that adds up one element leaves as many sums as there were elements, for ever.
      if (step == each || each * block == 1 || std::ssize(values) <= each * block) continue;
      if (sum_in_steps(values, static_cast<std::size_t>(each * block), static_cast<std::size_t>(step * block)) != got)
        continue;
      return Detected{step < each ? "sum_of_overlapping_blocks" : "sum_with_gaps",
                      {{"each", each * block}, {"step", step * block}}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Detected> part_of_sum(const Comparison& comparison, const datasets::Case& test,
                                    std::optional<BlockShape> block) {
  std::vector<std::int64_t> sizes;
  if (block) sizes.push_back(block->rows * block->columns);
  for (const std::int64_t usual : {256, 128, 512, 1024, 64, 32}) sizes.push_back(usual);
  for (const auto& [number, values] : summed_inputs(comparison, test)) {
    const auto n = static_cast<std::int64_t>(values.size());
    for (const std::int64_t size : sizes) {
      auto detected = detect_parts(values, comparison.got[0], size, block && block->follows_many);
      if (!detected) detected = detect_steps(values, comparison.got[0], size);
      if (!detected) continue;
      // The blocks of another size are a guess, and the same number of elements is often a multiple of both.
      detected->sure = block && size == block->rows * block->columns;
      return detected;
    }
    if (sum_of_first(values, n - 1) == comparison.got[0]) return part("sum_without_the_last", n - 1, n);
    const std::int64_t threads = block ? block->rows * block->columns : 0;
    if (auto detected = detect_times(comparison.expected[0], comparison.got[0], threads)) return detected;
  }
  return std::nullopt;
}

namespace {
// Halving loses what has no partner.
const CauseLine kHalvingOfOdd{CauseLine::Kind::origin_if_odd_block, vgpu::OriginKind::halving};
// The blocks of the first launch take the elements, those of the last one what the others have left.
const CauseLine kFirstLaunch{CauseLine::Kind::first_launch}, kLastLaunch{CauseLine::Kind::last_launch};

const RegisterDetector kParts({{"sum_of_whole_blocks", {"first", "n"}, {kHalvingOfOdd, kFirstLaunch}},
                               {"sum_of_one_block", {"first", "n"}, {kHalvingOfOdd, kFirstLaunch}},
                               {"sum_left_in_one_block", {"first", "n"}, {kHalvingOfOdd, kLastLaunch}},
                               {"sum_of_a_block_of_blocks", {"first", "n"}, {kHalvingOfOdd, kLastLaunch}},
                               {"sum_of_overlapping_blocks", {"each", "step"}, {{CauseLine::Kind::index}}},
                               {"sum_with_gaps", {"each", "step"}, {{CauseLine::Kind::index}}},
                               {"sum_without_the_last", {"first", "n"}, {kHalvingOfOdd}},
                               {"sum_for_each_thread", {"times"}},
                               {"sum_many_times", {"times"}}},
                              part_of_sum);
}  // namespace

}  // namespace cudalabs
