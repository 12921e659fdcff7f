// Expressions of a source in the terms of a case, and what they are worth there.
#include "source/case_value.h"

#include "catch.h"
#include "tests/replaced.h"

namespace cudalabs::test {
namespace {

const std::string kProgram =
    "constexpr int TILE = 16;\n"                                             // 1
    "__global__ void k(const float* a, int rows, int inner) {\n"             // 2
    "  const int row = blockIdx.y * blockDim.y + threadIdx.y;\n"             // 3
    "  const int phases = (inner + TILE - 1) / TILE;\n"                      // 4
    "  for (int t = 0; t < phases; ++t) {\n"                                 // 5
    "    const int at = t * TILE + threadIdx.x;\n"                           // 6
    "    use(at);\n"                                                         // 7
    "  }\n"                                                                  // 8
    "  int moved = row; moved += 1;\n"                                       // 9
    "  short small = row;\n"                                                 // 10
    "}\n"                                                                    // 11
    "void helper(int n) { other(n); }\n"                                     // 12
    "void product(const float* a, int m, int n) {\n"                         // 13
    "  if (m == 0) return;\n"                                                // 14
    "  const size_t bytes = n * sizeof(float);\n"                            // 15
    "  helper(m);\n"                                                         // 16
    "  k<<<dim3(1, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(a, m, n);\n"  // 17
    "}\n";

std::optional<std::int64_t> worth(const std::string& expression, std::uint32_t line,
                                  const std::string& program = kProgram) {
  const CaseExpressions expressions(program, {"m", "n"});
  for (const FunctionBody& function : expressions.functions()) {
    const auto begin = static_cast<std::uint32_t>(std::count(
                           program.begin(), program.begin() + static_cast<std::ptrdiff_t>(function.begin), '\n')) +
                       1,
               end = static_cast<std::uint32_t>(std::count(
                         program.begin(), program.begin() + static_cast<std::ptrdiff_t>(function.end), '\n')) +
                     1;
    if (line < begin || line > end) continue;
    const auto found = expressions.of(expression, line, function);
    if (!found) return std::nullopt;
    const LaunchedThread last = last_thread({{1, 4, 1}, {16, 16, 1}});
    return value_of(*found, {{"m", 50}, {"n", 100}}, expressions.is_kernel(function) ? &last : nullptr);
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("what a variable gets is computed from sizes, constants and the thread") {
  CHECK(worth("bytes", 16) == 400);
  CHECK(worth("(m + TILE - 1) / TILE", 17) == 4);
  CHECK(worth("static_cast<std::size_t>(n) * 4", 16) == 400);
  CHECK(worth("(size_t)n * m", 16) == 5000);
  CHECK_FALSE(worth("static_cast<short>(n)", 16));
  CHECK_FALSE(worth("static_cast<size_t>(n * 1.5)", 16));
  CHECK(worth("row", 9) == 63);
  CHECK(worth("n", 12) == 50);
  CHECK(worth("rows * inner", 4) == 5000);
  CHECK(worth("phases", 5) == 7);
  CHECK(worth("row >> 2", 9) == 15);
  CHECK(worth("row / warpSize", 9) == 1);
  // In the last round.
  CHECK(worth("at", 7) == 6 * 16 + 15);
  CHECK(worth("t", 7) == 6);
}

TEST_CASE("what is not known is worth nothing") {
  CHECK_FALSE(worth("moved", 10));
  CHECK_FALSE(worth("small", 11));
  CHECK_FALSE(worth("a[0]", 4));
  CHECK_FALSE(worth("f(row)", 4));
  CHECK_FALSE(worth("row < 3 ? 1 : 2", 4));
  CHECK_FALSE(worth("row < 3", 4));
  CHECK_FALSE(worth("t", 9));
  // A helper may be given several sizes, and a size that is changed is none.
  CHECK_FALSE(worth("n", 12, replaced(kProgram, "helper(m);", "helper(m); helper(n);")));
  CHECK_FALSE(worth("n", 12, replaced(kProgram, "other(n)", "helper(n - 1)")));
  CHECK_FALSE(worth("m", 17, replaced(kProgram, "m == 0", "--m == 0")));
  CHECK_FALSE(worth("rows", 4, replaced(kProgram, "k<<<dim3", "k<<<1, 1>>>(a, n, n); k<<<dim3")));
}

TEST_CASE("a value rises with the thread where nothing that depends on it is taken away or divided") {
  CHECK(rises_with_threads({"blockIdx.x * blockDim.x + threadIdx.x", false}));
  CHECK(rises_with_threads({"((n + 15) / 16 - 1) + 3", false}));
  CHECK(rises_with_threads({"threadIdx.x + ((n - 1) * 16)", false}));
  CHECK_FALSE(rises_with_threads({"n - threadIdx.x", false}));
  CHECK_FALSE(rises_with_threads({"(threadIdx.x + 1) % 4", false}));
  CHECK_FALSE(rises_with_threads({"n - (threadIdx.x + 1)", false}));
  CHECK_FALSE(rises_with_threads({"(threadIdx.x", false}));
  CHECK_FALSE(rises_with_threads({"n >> threadIdx.x", false}));
}

}  // namespace cudalabs::test
