// Memory whose values a program gives up.

#include "catch/catch.h"
#include "vgpu/memory/global_memory.h"
#include "words_in_memory.h"

using namespace cudalabs::vgpu;
using cudalabs::vgpu::test::set;
using cudalabs::vgpu::test::word_of;

namespace {

constexpr std::uint64_t kBytes = 4 * kPageBytes;

}  // namespace

TEST_CASE("what is discarded counts as unwritten until it is written", "[vgpu]") {
  GlobalMemory memory(1 << 20);
  const DeviceAddress array = memory.allocate(kBytes, 1, AllocationKind::heap, {}, kPageBytes);
  REQUIRE(memory.fill(array, 1, kBytes));
  CHECK(memory.ranges()[0].fully_initialized);
  const std::uint64_t generation = memory.generation();
  CHECK(memory.discard(array + 100, 5000));
  CHECK(memory.generation() != generation);
  CHECK_FALSE(memory.ranges()[0].fully_initialized);
  CHECK(memory.initialized().test(array - kGlobalBase, 100));
  CHECK_FALSE(memory.initialized().test_any(array + 100 - kGlobalBase, 5000));
  CHECK(word_of(memory, array + 100) == 0xFFFF'FFFF);
  CHECK(word_of(memory, array + 96) == 0x0101'0101);
  CHECK(
      (memory.was_discarded(array + 100) && !memory.was_discarded(array + 99) && !memory.was_discarded(array + 5100)));
  CHECK_FALSE(memory.discard(array + kBytes - 4, 8));
  CHECK(set(memory, array + 100, 3));
  CHECK(memory.initialized().test(array + 100 - kGlobalBase, 4));
  REQUIRE(memory.free(array, 1));
  CHECK_FALSE(memory.was_discarded(array + 100));
}
