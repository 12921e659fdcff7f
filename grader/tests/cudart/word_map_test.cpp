// A table of words does what the standard library's does.
#include "vgpu/cudart/word_map.h"

#include <random>
#include <unordered_map>

#include "catch/catch.h"

using cudalabs::vgpu::WordMap;

namespace {

using Word = WordMap::Word;

std::unordered_map<Word, Word> entries_of(const WordMap& map) {
  std::unordered_map<Word, Word> entries;
  map.for_each([&](Word from, Word to) { CHECK(entries.emplace(from, to).second); });
  return entries;
}

}  // namespace

TEST_CASE("a table of words keeps what it was told first") {
  WordMap map;
  CHECK(map.empty());
  CHECK(map.find(0) == nullptr);
  CHECK(map.find(7) == nullptr);
  CHECK(map.insert(7, 70).second);
  CHECK(map.insert(0, 5).second);
  const auto [known, fresh] = map.insert(7, 71);
  CHECK_FALSE(fresh);
  CHECK(*known == 70);
  *known = 72;
  CHECK(*map.find(7) == 72);
  CHECK_FALSE(map.insert(0, 6).second);
  CHECK(*map.find(0) == 5);
  CHECK(map.size() == 2);
  CHECK(entries_of(map) == std::unordered_map<Word, Word>{{0, 5}, {7, 72}});
}

TEST_CASE("a table of words grows, and holds neighbours and words far apart") {
  const std::size_t expected = GENERATE(0u, 1u, 1000u, 50'000u);
  WordMap map(expected);
  std::unordered_map<Word, Word> reference;
  std::mt19937 random(1);
  const auto insert = [&](Word from, Word to) {
    const auto [known, fresh] = map.insert(from, to);
    const auto [place, new_to_reference] = reference.emplace(from, to);
    if (fresh != new_to_reference || *known != place->second) FAIL("insertion of " << from);
  };
  for (Word i = 0; i < 5000; ++i) {
    insert(i, random());
    insert(i << 20, random());
    insert(0xffff'ffff - i, random());
    insert(random(), random());
  }
  CHECK(map.size() == reference.size());
  CHECK(entries_of(map) == reference);
  CHECK_FALSE(map.contains(6000));
}

TEST_CASE("a table of words is made of pairs") {
  const std::vector<std::pair<Word, Word>> pairs{{1, 2}, {3, 4}, {1, 5}};
  const WordMap map(pairs.begin(), pairs.end());
  CHECK(entries_of(map) == std::unordered_map<Word, Word>{{1, 2}, {3, 4}});
}
