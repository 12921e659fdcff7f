// Leaks of what a helper allocates: which of its callers is shown.
#include "explain/memory/leaking_call.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kHelper =
    "float* make(int n) {\n  float* d;\n  cudaMalloc(&d, n);\n  return d;\n}\n";  // lines 1 to 5

MergedFinding leak(std::uint32_t line, std::uint32_t call, const std::string& rest, const std::string& file = "k.cu") {
  MergedFinding finding;
  finding.id = finding_ids::kMemoryLeak;
  finding.where = {"k.cu", line, 3};
  finding.cause = OtherPlace{"this call allocates it", {file, call, 0}, {}, {}};
  show_leaking_call(finding, kHelper + rest);
  CHECK_FALSE(finding.cause);
  return finding;
}

}  // namespace

TEST_CASE("the call that allocated what leaks is shown where there are several") {
  const MergedFinding shown = leak(3, 8, "void f() {\n  float* a = make(1);\n  float* b = make(2);\n}\n");
  REQUIRE(shown.other);
  CHECK(shown.other->place.line == 8);
  CHECK(shown.other->label == "what this call of `make` allocates is not freed");
}

TEST_CASE("of an only call, of one that is not known, and of the caller's own, nothing is shown") {
  CHECK_FALSE(leak(3, 7, "void f() {\n  float* a = make(1);\n}\n").other);
  const std::string both = "void f() {\n  float* a = make(1);\n  float* b = make(2);\n}\n";
  CHECK_FALSE(leak(3, 0, both).other);
  CHECK_FALSE(leak(3, 8, both, "runner.cpp").other);
  CHECK_FALSE(leak(7, 7, both).other);
}

}  // namespace cudalabs::test
