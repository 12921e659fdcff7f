// Reads of what nothing has written yet, and who writes it later.
#include "vgpu/late_writers.h"

#include <vector>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

struct Memory {
  GlobalMemory memory{1 << 20};
  std::uint64_t array = memory.allocate(64, 0);
  LateWriters late;

  void launch(std::uint64_t number, bool reads, bool writes) {
    late.begin_launch(memory);
    if (writes) memory.fill(array, 1, 64);
    late.end_launch(number, "k" + std::to_string(number), memory);
    std::vector<Finding> findings(reads ? 1 : 0);
    for (Finding& finding : findings) {
      finding.id = finding_ids::kUninitializedRead;
      finding.address = array + 4;
      finding.access.bytes = 4;
      finding.launch.number = number;
    }
    late.add_reads(findings, memory);
  }
};

}  // namespace

TEST_CASE("the launch that writes later what another has read is remembered") {
  Memory m;
  m.launch(1, true, false);
  m.launch(2, false, false);
  m.launch(3, false, true);
  m.launch(4, false, true);
  CHECK(m.late.of(m.array + 4, 1) == LateWriter{"k3", 3});
  CHECK_FALSE(m.late.of(m.array + 4, 2));
  CHECK_FALSE(m.late.of(m.array, 1));
}

TEST_CASE("what the same launch writes, the host does, or was freed, no later launch has written") {
  Memory m;
  SECTION("the same launch") {
    m.launch(1, true, true);
  }
  SECTION("the host") {
    m.launch(1, true, false);
    m.memory.fill(m.array, 0, 64);
  }
  SECTION("freed") {
    m.launch(1, true, false);
    m.late.forget(m.array, 64);
  }
  m.launch(2, false, true);
  CHECK_FALSE(m.late.of(m.array + 4, 1));
}
