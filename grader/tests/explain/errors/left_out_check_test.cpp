// Macros that check a launch only under a condition.
#include "explain/errors/left_out_check.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_left_out {
namespace {

MergedFinding shown(const std::string& source, std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.where = {"folder/k.cu", line, 0};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_left_out_checks(findings, source, "k.cu");
  return findings.front();
}

const std::string kCheck =
    "#define OK(name) \\\n  do { \\\n    if (cudaGetLastError() != cudaSuccess) puts(name); \\\n  } while (0)\n";
const std::string kNothing = "#define OK(name) do { } while (0)\n";
const std::string kLaunch = "void f() {\n  k<<<1, 1>>>();\n  OK(\"k\");\n}\n";

}  // namespace

TEST_CASE("the condition under which a macro asks for errors is shown") {
  const MergedFinding made = shown("#ifdef DEBUG\n" + kCheck + "#else\n" + kNothing + "#endif\n" + kLaunch, 10);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 1);
  CHECK(made.other->label == "`OK` asks for the error only under this condition");
  CHECK(made.help ==
        "`OK` does nothing in this build, as `#ifdef DEBUG` does not hold: let it call `cudaGetLastError()` in every "
        "build");
  CHECK(shown("#ifndef NDEBUG\n" + kCheck + "#else\n" + kNothing + "#endif\n" + kLaunch, 10).other->place.line == 1);
}

TEST_CASE("of macros with one definition, or with no condition in words, nothing is said") {
  CHECK_FALSE(shown(kCheck + kLaunch, 6).other);
  CHECK_FALSE(shown(kNothing + kLaunch, 3).other);
  CHECK_FALSE(shown("#ifdef DEBUG\n" + kCheck + "#endif\n" + kLaunch, 8).other);
  CHECK_FALSE(shown("#ifdef FAST\n" + kNothing + "#else\n" + kCheck + "#endif\n" + kLaunch, 10).other);
  CHECK_FALSE(
      shown("#ifdef DEBUG\n" + kCheck + "#else\n" + kNothing + "#endif\nvoid f() {\n  k<<<1, 1>>>();\n}\n", 9).other);
  CHECK_FALSE(shown("#ifdef DEBUG\n" + kCheck + "#else\n" + kNothing + "#endif\n" + kLaunch, 99).other);
  CHECK_FALSE(shown("#define OK(\\", 1).other);
}

}  // namespace cudalabs::test::of_left_out
