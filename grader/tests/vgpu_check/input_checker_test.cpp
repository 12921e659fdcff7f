// InputChecker: which accesses count as writes to an input, and how the finding names what was written.
#include <vector>

#include "catch.h"
#include "event_script.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/input_checker.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::testing;

namespace {

const std::vector<InputArray> kInputs{{kGlobal + 0x1000, 400, 4, "a"}, {kGlobal + 0x2000, 30, 1, "rgb"}};

class InputNames : public LineNames {
 public:
  std::optional<InputArray> input(std::uint64_t address, std::uint64_t bytes) const override {
    for (const InputArray& input : kInputs)
      if (input.meets(address, bytes)) return input;
    return std::nullopt;
  }
};

std::vector<Finding> findings_of(AccessKind kind, std::uint64_t first, std::uint8_t bytes = 4,
                                 MemorySpace space = MemorySpace::global) {
  ScriptBuilder script(1, 32);
  script.access(
      kind, 7, 0, 0xff00, [&](std::uint64_t thread) { return first + thread * bytes; }, space, bytes);
  InputChecker checker(kInputs);
  perform(script.build(), checker);
  return checker.findings(InputNames());
}

}  // namespace

TEST_CASE("stores and atomics to an input are findings, by element", "[memory]") {
  for (const AccessKind kind : {AccessKind::store, AccessKind::atomic}) {
    const auto findings = findings_of(kind, kGlobal + 0x1000);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].id == finding_ids::kInputOverwritten);
    CHECK(findings[0].severity == Severity::error);
    CHECK(findings[0].message.find("`a[8]`") != std::string::npos);
    CHECK(findings[0].where.line == 7);
    CHECK(findings[0].thread == Index3{8, 0, 0});
    CHECK(findings[0].count == 8);
  }
  const auto bytes = findings_of(AccessKind::store, kGlobal + 0x2000, 1);
  REQUIRE(bytes.size() == 1);
  CHECK(bytes[0].message.find("`rgb[8]`") != std::string::npos);
}

TEST_CASE("only the lanes that hit an input count", "[memory]") {
  // Lanes 8 to 11 write before the array, lane 12 its first element.
  const auto findings = findings_of(AccessKind::store, kGlobal + 0x1000 - 12 * 4);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 4);
  CHECK(findings[0].thread == Index3{12, 0, 0});
  CHECK(findings[0].message.find("`a[0]`") != std::string::npos);
}

TEST_CASE("reading inputs, and writing elsewhere, is fine", "[memory]") {
  CHECK(findings_of(AccessKind::load, kGlobal + 0x1000).empty());
  CHECK(findings_of(AccessKind::store, kGlobal + 0x1000 + 400 - 8 * 4).empty());  // just behind
  CHECK(findings_of(AccessKind::store, kGlobal + 0x1000 - 16 * 4).empty());       // just before
  CHECK(findings_of(AccessKind::store, 0, 4, MemorySpace::shared).empty());
}
