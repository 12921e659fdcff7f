// Jumps past the line that asks for the error of a launch.
#include "source/skipped_check.h"

#include <string>

#include "catch.h"
#include "text/code_text.h"

namespace cudalabs::test::of_skipped_check {
namespace {

/// The line of the jump; 0: there is none. The launch stands in line 2 of the function.
std::uint32_t jump_in(const std::string& rest, const std::string& before = {}) {
  const auto found = skipped_check("void f(int n) {\n" + before + "  k<<<1, n>>>(n);\n" + rest + "}\n", 2);
  return found ? found->line : 0;
}

const std::string kCheck = "  if (cudaGetLastError() != cudaSuccess) puts(\"failed\");\n";

}  // namespace

TEST_CASE("a return between a launch and its check is found") {
  const std::string code = "void f(int n) {\n  k<<<1, n>>>(n);\n  if (n == 1) return;\n" + kCheck + "}\n";
  CHECK(skipped_check(code, 2) == SkippedCheck{"return", 3, 15, 4, "cudaGetLastError"});
  CHECK(jump_in("  if (n == 1) {\n    free(n);\n    return;\n  }\n  cudaError_t e = cudaPeekAtLastError();\n") == 5);
  CHECK(jump_in("  if (n == 1) goto done;\n" + kCheck + "done:\n  free(n);\n") == 3);
}

TEST_CASE("a function or macro that asks is a check, too") {
  const std::string rest = "void f(int n) {\n  k<<<1, n>>>(n);\n  if (n == 1) return;\n  OK(\"k\");\n}\n";
  const std::string function = "void OK(const char* what) {\n  if (cudaGetLastError()) puts(what);\n}\n";
  const auto found = skipped_check(function + rest, 5);
  REQUIRE(found);
  CHECK(found->call == "OK");
  CHECK(skipped_check("#define OK(what) \\\n  if (cudaGetLastError()) puts(what)\n" + rest, 4));
  CHECK_FALSE(skipped_check("#define OK(what) puts(what)\n" + rest, 3));
  const std::string both = "#ifdef A\n#define OK(w) cudaGetLastError()\n#else\n#define OK(w)\n#endif\n";
  CHECK_FALSE(skipped_check(both + rest, 7));
}

TEST_CASE("breaks and continues pass a check in the same loop") {
  const auto in_loop = [&](const std::string& rest) {
    const auto found = skipped_check("void f(int n) { for (;;) {\n  k<<<1, n>>>(n);\n" + rest + "}\n", 2);
    return found ? found->line : 0;
  };
  CHECK(in_loop("  if (n == 1) break;\n" + kCheck + "  }\n") == 3);
  CHECK(in_loop("  if (n == 1) continue;\n" + kCheck + "  }\n") == 3);
  CHECK(in_loop("  if (n == 1) break;\n  }\n" + kCheck) == 0);
  CHECK(in_loop("  for (;;) break;\n" + kCheck + "  }\n") == 0);
  CHECK(in_loop("  switch (n) { case 1: break; }\n" + kCheck + "  }\n") == 0);
}

TEST_CASE("a launch in a lambda is asked about in the lambda") {
  const auto of = [](const std::string& text) { return skipped_check(text, 3).has_value(); };
  const std::string begin = "void f(int n) {\n  auto go = [&](int i) {\n    k<<<1, i>>>(i);\n";
  CHECK(of(begin + "    if (i == 1) return;\n" + kCheck + "  };\n  go(n);\n}\n"));
  CHECK_FALSE(of(begin + "  };\n  if (n == 1) return;\n" + kCheck + "}\n"));
  CHECK_FALSE(skipped_check("void f(int n) {\n  k<<<1, n>>>(n);\n  auto g = [&] { return n; };\n" + kCheck + "}\n", 2));
}

TEST_CASE("where the check comes first, or may not be come to, no jump is blamed") {
  CHECK(jump_in(kCheck) == 0);
  CHECK(jump_in("  return;\n") == 0);
  CHECK(jump_in(kCheck + "  if (n == 1) return;\n" + kCheck) == 0);
  CHECK(jump_in("  return report(cudaGetLastError());\n") == 0);
  CHECK(jump_in("  if (n == 1) return;\n  if (n > 7) { cudaGetLastError(); }\n") == 0);
  CHECK(jump_in("  if (n == 1) return;\n#ifdef DEBUG\n" + kCheck + "#endif\n") == 0);
  CHECK(jump_in("  if (n == 1) goto check;\ncheck:\n" + kCheck) == 0);
  CHECK(jump_in("  k<<<2, n>>>(n);\n  if (n == 1) return;\n" + kCheck) == 0);
  CHECK_FALSE(skipped_check("void f(int n) { if (n) {\n  k<<<1, n>>>(n);\n  } else { return; }\n" + kCheck + "}\n", 2));
  CHECK_FALSE(skipped_check("k<<<1, n>>>(n);", 1));
  CHECK_FALSE(skipped_check("", 9));
}

}  // namespace cudalabs::test::of_skipped_check
