// How often elements of an array are said to be read, and by whom.
#include "vgpu/profile/read_recorder.h"

#include <array>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

/// Lanes of a block's warp access neighbours from `first` on.
void access(BlockObserver& observer, std::uint64_t first, LaneMask active, std::uint8_t bytes,
            AccessKind kind = AccessKind::load, MemorySpace space = MemorySpace::global) {
  std::array<std::uint64_t, kWarpSize> address{};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = first + std::uint64_t{bytes} * lane;
  WarpAccess access;
  access.kind = kind;
  access.space = space;
  access.bytes = bytes;
  access.active = active;
  access.instruction = 7;
  access.address = address.data();
  observer.access(access);
}

}  // namespace

TEST_CASE("each load counts once for each element that it has bytes of", "[profile]") {
  const InputArray array{0x1000, 40, 4, "a"};
  ReadRecorder recorder(std::span(&array, 1), 100);
  const auto block = recorder.observe_block();
  block->block_begin({3, 32});
  access(*block, 0x1000, 0b11, 16);  // elements 0 to 3 and 4 to 7
  block->block_begin({1, 32});
  access(*block, 0x1000, 0b1000, 4);                                      // element 3
  access(*block, 0x0ffc, 0b1, 4);                                         // before it
  access(*block, 0x1028, 0b1, 4);                                         // behind it
  access(*block, 0x1000, 0b1, 4, AccessKind::store);                      // no read
  access(*block, 0x1000, 0b1, 4, AccessKind::load, MemorySpace::shared);  // not of this memory
  const auto reads = recorder.of_array(0);
  REQUIRE(reads.size() == 10);
  CHECK(reads[0].count == 1);
  CHECK(reads[3].count == 2);
  CHECK(reads[3].first == RecordedReads::Reader{1, 3, 7});
  CHECK(reads[3].last == RecordedReads::Reader{3, 0, 7});
  CHECK(reads[7].first == RecordedReads::Reader{3, 1, 7});
  CHECK(reads[8].count == 0);
}

TEST_CASE("arrays that are too large are left out", "[profile]") {
  const InputArray array{0x1000, 404, 4, "a"};
  ReadRecorder recorder(std::span(&array, 1), 100);
  access(*recorder.observe_block(), 0x1000, 1, 4);
  CHECK(recorder.of_array(0).empty());
  const std::vector<InputArray> several{{0x1000, 240, 4, "a"}, {0x2000, 240, 4, "b"}, {0x3000, 120, 4, "c"}};
  const ReadRecorder together(several, 100);
  CHECK(together.of_array(0).size() == 60);
  CHECK(together.of_array(1).empty());
  CHECK(together.of_array(2).size() == 30);
}
