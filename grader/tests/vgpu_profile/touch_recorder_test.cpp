// Which bytes of global memory a launch is said to have touched.
#include <array>
#include <memory>

#include "catch.h"
#include "vgpu/profile/touch_recorder.h"

using namespace cudalabs::vgpu;

namespace {

/// Lane l of `active` accesses `bytes` bytes at first + l * bytes.
void access(BlockObserver& observer, AccessKind kind, std::uint64_t first, LaneMask active, std::uint8_t bytes,
            MemoryOrder order = MemoryOrder::weak, MemorySpace space = MemorySpace::global,
            MemoryScope scope = MemoryScope::device) {
  std::array<std::uint64_t, kWarpSize> address{};
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) address[lane] = first + std::uint64_t{bytes} * lane;
  WarpAccess access;
  access.kind = kind;
  access.space = space;
  access.order = order;
  access.scope = scope;
  access.bytes = bytes;
  access.active = active;
  access.address = address.data();
  observer.access(access);
}

constexpr LaneMask kAll = 0xffff'ffff;

}  // namespace

TEST_CASE("the bytes of one launch are joined over pages, warps and blocks", "[profile]") {
  TouchRecorder recorder;
  const auto one = recorder.observe_block(), other = recorder.observe_block();
  access(*one, AccessKind::load, 4096 - 64, kAll, 4);    // over the end of a page
  access(*other, AccessKind::load, 4096 + 64, kAll, 4);  // the bytes behind them, by another block
  access(*other, AccessKind::store, 10 * 4096, kAll, 16);
  access(*one, AccessKind::store, 10 * 4096, 1u << 3, 8);  // again, a part
  const TouchedBytes touched = recorder.touched();
  CHECK(touched.reads == std::vector<ByteRange>{{4096 - 64, 4096 + 192}});
  CHECK(touched.writes == std::vector<ByteRange>{{40960, 40960 + 512}});
  CHECK(touched.shared.empty());
}

TEST_CASE("lanes that take no part touch nothing", "[profile]") {
  TouchRecorder recorder;
  const auto block = recorder.observe_block();
  access(*block, AccessKind::store, 0x1000, 0b1001, 2);
  CHECK(recorder.touched().writes == std::vector<ByteRange>{{0x1000, 0x1002}, {0x1006, 0x1008}});
}

TEST_CASE("what may meet others of its kind without order is kept apart", "[profile]") {
  TouchRecorder recorder;
  const auto block = recorder.observe_block();
  access(*block, AccessKind::atomic, 0x1000, 1, 4);
  access(*block, AccessKind::load, 0x2000, 1, 4, MemoryOrder::relaxed);
  access(*block, AccessKind::store, 0x3000, 1, 4, MemoryOrder::release);
  access(*block, AccessKind::store, 0x4000, kAll, 4, MemoryOrder::weak, MemorySpace::shared);
  const TouchedBytes touched = recorder.touched();
  CHECK(touched.shared == std::vector<ByteRange>{{0x1000, 0x1004}, {0x2000, 0x2004}, {0x3000, 0x3004}});
  CHECK(touched.reads.empty());
  CHECK(touched.writes.empty());
}

TEST_CASE("what is shared with the host is what all its accesses share with the system", "[profile]") {
  TouchRecorder recorder;
  const auto block = recorder.observe_block();
  const auto atomic = [&](std::uint64_t address, MemoryScope scope) {
    access(*block, AccessKind::atomic, address, 1, 4, MemoryOrder::relaxed, MemorySpace::global, scope);
  };
  atomic(0x1000, MemoryScope::system);
  atomic(0x2000, MemoryScope::device);
  atomic(0x3000, MemoryScope::system);
  atomic(0x3000, MemoryScope::device);
  const TouchedBytes touched = recorder.touched();
  CHECK(touched.shared == std::vector<ByteRange>{{0x1000, 0x1004}, {0x2000, 0x2004}, {0x3000, 0x3004}});
  CHECK(touched.system == std::vector<ByteRange>{{0x1000, 0x1004}});
}

TEST_CASE("many pages that many blocks touch are the launch's, not each block's", "[profile]") {
  constexpr std::uint64_t kPages = 1000;
  TouchRecorder recorder;
  std::vector<std::unique_ptr<BlockObserver>> blocks;
  for (int i = 0; i < 3; ++i) blocks.push_back(recorder.observe_block());
  for (std::uint64_t page = 0; page < kPages; ++page) {
    for (const auto& block : blocks) access(*block, AccessKind::load, page * 4096, kAll, 16);
    access(*blocks[page % 3], AccessKind::store, page * 4096 + 1024, kAll, 4);
    access(*blocks[page % 3], AccessKind::load, page * 4096, kAll, 16);  // of a page that was given away, perhaps
  }
  const TouchedBytes touched = recorder.touched();
  REQUIRE(touched.reads.size() == kPages);
  REQUIRE(touched.writes.size() == kPages);
  for (std::uint64_t page = 0; page < kPages; ++page) {
    CHECK(touched.reads[page] == ByteRange{page * 4096, page * 4096 + 512});
    CHECK(touched.writes[page] == ByteRange{page * 4096 + 1024, page * 4096 + 1152});
  }
  CHECK(recorder.touched() == touched);  // it stays
}

TEST_CASE("whole pages that follow each other are one range", "[profile]") {
  TouchRecorder recorder;
  const auto block = recorder.observe_block();
  for (std::uint64_t at = 0x1000; at < 0x4000; at += 512) access(*block, AccessKind::store, at, kAll, 16);
  CHECK(recorder.touched().writes == std::vector<ByteRange>{{0x1000, 0x4000}});
}
