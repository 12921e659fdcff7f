// All submissions for a lab held against each other.
#include "course/similar/all_pairs.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace cudalabs::similar {
namespace {

using Key = std::pair<std::size_t, std::size_t>;

std::size_t pairs_of(std::size_t count) {
  return count * (count - std::min<std::size_t>(count, 1)) / 2;
}

/// Scores of pairs that share something, ascending; all others have 0.
struct Scores {
  std::vector<double> known;
  std::size_t all = 0;

  /// The share of all pairs with at least this score.
  double share(double score) const {
    if (all == 0) return 1;
    const auto at_least = known.end() - std::ranges::lower_bound(known, score);
    return static_cast<double>(at_least) / static_cast<double>(all);
  }
};

Rarity weighed(const Features& given, const std::vector<Piece>& submissions, const std::vector<Piece>& samples,
               Features Piece::*features) {
  Rarity rarity(given);
  for (const Piece& piece : submissions) rarity.add(piece.*features);
  for (const Piece& piece : samples) rarity.add(piece.*features);
  rarity.weigh({});
  return rarity;
}

/// Adds what one signal says of the pairs.
void add_signal(const Rarity& rarity, std::size_t submissions, std::size_t samples, const Threshold& threshold,
                Evidence Pair::*signal, std::map<Key, Pair>& pairs) {
  Scores of_class{.known = {}, .all = pairs_of(submissions)}, of_samples{.known = {}, .all = pairs_of(samples)};
  const std::vector<AlikePair> all = rarity.pairs();
  for (const AlikePair& pair : all) {
    if (pair.other < submissions) of_class.known.push_back(pair.alike.score);
    if (pair.one >= submissions) of_samples.known.push_back(pair.alike.score);
  }
  std::ranges::sort(of_class.known);
  std::ranges::sort(of_samples.known);
  for (const AlikePair& pair : all) {
    if (pair.other >= submissions) continue;
    Pair& entry = pairs[{pair.one, pair.other}];
    entry.one = pair.one;
    entry.other = pair.other;
    entry.*signal = {.alike = pair.alike,
                     .above = pair.alike.score >= threshold.score && pair.alike.shared >= threshold.shared,
                     .class_share = of_class.share(pair.alike.score),
                     .sample_share = of_samples.share(pair.alike.score)};
  }
}

std::vector<std::vector<std::size_t>> clusters_of(const std::vector<Pair>& pairs, std::size_t count) {
  std::vector<std::size_t> root(count);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Pair& pair : pairs) root[find(pair.other)] = find(pair.one);
  std::map<std::size_t, std::vector<std::size_t>> by_root;
  for (std::size_t i = 0; i < count; ++i) by_root[find(i)].push_back(i);
  std::vector<std::vector<std::size_t>> clusters;
  for (auto& [number, members] : by_root) {
    if (members.size() > 1) clusters.push_back(std::move(members));
  }
  std::ranges::stable_sort(clusters, std::greater{}, &std::vector<std::size_t>::size);
  return clusters;
}

}  // namespace

Comparison compare(const Piece& given, const std::vector<Piece>& submissions, const std::vector<Piece>& samples) {
  Comparison result{.pairs = {},
                    .clusters = {},
                    .class_pairs = pairs_of(submissions.size()),
                    .sample_pairs = pairs_of(samples.size()),
                    .compared = submissions.size() + samples.size(),
                    .tokens = weighed(given.tokens, submissions, samples, &Piece::tokens),
                    .flow = weighed(given.flow, submissions, samples, &Piece::flow)};
  std::map<Key, Pair> pairs;
  add_signal(result.tokens, submissions.size(), samples.size(), kTokensThreshold, &Pair::tokens, pairs);
  add_signal(result.flow, submissions.size(), samples.size(), kFlowThreshold, &Pair::flow, pairs);
  for (const auto& [key, pair] : pairs) {
    if (pair.tokens.above || pair.flow.above) result.pairs.push_back(pair);
  }
  // Both signals together, then the stronger one.
  const auto strength = [](const Pair& pair) { return pair.tokens.alike.score + pair.flow.alike.score; };
  std::ranges::stable_sort(result.pairs, std::greater{}, strength);
  result.clusters = clusters_of(result.pairs, submissions.size());
  return result;
}

}  // namespace cudalabs::similar
