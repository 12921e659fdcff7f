// What two submissions share, weighed by how few others have it: an index of features, no comparison of all with all.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "course/similar/feature.h"

namespace cudalabs::similar {

/// What says nothing about two submissions, because so many have it.
struct Common {
  /// A feature that more submissions have than this share of all (but at least `least`) has no weight.
  double share = 0.05;
  std::size_t least = 5;
};

/// How alike two submissions are, by one kind of features.
struct Alike {
  /// Weight of what both have, as a share of the weight of all that they have (Dice): 0 to 1.
  double score = 0;
  /// Features of weight that both have: how much there is to go by.
  std::size_t shared = 0;
};

struct AlikePair {
  std::size_t one = 0, other = 0;
  Alike alike;
};

/// Submissions are numbered as they were added.
class Rarity {
 public:
  Rarity() = default;
  /// `given`: features of what everybody was given; they have no weight.
  explicit Rarity(const Features& given);

  /// Returns its number.
  std::size_t add(const Features& features);

  /// Weighs everything that was added; nothing is added afterwards.
  void weigh(const Common& common);

  /// Of the feature: log2 of (submissions / submissions that have it), in bits; 0 for what is given or common.
  double weight(std::uint64_t hash) const;
  /// How many submissions have it.
  std::size_t count(std::uint64_t hash) const;

  /// All pairs, by number, the smaller one first, that share something of weight. The time it takes grows with these
  /// pairs, not with all that there could be.
  std::vector<AlikePair> pairs() const;

 private:
  using Counts = std::map<std::uint64_t, std::uint32_t>;  // ordered, so that sums are the same on every machine
  struct Holder {
    std::uint32_t number, times;
  };

  std::set<std::uint64_t> given_;
  std::vector<Counts> submissions_;
  std::unordered_map<std::uint64_t, std::vector<Holder>> having_;  // by feature, in their order
  std::unordered_map<std::uint64_t, double> weights_;
  std::vector<double> own_;
};

}  // namespace cudalabs::similar
