// Macros that check a launch only under a condition.
#include "explain/errors/left_out_check.h"

#include <algorithm>

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

TEST_CASE("the condition in the function that a check calls is shown, with the name that nothing uses") {
  const std::string function =
      "void ok_at(int line) {\n#ifdef CHECKS\n  if (cudaGetLastError() != cudaSuccess) puts(\"\");\n#endif\n}\n";
  const std::string macro = "#define OK(name) ok_at(__LINE__)\n";
  const MergedFinding made = shown("#define CHECK\n" + macro + function + kLaunch, 9);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 4);
  CHECK(made.other->label == "`OK` asks for the error only under this condition");
  CHECK(
      made.help ==
      "`OK` does nothing in this build, as `#ifdef CHECKS` does not hold (line 1 defines `CHECK`, which nothing uses): "
      "let it call `cudaGetLastError()` in every build");
  const auto help = [&](const std::string& head) { return shown(head + macro + function + kLaunch, 9).help; };
  CHECK(help("#define USED\n").find("line 1 defines") != std::string::npos);
  CHECK(help("#define SIZE 4\n").find("defines") == std::string::npos);
  CHECK(help("#undef CHECK\n").find("defines") == std::string::npos);
  // Without the macro.
  CHECK(shown(function + "void f() {\n  k<<<1, 1>>>();\n  ok_at(7);\n}\n", 7).other->place.line == 2);
}

TEST_CASE("a function that asks in each build, or under no condition in words, is not shown") {
  const auto launched = [](const std::string& body) {
    const std::string head = "#define OK(name) ok_at(__LINE__)\nvoid ok_at(int line) {\n" + body + "}\n";
    const auto line = static_cast<std::uint32_t>(std::ranges::count(head, '\n')) + 2;
    return shown(head + kLaunch, line).other.has_value();
  };
  CHECK(launched("#ifdef CHECKS\n  cudaGetLastError();\n#endif\n"));
  CHECK_FALSE(launched("  cudaGetLastError();\n#ifdef LOUD\n  cudaPeekAtLastError();\n#endif\n"));
  CHECK_FALSE(launched("#ifdef QUIET\n#else\n  cudaGetLastError();\n#endif\n"));
  CHECK_FALSE(launched("#ifdef CHECKS\n#endif\n  cudaGetLastError();\n"));
  CHECK_FALSE(launched("  puts(\"\");\n"));
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
