// What is shared, weighed by how few have it; where it is; and who is put together.
#include "course/similar/rarity.h"

#include "catch.h"
#include "course/similar/all_pairs.h"
#include "course/similar/matches.h"
#include "course/similar/token_runs.h"

using namespace cudalabs::similar;

namespace {

/// Features of these hashes, one a line from line 1.
Features of(const std::vector<std::uint64_t>& hashes) {
  Features features;
  for (const std::uint64_t hash : hashes) {
    const auto line = static_cast<std::uint32_t>(features.size() + 1);
    features.push_back({hash, line, line, line - 1});
  }
  return features;
}

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t i = 0; i < count; ++i) hashes.push_back(first + i);
  return hashes;
}

}  // namespace

TEST_CASE("kinds of tokens are read, whatever the tokens are") {
  const std::vector<Token> tokens = read_tokens(
      "File x.cu: showing the token stream\nline # = 1, token # = 0:\n int -> CTRL(I)\n x -> IDF\n"
      "line # = 3, token # = 2:\n \"a -> CTRL(I)\" -> STR\n y -> IDF\nodd\n");
  REQUIRE(tokens.size() == 4);
  CHECK(tokens[0].line == 1);
  CHECK(tokens[2].line == 3);
  CHECK(tokens[1].kind == tokens[3].kind);
  CHECK(tokens[0].kind != tokens[1].kind);
  CHECK(tokens[2].kind != tokens[0].kind);
  CHECK(read_tokens("").empty());
}

TEST_CASE("a run says its lines, and the same tokens make the same run") {
  std::vector<Token> tokens;
  for (std::uint32_t i = 0; i < kTokensOfRun + 1; ++i) tokens.push_back({7, i + 1});
  const Features runs = token_runs(tokens);
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].hash == runs[1].hash);
  CHECK(runs[0].first_line == 1);
  CHECK(runs[1].last_line == kTokensOfRun + 1);
  tokens.resize(kTokensOfRun - 1);
  CHECK(token_runs(tokens).empty());
}

TEST_CASE("what is given or common has no weight, and what few have weighs more") {
  Rarity rarity(of({1}));
  for (std::uint64_t i = 0; i < 8; ++i) rarity.add(of({1, 2, i < 2 ? 3 : 100 + i, i < 4 ? 4 : 200 + i}));
  rarity.weigh({.share = 0.05, .least = 5});
  CHECK(rarity.weight(1) == 0);
  CHECK(rarity.weight(2) == 0);
  CHECK(rarity.weight(3) == 2);
  CHECK(rarity.weight(4) == 1);
  CHECK(rarity.weight(102) == 3);
  CHECK(rarity.weight(999) == 0);
  CHECK(rarity.count(4) == 4);
  const std::vector<AlikePair> pairs = rarity.pairs();
  REQUIRE(pairs.size() == 6);  // of the first four
  CHECK(pairs[0].one == 0);
  CHECK(pairs[0].other == 1);
  CHECK(pairs[0].alike.score == 1);
  CHECK(pairs[0].alike.shared == 2);
  CHECK(pairs[1].alike.score == Approx(2.0 / (3 + 4)));
  CHECK(pairs[1].alike.shared == 1);
}

TEST_CASE("a feature counts as often as both have it") {
  Rarity rarity(Features{});
  rarity.add(of({5, 5, 5, 6}));
  rarity.add(of({5, 7}));
  rarity.add(of({8}));
  rarity.weigh({});
  REQUIRE(rarity.pairs().size() == 1);
  CHECK(rarity.pairs()[0].alike.shared == 1);
}

TEST_CASE("pairs above a threshold hang together, and shares count all pairs") {
  std::vector<Piece> submissions;
  for (std::uint64_t i = 0; i < 10; ++i) submissions.push_back({of(range(1000 * (i + 1), 50)), {}});
  submissions[3].tokens = submissions[1].tokens;
  submissions[7].flow = submissions[8].flow = of(range(1, 40));
  submissions[9].tokens = of(range(1000, 20));  // too little of submission 0 to go by
  const Comparison comparison = compare({}, submissions, {submissions[4], submissions[4], submissions[5]});
  REQUIRE(comparison.pairs.size() == 2);
  CHECK(comparison.class_pairs == 45);
  CHECK(comparison.sample_pairs == 3);
  CHECK(comparison.pairs[0].one == 1);
  CHECK(comparison.pairs[0].tokens.above);
  CHECK_FALSE(comparison.pairs[0].flow.above);
  CHECK(comparison.pairs[0].tokens.class_share == Approx(1.0 / 45));
  CHECK(comparison.pairs[0].tokens.sample_share == Approx(1.0 / 3));
  CHECK(comparison.pairs[1].flow.above);
  CHECK(comparison.clusters == std::vector<std::vector<std::size_t>>{{1, 3}, {7, 8}});
  CHECK(compare({}, {}, {}).pairs.empty());
  CHECK(compare({}, {submissions[0]}, {}).clusters.empty());
}

TEST_CASE("lines are matched to the lines of what is the same and rare") {
  Rarity rarity(Features{});
  const Features one = of({10, 11, 12, 13}), other = of({20, 12, 10});
  rarity.add(one);
  rarity.add(other);
  rarity.add(of({30}));
  rarity.weigh({});
  const Matches found = matches(rarity, one, other);
  CHECK(found.one == LineMatches{{1, 3}, {3, 2}});
  CHECK(found.other == LineMatches{{2, 3}, {3, 1}});
  CHECK(found.typical_holders == 2);
  CHECK(matches(rarity, one, of({40})).typical_holders == 0);
}
