// WriterRecorder: which instructions it takes for writers of which array.
#include "vgpu/check/writer_recorder.h"

#include <vector>

#include "catch.h"
#include "event_script.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

const std::vector<ByteRange> kOutputs{{kGlobal + 0x1000, kGlobal + 0x1190}, {kGlobal + 0x2000, kGlobal + 0x2190}};
using Written = std::set<std::pair<std::size_t, std::uint32_t>>;

struct Access {
  AccessKind kind;
  std::uint32_t instruction;
  std::uint64_t first;
  MemorySpace space = MemorySpace::global;
};

Written written_by(const std::vector<Access>& accesses) {
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
                    {AccessKind::store, 7, kGlobal + 0x1000}}) == Written{{0, 7}, {1, 9}});
}

TEST_CASE("writes to memory that is no output have a number of their own", "[memory]") {
  CHECK(written_by({{AccessKind::store, 3, kGlobal + 0x8000}}) == Written{{2, 3}});
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
  CHECK(recorder.written() == Written{{0, 8}});
}
