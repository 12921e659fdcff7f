// How well ratios of times are predicted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cudalabs::bench {

struct Prediction {
  std::string group;  // only times of one group are compared: the same lab at the same size
  double measured = 0, predicted = 0;
};

struct PairScore {
  std::vector<double>
      errors;                // of each pair: |predicted / measured - 1| of the slower one's time over the faster one's
  std::size_t apart = 0;     // pairs that differ by more than kApart
  std::size_t in_order = 0;  // of those, predicted in the right order

  double median_error() const;
  double order() const { return apart == 0 ? 1 : static_cast<double>(in_order) / static_cast<double>(apart); }
};

inline constexpr double kApart = 1.2;

PairScore score_pairs(const std::vector<Prediction>& predictions);

}  // namespace cudalabs::bench
