// Conditions of a source in the terms of a case.
#include "source/case_condition.h"

#include <string>

#include "catch.h"

namespace cudalabs::test {
namespace {

const std::string kProgram =
    "void sum(const float* in, float* out, int n) {\n"  // 1
    "  int left = n;\n"                                 // 2
    "  while (left > 1) {\n"                            // 3
    "    left = half(left);\n"                          // 4
    "  }\n"                                             // 5
    "}\n"
    "__global__ void k(const float* a, int n) {\n"                 // 7
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"     // 8
    "  if (i < n) a[i] = 0;\n"                                     // 9
    "}\n"                                                          // 10
    "void run(const float* a, int n) { k<<<1, 256>>>(a, n); }\n";  // 11

CaseCondition asked(const std::string& condition, std::uint32_t line, std::int64_t n,
                    const LaunchedThread* thread = nullptr) {
  const CaseExpressions expressions(kProgram, {"n"});
  std::size_t at = 0;
  for (std::uint32_t i = 1; i < line; ++i) at = kProgram.find('\n', at) + 1;
  return condition_in_case(condition, line, *expressions.around(at), expressions, {{"n", n}}, thread);
}

}  // namespace

TEST_CASE("a condition is asked with the sizes of the case") {
  CHECK(asked("left > 1", 3, 1).holds == false);
  CHECK(asked("left > 1", 3, 2).holds == true);
  CHECK(asked("left > 1", 3, 2).sizes == std::set<std::string>{"n"});
  CHECK(asked("(n <= 3)", 3, 3).holds == true);
  CHECK(asked("!(n != 3)", 3, 3).holds == true);
  CHECK(asked("n % 4", 3, 8).holds == false);
  CHECK(asked("n == 2 || n > 5", 3, 3).holds == false);
  CHECK(asked("n >= 2 && n < 5", 3, 3).holds == true);
}

TEST_CASE("one part of a condition may be enough") {
  CHECK(asked("n < 0 && other(n)", 3, 1).holds == false);
  CHECK(asked("n > 0 || other(n)", 3, 1).holds == true);
  CHECK_FALSE(asked("n > 0 && other(n)", 3, 1).holds);
  CHECK_FALSE(asked("n < 0 || other(n)", 3, 1).holds);
}

TEST_CASE("in a kernel it is asked for one thread") {
  const LaunchedThread thread{{{2, 1, 1}, {256, 1, 1}}, {1, 0, 0}, {3, 0, 0}};
  CHECK(asked("i < n", 9, 259, &thread).holds == false);
  CHECK(asked("i < n", 9, 260, &thread).holds == true);
}

TEST_CASE("what the text does not say is not known") {
  CHECK_FALSE(asked("ready(n)", 3, 1).holds);
  CHECK_FALSE(asked("n = 3", 3, 1).holds);
  CHECK_FALSE(asked("1 < n < 3", 3, 1).holds);
  CHECK_FALSE(asked("n ^ 2", 3, 1).holds);
  CHECK_FALSE(asked("static_cast<int>(n)", 3, 1).holds);
  CHECK_FALSE(asked(std::string(2000, '('), 3, 1).holds);
  CHECK_FALSE(asked("i < n", 9, 260).holds);
}

}  // namespace cudalabs::test
