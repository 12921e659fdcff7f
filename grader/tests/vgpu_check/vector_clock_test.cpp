// What threads know of others, held to the plainest form of it: a map from thread to time.
#include "vgpu/check/vector_clock.h"

#include <array>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "catch.h"

namespace cudalabs::vgpu {
namespace {

// Numbers of blocks: more than are kept apart, near each other and far.
constexpr std::array<std::uint64_t, 9> kBlocks{0, 1, 31, 32, 40, 95, 1000, 1001, 1ull << 40};
constexpr std::uint32_t kThreads = 70;

/// By block and thread.
using Plain = std::map<std::pair<std::uint64_t, std::uint32_t>, Time>;

struct Known {
  GridKnowledge grid;
  Plain plain;

  void learn(std::uint64_t block, std::uint32_t thread, Time time) {
    ThreadClock nothing;
    grid.join(block, nothing, thread, time);
    Time& known = plain[{block, thread}];
    known = std::max(known, time);
  }
  void learn(const Known& other) {
    grid.join(other.grid);
    for (const auto& [who, time] : other.plain) plain[who] = std::max(plain[who], time);
  }
  bool agrees() const {
    for (const std::uint64_t block : kBlocks) {
      const BlockKnowledge* const of_block = grid.of(block);
      for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
        const auto known = plain.find({block, thread});
        if ((of_block == nullptr ? 0 : of_block->of(thread)) != (known == plain.end() ? 0 : known->second))
          return false;
      }
    }
    return true;
  }
};

TEST_CASE("knowledge of many blocks is what a map from thread to time is") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](std::uint64_t end) { return static_cast<std::uint32_t>(random() % end); };
    std::vector<Known> all(6);
    for (Time now = 1; now < 400; ++now) {
      Known& one = all[below(all.size())];
      const Known& other = all[below(all.size())];
      switch (below(8)) {
        case 0:
          one.learn(Known(other));
          break;
        case 1:
          one = Known(other);
          break;
        case 2:
          one.grid.make_room();
          break;
        default:
          one.learn(kBlocks[below(kBlocks.size())], below(kThreads), now - below(2));
      }
      REQUIRE(one.agrees());
    }
    for (const Known& known : all) CHECK(known.agrees());
  }
}

TEST_CASE("what is known of one block alone is told from what is known of others, too") {
  for (const std::uint64_t block : kBlocks) {
    CAPTURE(block);
    Known known;
    CHECK(known.grid.is_of(block));
    known.learn(block, 3, 10);
    CHECK(known.grid.is_of(block));
    CHECK_FALSE(known.grid.is_of(block + 1));
    for (const std::uint64_t other : {block + 2, block + 64}) {
      Known more = known;
      more.learn(other, 0, 5);
      CHECK_FALSE(more.grid.is_of(block));
      BlocksKnown blocks;
      blocks.set(block, *known.grid.of(block));
      CHECK(blocks.is_of(block));
      blocks.set(other, *known.grid.of(block));
      CHECK_FALSE(blocks.is_of(block));
    }
  }
}

TEST_CASE("what a copy learns the original does not know") {
  Known original;
  for (const std::uint64_t block : kBlocks) original.learn(block, 3, 10 + block);
  Known copy = original;
  for (const std::uint64_t block : kBlocks) copy.learn(block, 4, 50);
  CHECK(original.agrees());
  CHECK(copy.agrees());
  CHECK_FALSE(copy.grid.shares_with(original.grid));
}

}  // namespace
}  // namespace cudalabs::vgpu
