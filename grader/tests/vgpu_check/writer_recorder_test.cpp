// WriterRecorder: which instructions it takes for writers of which array, and how much they wrote.
#include "vgpu/check/writer_recorder.h"

#include <vector>

#include "catch.h"
#include "event_script.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

const std::vector<ByteRange> kOutputs{{kGlobal + 0x1000, kGlobal + 0x1190}, {kGlobal + 0x2000, kGlobal + 0x2190}};
using Writers = std::set<std::pair<std::size_t, std::uint32_t>>;

struct Access {
  AccessKind kind;
  std::uint32_t instruction;
  std::uint64_t first;
  MemorySpace space = MemorySpace::global;
};

Writers written_by(const std::vector<Access>& accesses) {
  ScriptBuilder script(1, 32);
  for (const Access& access : accesses) {
    script.access(
        access.kind, access.instruction, 0, 0xff00, [&](std::uint64_t thread) { return access.first + thread * 4; },
        access.space, 4);
  }
  WriterRecorder recorder(kOutputs);
  perform(script.build(), recorder);
  return recorder.written();
}

}  // namespace

TEST_CASE("stores and atomics are told by array and instruction", "[memory]") {
  CHECK(written_by({{AccessKind::store, 7, kGlobal + 0x1000},
                    {AccessKind::atomic, 9, kGlobal + 0x2000},
                    {AccessKind::store, 7, kGlobal + 0x1000}}) == Writers{{0, 7}, {1, 9}});
}

TEST_CASE("writes to memory that is no output have a number of their own", "[memory]") {
  CHECK(written_by({{AccessKind::store, 3, kGlobal + 0x8000}}) == Writers{{2, 3}});
}

TEST_CASE("loads, and stores to shared memory, are no writes to an array", "[memory]") {
  CHECK(written_by({{AccessKind::load, 3, kGlobal + 0x1000}, {AccessKind::store, 4, 0, MemorySpace::shared}}).empty());
}

TEST_CASE("a launch begins with nothing written", "[memory]") {
  ScriptBuilder first(1, 32), second(1, 32);
  first.access(
      AccessKind::store, 7, 0, 1, [](std::uint64_t) { return kGlobal + 0x1000; }, MemorySpace::global, 4);
  second.access(
      AccessKind::store, 8, 0, 1, [](std::uint64_t) { return kGlobal + 0x1000; }, MemorySpace::global, 4);
  WriterRecorder recorder(kOutputs);
  perform(first.build(), recorder);
  perform(second.build(), recorder);
  CHECK(recorder.written() == Writers{{0, 8}});
}

TEST_CASE("threads count once however often they store, and the bytes go from the first to the last", "[memory]") {
  ScriptBuilder script(2, 64);
  const auto store = [&](std::uint64_t block, std::uint32_t warp, LaneMask lanes, std::uint64_t first) {
    script.in_block(block).access(
        AccessKind::store, 7, warp, lanes, [=](std::uint64_t thread) { return first + thread % 32 * 4; },
        MemorySpace::global, 4);
  };
  store(0, 0, ~0u, kOutputs[0].begin);
  store(0, 0, 1, kOutputs[0].begin + 0x80);
  store(1, 1, 3, kOutputs[0].begin + 0x100);
  WriterRecorder recorder(kOutputs);
  perform(script.build(), recorder);
  const auto extents = recorder.extents();
  REQUIRE(extents.size() == 1);
  CHECK(extents.at({0, 7}) == Written{34, 35, {kOutputs[0].begin, kOutputs[0].begin + 0x108}});
}
