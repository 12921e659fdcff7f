// Reserved addresses: what of them may be accessed, and what memory holds that goes from one place to another.
#include <array>
#include <vector>

#include "catch/catch.h"
#include "vgpu/memory/global_memory.h"
#include "words_in_memory.h"

using namespace cudalabs::vgpu;
using cudalabs::vgpu::test::set;
using cudalabs::vgpu::test::word_of;

namespace {

constexpr std::uint64_t kBytes = 4 * kPageBytes;

}  // namespace

TEST_CASE("addresses without memory take nothing, and let nobody in", "[vgpu]") {
  GlobalMemory memory(kBytes);
  const DeviceAddress range = memory.reserve(1ull << 30, 7, 1 << 21);
  REQUIRE(range != 0);
  CHECK(range % (1 << 21) == 0);
  CHECK(memory.free_bytes() == kBytes);
  CHECK_FALSE(memory.find(range));
  CHECK(memory.ranges().empty());
  CHECK_FALSE(set(memory, range, 1));
  REQUIRE(memory.explain(range + 5000));
  CHECK(memory.explain(range + 5000)->state == RangeState::unmapped);
  CHECK_FALSE(memory.free(range, 1));
  CHECK(memory.reserve(1ull << 50, 7, 1 << 21) == 0);
  const DeviceAddress array = memory.allocate(256, 1);
  CHECK((array < range || array >= range + (1ull << 30)));
  memory.free_range(range, 1ull << 30, 9);
  REQUIRE(memory.explain(range));
  CHECK_FALSE(memory.explain(range)->live);
  CHECK(memory.free_bytes() == kBytes - 256);
}

TEST_CASE("parts of a range are what they are said to be", "[vgpu]") {
  GlobalMemory memory(1 << 20);
  const DeviceAddress range = memory.reserve(4 * kBytes, 7, 1 << 21);
  const std::array parts{RangePart{range, kBytes, RangeState::read_write, 1},
                         RangePart{range + kBytes, kBytes, RangeState::no_access, 2},
                         RangePart{range + 2 * kBytes, kBytes, RangeState::read_only, 3},
                         RangePart{range + 3 * kBytes, kBytes, RangeState::unmapped, 4}};
  memory.divide(range, 4 * kBytes, parts);
  CHECK(set(memory, range, 1));
  CHECK_FALSE(set(memory, range + kBytes - 2, 1));
  CHECK_FALSE(memory.find(range + kBytes));
  CHECK(memory.find(range + 2 * kBytes));
  CHECK_FALSE(memory.find(range + 3 * kBytes));
  const std::vector<GlobalMemory::Range> usable = memory.ranges();
  REQUIRE(usable.size() == 2);
  CHECK_FALSE(usable[0].write_protected);
  CHECK(usable[1].write_protected);
  CHECK_FALSE(usable[1].read_only);
  CHECK(memory.explain(range + kBytes)->origin == 2);
  // One part again: what is in it stays.
  memory.divide(range, 4 * kBytes, std::array{RangePart{range, 4 * kBytes, RangeState::read_write, 5}});
  CHECK(word_of(memory, range) == 1);
  CHECK(set(memory, range + kBytes - 2, 1));
  CHECK(memory.ranges().size() == 1);
}

TEST_CASE("memory takes along what it holds, and what of it was written", "[vgpu]") {
  const bool poisoned = GENERATE(true, false);
  GlobalMemory memory(1 << 20, poisoned);
  const DeviceAddress range = memory.reserve(2 * kBytes, 7, 1 << 21), other = memory.reserve(kBytes, 8, 1 << 21);
  memory.divide(range, 2 * kBytes, std::array{RangePart{range, 2 * kBytes, RangeState::read_write, 1}});
  memory.divide(other, kBytes, std::array{RangePart{other, kBytes, RangeState::read_write, 1}});
  REQUIRE(set(memory, range + 8, 42));
  REQUIRE(set(memory, range + 2 * kPageBytes, 43));
  const SavedPages pages = memory.save(range, kBytes);
  if (poisoned) CHECK(pages.size() == 2);
  memory.make_fresh(range, kBytes);
  CHECK_FALSE(memory.initialized().test_any(range - kGlobalBase, poisoned ? kBytes : 0));
  CHECK(word_of(memory, range + 8) == (poisoned ? 0xFFFF'FFFF : 0));
  memory.restore(other, pages);
  CHECK(word_of(memory, other + 8) == 42);
  CHECK(word_of(memory, other + 2 * kPageBytes) == 43);
  CHECK(memory.initialized().test(other + 8 - kGlobalBase, 4));
  CHECK_FALSE(memory.initialized().test_any(other + 12 - kGlobalBase, 100));
}

TEST_CASE("memory without addresses counts", "[vgpu]") {
  GlobalMemory memory(kBytes);
  CHECK(memory.take(kBytes - 256));
  CHECK_FALSE(memory.take(512));
  CHECK(memory.allocate(512, 1) == 0);
  memory.give(kBytes - 256);
  CHECK(memory.free_bytes() == kBytes);
}
