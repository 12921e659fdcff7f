// How much of an array was written, from its beginning on.
#include "vgpu/written_front.h"

#include <vector>

#include "catch.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/memory/global_memory.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

struct Array {
  GlobalMemory memory{1 << 20};
  std::uint64_t begin = memory.allocate(1280, 0);

  void write(std::uint64_t offset, std::uint64_t bytes) { REQUIRE(memory.fill(begin + offset, 1, bytes)); }
  std::uint64_t front() const { return written_front(memory, begin + 1200); }
};

Finding read_at(std::uint64_t address) {
  Finding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.address = address;
  finding.access.bytes = 4;
  return finding;
}

}  // namespace

TEST_CASE("a front without a gap is told to the byte") {
  Array array;
  CHECK(array.front() == 0);
  array.write(0, 1032);
  CHECK(array.front() == 1032);
  array.write(1032, 1);
  CHECK(array.front() == 1033);
}

TEST_CASE("with a gap, or something behind it, there is no front") {
  Array gap;
  gap.write(0, 100);
  gap.write(1276, 4);
  CHECK(gap.front() == 0);
  Array behind;
  behind.write(64, 64);
  CHECK(behind.front() == 0);
}

TEST_CASE("of a launch the first reads of global memory are told") {
  Array array;
  array.write(0, 1032);
  std::vector<Finding> findings(6, read_at(array.begin + 1032));
  findings[1].id = finding_ids::kGlobalOutOfBounds;
  findings[2].address.reset();
  note_written_fronts(findings, array.memory);
  CHECK(findings[0].access.written == 1032);
  CHECK(findings[1].access.written == 0);
  CHECK(findings[2].access.written == 0);
  CHECK(findings[5].access.written == 1032);
  std::vector<Finding> many(5, read_at(array.begin + 1032));
  note_written_fronts(many, array.memory);
  CHECK(many[3].access.written == 1032);
  CHECK(many[4].access.written == 0);
  std::vector<Finding> nowhere{read_at(0)};
  note_written_fronts(nowhere, array.memory);
  CHECK(nowhere[0].access.written == 0);
}
