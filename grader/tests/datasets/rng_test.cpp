// The random numbers are the published ones, and the distributions keep their bounds.
#include "datasets/rng.h"

#include <array>
#include <set>

#include "catch.h"

using cudalabs::datasets::Rng;

TEST_CASE("SplitMix64 gives its published sequence") {
  Rng rng(1234567);
  CHECK(rng.next() == 6457827717110365317u);
  CHECK(rng.next() == 3203168211198807973u);
  CHECK(rng.next() == 9817491932198370423u);
  CHECK(rng.next() == 4593380528125082431u);
  CHECK(rng.next() == 16408922859458223821u);
}

TEST_CASE("streams of different names and seeds are different streams") {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const char* name : {"a", "b", "aa", ""}) first.insert(Rng(seed, name).next());
  }
  CHECK(first.size() == 200);
  // Not shifted copies of each other either: no value of one is among the first of another.
  Rng one(1, "a"), two(2, "a");
  std::set<std::uint64_t> values;
  for (int i = 0; i < 1000; ++i) values.insert(one.next());
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(values.contains(two.next()));
}

TEST_CASE("uniform values fill their range evenly") {
  Rng rng(5);
  std::array<int, 10> bins{};
  for (int i = 0; i < 100000; ++i) {
    const double value = rng.uniform();
    REQUIRE(value >= 0);
    REQUIRE(value < 1);
    ++bins[static_cast<std::size_t>(value * 10)];
  }
  for (const int count : bins) CHECK(std::abs(count - 10000) < 500);  // 5 standard deviations
  for (int i = 0; i < 1000; ++i) {
    const double value = rng.uniform(-3, 2);
    CHECK(value >= -3);
    CHECK(value < 2);
  }
}

TEST_CASE("below() is even where a plain remainder is not") {
  Rng rng(6);
  CHECK(rng.below(1) == 0);
  // 3 · 2^62 does not divide 2^64: a plain remainder would fall below 2^62 half the time.
  const std::uint64_t bound = 3ull << 62;
  int low = 0;
  for (int i = 0; i < 30000; ++i) {
    const std::uint64_t value = rng.below(bound);
    REQUIRE(value < bound);
    low += value < (1ull << 62) ? 1 : 0;
  }
  CHECK(std::abs(low - 10000) < 500);
}
