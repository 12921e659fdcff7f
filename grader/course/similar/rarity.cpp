// What two submissions share, weighed by how few others have it.
#include "course/similar/rarity.h"

#include <algorithm>
#include <cmath>

namespace cudalabs::similar {

Rarity::Rarity(const Features& given) {
  for (const Feature& feature : given) given_.insert(feature.hash);
}

std::size_t Rarity::add(const Features& features) {
  const auto number = static_cast<std::uint32_t>(submissions_.size());
  Counts counts;
  for (const Feature& feature : features) {
    if (!given_.contains(feature.hash)) ++counts[feature.hash];
  }
  for (const auto& [hash, times] : counts) having_[hash].push_back({number, times});
  submissions_.push_back(std::move(counts));
  return number;
}

void Rarity::weigh(const Common& common) {
  const auto all = static_cast<double>(submissions_.size());
  const std::size_t most = std::max(common.least, static_cast<std::size_t>(common.share * all));
  for (const auto& [hash, holders] : having_) {
    if (holders.size() <= most) weights_[hash] = std::log2(all / static_cast<double>(holders.size()));
  }
  own_.assign(submissions_.size(), 0);
  for (std::size_t i = 0; i < submissions_.size(); ++i) {
    for (const auto& [hash, times] : submissions_[i]) own_[i] += weight(hash) * times;
  }
}

double Rarity::weight(std::uint64_t hash) const {
  const auto found = weights_.find(hash);
  return found == weights_.end() ? 0 : found->second;
}

std::size_t Rarity::count(std::uint64_t hash) const {
  const auto found = having_.find(hash);
  return found == having_.end() ? 0 : found->second.size();
}

std::vector<AlikePair> Rarity::pairs() const {
  std::vector<AlikePair> result;
  std::vector<double> sums(submissions_.size());
  std::vector<std::size_t> shared(submissions_.size());
  for (std::size_t one = 0; one < submissions_.size(); ++one) {
    std::vector<std::size_t> met;
    for (const auto& [hash, times] : submissions_[one]) {
      const double each = weight(hash);
      if (each <= 0) continue;
      for (const Holder& holder : having_.at(hash)) {
        if (holder.number <= one) continue;
        if (shared[holder.number] == 0) met.push_back(holder.number);
        const std::uint32_t both = std::min(times, holder.times);
        sums[holder.number] += each * both;
        shared[holder.number] += both;
      }
    }
    std::ranges::sort(met);
    for (const std::size_t other : met) {
      result.push_back({one, other, {2 * sums[other] / (own_[one] + own_[other]), shared[other]}});
      sums[other] = 0;
      shared[other] = 0;
    }
  }
  return result;
}

}  // namespace cudalabs::similar
