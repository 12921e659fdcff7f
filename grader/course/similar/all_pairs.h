// All submissions for a lab held against each other: who is alike, in what, and how rare that is. No verdict.
#pragma once

#include <string>
#include <vector>

#include "course/similar/feature.h"
#include "course/similar/rarity.h"

namespace cudalabs::similar {

/// What is compared of one submission. Both may be empty.
struct Piece {
  Features tokens;  // runs of tokens
  Features flow;    // neighbourhoods in its kernels' data flow
};

/// The two signals, in this order everywhere.
enum class Signal : std::uint8_t { tokens, flow };

/// From where on a pair is shown. docs/SIMILARITY.md says what was tried and how it came out.
struct Threshold {
  double score = 0;
  std::size_t shared = 0;
};
constexpr Threshold kTokensThreshold{.score = 0.6, .shared = 30};
constexpr Threshold kFlowThreshold{.score = 0.5, .shared = 30};

/// One signal of one pair.
struct Evidence {
  Alike alike;
  bool above = false;  // the threshold
  /// Pairs of the class that are at least as alike, as a share of all its pairs: 0.001 is one in a thousand.
  double class_share = 1;
  /// The same of independent samples.
  double sample_share = 1;
};

struct Pair {
  std::size_t one = 0, other = 0;  // submissions, by place
  Evidence tokens, flow;
};

struct Comparison {
  std::vector<Pair> pairs;                         // with some evidence above its threshold; the strongest first
  std::vector<std::vector<std::size_t>> clusters;  // of these pairs, what hangs together; the largest first
  std::size_t class_pairs = 0, sample_pairs = 0;   // that shares are of
  std::size_t compared = 0;                        // submissions and samples
  Rarity tokens, flow;                             // submissions first, then samples
};

/// `given`: what everybody started from. `samples`: solutions known to be independent, to compare with. `submissions`
/// are distinct files.
Comparison compare(const Piece& given, const std::vector<Piece>& submissions, const std::vector<Piece>& samples);

}  // namespace cudalabs::similar
