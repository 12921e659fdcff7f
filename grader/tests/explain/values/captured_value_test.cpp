// Lambdas that keep an old value of a variable.
#include "explain/values/captured_value.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_captured_value {
namespace {

const std::string kTerm =
    "__global__ void k(const float* a, float* c, int n) {\n"
    "  const int row = threadIdx.x;\n"
    "  int at = 0;\n"
    "  const auto term = [=]() { return a[row * n + at]; };\n"
    "  float sum = 0;\n"
    "  for (; at < n; ++at) sum += term();\n"
    "  c[row] = sum;\n"
    "}\n";

std::optional<CapturedValue> captured_in(const std::string& source) {
  return captured_value_at(source, 7);
}

std::optional<CapturedValue> with(const std::string& before, const std::string& now) {
  return captured_in(replaced(kTerm, before, now));
}

const CapturedValue kAt{"term", "at", 4, 21, 6};

}  // namespace

TEST_CASE("a variable that is captured by value and changes later is found") {
  CHECK(captured_in(kTerm) == kAt);
  CHECK(with("[=]", "[a, row, n, at]") == kAt);
  CHECK(with("[=]()", "[=, &sum]()").has_value());
  CHECK(with("for (; at < n; ++at) sum += term();", "at += 2; sum = term();") == kAt);
  CHECK(with("for (; at < n; ++at) sum += term();", "while (at < n) { sum += term(); at = at + 1; }") == kAt);
}

TEST_CASE("what is captured by reference, given, or does not change is none") {
  CHECK_FALSE(with("[=]", "[&]"));
  CHECK_FALSE(with("[=]", "[=, &at]"));
  CHECK_FALSE(with("[=]", "[=, at = 3]"));
  CHECK_FALSE(with("[=]()", "[=](int at)"));
  CHECK_FALSE(with("return a[", "int at = 1; return a["));
  CHECK_FALSE(with("for (; at", "for (int at = 0; at"));
  CHECK_FALSE(with("++at) sum += term()", ") sum += term()"));
  CHECK_FALSE(with("sum += term();", "sum += 1;"));
  CHECK_FALSE(with("for (; at < n; ++at) sum += term();", "sum = term(); at = n;"));
  CHECK_FALSE(with("  int at = 0;\n", "  static int at = 0;\n"));
  CHECK_FALSE(with("  int at = 0;\n", "\n"));
  CHECK_FALSE(with("const auto term = [=]", "run([=]"));
}

TEST_CASE("wrong values of the function are explained by the capture") {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 7, 3};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding, finding, finding};
  findings[1].proven = true;
  findings[2].where.line = 0;
  show_captured_values(findings, kTerm, "k.cu");
  CHECK(findings[0].where.line == 4);
  CHECK(findings[0].other->place.line == 6);
  CHECK(findings[0].other->label == "`at` changes here, and not in `term`");
  CHECK(findings[0].help ==
        "the lambda `term` captures `at` by value: each call of it works with what `at` was in line 4; give it `at` as "
        "a parameter, or capture `at` by reference, `[&]`");
  CHECK(findings[1].help == "as before");
  CHECK(findings[2].help == "as before");
}

}  // namespace cudalabs::test::of_captured_value
