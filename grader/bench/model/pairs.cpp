// All pairs of each group.
#include "bench/model/pairs.h"

#include <algorithm>
#include <cmath>

namespace cudalabs::bench {

double PairScore::median_error() const {
  if (errors.empty()) return 0;
  std::vector<double> sorted = errors;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

PairScore score_pairs(const std::vector<Prediction>& predictions) {
  PairScore score;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    for (std::size_t j = i + 1; j < predictions.size(); ++j) {
      const Prediction *slow = &predictions[i], *fast = &predictions[j];
      if (slow->group != fast->group) continue;
      if (slow->measured < fast->measured) std::swap(slow, fast);
      const double measured = slow->measured / fast->measured, predicted = slow->predicted / fast->predicted;
      score.errors.push_back(std::abs(predicted / measured - 1));
      if (measured <= kApart) continue;
      ++score.apart;
      if (predicted > 1) ++score.in_order;
    }
  }
  return score;
}

}  // namespace cudalabs::bench
