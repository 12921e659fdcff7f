// The lines where a sum begins, and where it gets its type.
#include "explain/values/sum_line.h"

#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "explain/places/cause_line.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {

TEST_CASE("a sum leads to the line where it begins, in its own function") {
  const std::string kernel =
      "__global__ void k(const float* a, float* c) {\n"
      "  float sum = 0;\n"
      "  for (int i = threadIdx.x; i < 9; i += 4) {\n"
      "    for (int j = 0; j < 3; ++j) sum += a[j];\n"
      "    c[i] = sum;\n"
      "  }\n"
      "}\n";
  CHECK(beginning_of_sum(kernel, 5, 10)->line == 2);
  CHECK_FALSE(beginning_of_sum("void f() {\n  sum = 0;\n}\nvoid k() {\n  sum += 1;\n  c[i] = sum;\n}\n", 6, 8));
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 5, 10};
  finding.values = ValueKind::carried_over;
  std::vector<MergedFinding> findings{finding};
  show_cause_lines(findings, kernel, "k.cu", {});
  CHECK(findings[0].where.line == 2);
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 5);
}

TEST_CASE("sums of several elements of a thread begin where their array does") {
  const auto kernel = [](const std::string& before, const std::string& within) {
    return "__global__ void k(const float* a, float* c) {\n" + before + "\n" +
           "  for (int tile = 0; tile < 9; ++tile) {\n" + within + "\n" +
           "    for (int i = 0; i < 4; ++i) sum[i] += a[tile * 4 + i];\n"
           "    for (int i = 0; i < 4; ++i) c[i] = sum[i];\n  }\n}\n";
  };
  const auto line_of = [&](const std::string& before, const std::string& within) {
    const auto found = beginning_of_sum(kernel(before, within), 6, 38);
    return found ? found->line : 0U;
  };
  CHECK(line_of("  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};", "") == 2);
  CHECK(line_of("  float sum[4]{};", "") == 2);
  CHECK(line_of("  float sum[4];", "    for (int i = 0; i < 4; ++i) sum[i] = 0;") == 4);
  CHECK(line_of("  float sum[4];", "    for (int i = 0; i < 4; ++i) sum[i] = sum[i] * 2;") == 0);
  CHECK(line_of("  float sum[4];", "    if (sum[0] == 0) continue;") == 0);
  CHECK(line_of("  float other[4] = {};", "    int i = 0;") == 0);
}

TEST_CASE("a sum that is an integer is shown where it is declared") {
  const auto line_of = [](const std::string& declaration, const std::string& statement) {
    const auto found = integer_sum_of("int sum;\n}\nvoid k() {\n" + declaration + "\n" + statement + "\n}\n", 5);
    return found ? std::pair(found->where.line, found->by_literal) : std::pair(0u, false);
  };
  CHECK(line_of("auto sum = 0;", "sum += a[i] * b[i];") == std::pair(4u, true));
  CHECK(line_of("auto sum{0u};", "if (k == n) sum = sum + x;") == std::pair(4u, true));
  CHECK(line_of("int sum = 0;", "for (int k = 0; k < n; ++k) sum += x;") == std::pair(4u, false));
  CHECK(line_of("unsigned count = 0, sum = 0;", "sum -= x;") == std::pair(4u, false));
  CHECK(line_of("long long sum = 0;", "sum += x;") == std::pair(4u, false));
  // No integer, no variable, or another function's.
  CHECK(line_of("auto sum = 0.0f;", "sum += x;").first == 0);
  CHECK(line_of("auto sum = 0 * x;", "sum += x;").first == 0);
  CHECK(line_of("float sum = 0;", "sum += (int)x;").first == 0);
  CHECK(line_of("f(int n, sum);", "sum += x;").first == 0);
  CHECK(line_of("int sum = 0;", "p.sum += x;").first == 0);
  CHECK(line_of("int sum = 0;", "c[i] = sum;").first == 0);
  CHECK(line_of("", "sum += x;").first == 0);
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 3, 7};
  finding.values = ValueKind::whole_numbers;
  finding.origin = vgpu::OriginKind::integer;
  std::vector<MergedFinding> findings{finding, finding};
  findings[1].values = ValueKind::constant_factor;
  show_cause_lines(findings, "void k() {\n  auto sum = 0;\n  sum += x;\n}\n", "k.cu", {});
  CHECK(findings[0].where == SourcePlace{"k.cu", 2, 8});
  CHECK(findings[0].other->place.line == 3);
  CHECK(findings[0].help.starts_with("`auto` gives `sum` the type"));
  CHECK(findings[1].where.line == 3);
}

TEST_CASE("a sum of what a template's pointers lead to is of that type") {
  const auto type_in = [](const std::string& head) {
    const auto found = integer_sum_of(head + " {\n  auto sum = 0;\n  sum += in[i];\n}\n", 3);
    return found ? found->type : std::string();
  };
  CHECK(type_in("template <typename T> __global__ void k(const T* in, T* out, int n)") == "T");
  CHECK(type_in("template <class V, int N> __global__ void k(const V* __restrict__ in, int n)") == "V");
  CHECK(type_in("__global__ void k(const float* in, float* out)") == "float");
  CHECK(type_in("template <int N> __global__ void k(const float* in, float* out)") == "float");
  CHECK(type_in("template <typename T> __global__ void k(const float* in, T* out)") == "float");
  CHECK(type_in("template <typename T, typename A> __global__ void k(const T* in, A* out)") == "float");
  CHECK(type_in("template <typename T> __global__ void k(T first)") == "float");
  CHECK(type_in("template <typename T> __global__ void k(const T* in" + std::string(1 << 20, '(')) == "float");
}

TEST_CASE("the only declaration as float is found in the device's code") {
  const std::string host = "void f(const float* x) {\n  float y = 0;\n}\n";
  const auto line_in = [&](const std::string& body) {
    const auto found = only_float_declaration(host + "__global__ void k(const float* in, int* out) {\n" + body + "}\n");
    return found ? found->line : 0;
  };
  CHECK(line_in("  __shared__ float s[8];\n  s[0] = (float)1;\n") == 5);
  CHECK(line_in("  s[0] = static_cast<float>(1);\n") == 0);
  CHECK(line_in("  float a = 0;\n  float b = 0;\n") == 0);
  CHECK(line_in("  // float a = 0;\n  int b = 0;\n") == 0);
}

}  // namespace cudalabs::test
