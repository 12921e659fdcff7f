// A program that ends itself by a macro.
#include "explain/macros/exit_in_macro.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_exit_in_macro {
namespace {

const std::string kSource =
    "#define CHECK(call) \\\n  if ((call) != cudaSuccess) { \\\n    std::exit(1); \\\n  }\n"
    "#define LOOK(call) (call)  // no exit\n"
    "void f() {\n  CHECK(cudaMalloc(&a, 4));\n  if (LOOK(cudaMalloc(&a, 4))) exit(1);\n}\n";

MergedFinding shown(std::uint32_t line, std::string_view id = finding_ids::kRunnerCrashed) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"k.cu", line, 0};
  std::vector<MergedFinding> findings{finding};
  show_exits_in_macros(findings, kSource, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("the line of the macro that calls `exit` is shown") {
  const MergedFinding made = shown(7);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 3);
  CHECK(made.other->label == "the macro `CHECK` calls `exit` here");
}

TEST_CASE("a line that calls `exit` itself, a macro without, and other findings show nothing") {
  CHECK_FALSE(shown(8).other);
  CHECK_FALSE(shown(6).other);
  CHECK_FALSE(shown(0).other);
  CHECK_FALSE(shown(7, finding_ids::kRuntimeError).other);
}

}  // namespace cudalabs::test::of_exit_in_macro
