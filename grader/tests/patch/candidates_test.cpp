#include "patch/candidates.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "text/code_text.h"

namespace cudalabs::patch::test::of_candidates {
namespace {

constexpr std::string_view kProgram = R"(__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) x[i] *= 2;
}
int parts(int n, int size) {
  int more = n > 0 && size > 0;
  return (n + size) / size - more;
}
void far(int a, int b) {
  if (a > 1 && b > 1) g(a, b);
}
)";

std::vector<std::uint32_t> lines_of(const std::vector<Patch>& patches) {
  std::vector<std::uint32_t> lines;
  for (const Patch& patch : patches) lines.push_back(line_at(kProgram, patch.begin));
  return lines;
}

std::size_t place_of(const std::vector<std::uint32_t>& lines, std::uint32_t line) {
  return static_cast<std::size_t>(std::ranges::find(lines, line) - lines.begin());
}

TEST_CASE("changes in the lines that findings speak of come first, those elsewhere last") {
  const auto lines = lines_of(candidates(kProgram, {.lines = {3}}, 100));
  REQUIRE_FALSE(lines.empty());
  CHECK(lines.front() == 3);
  CHECK(place_of(lines, 3) < place_of(lines, 6));
  const auto others = lines_of(candidates(kProgram, {.lines = {10}}, 100));
  REQUIRE_FALSE(others.empty());
  CHECK(others.front() == 10);
}

TEST_CASE("functions that are named between backticks are near") {
  const auto lines = lines_of(candidates(kProgram, {.words = "`parts` is wrong, and not far"}, 100));
  REQUIRE_FALSE(lines.empty());
  CHECK(lines.front() == 6);
  CHECK(place_of(lines, 6) < place_of(lines, 10));
}

TEST_CASE("functions that such a line calls are near, too") {
  const std::string code =
      "int far(int c, int d) {\n  return c > 1 && d > 1;\n}\n"
      "int near(int e, int f) {\n  return e > 2 && f > 2;\n}\n"
      "int seen(int a, int b) {\n  return near(a, b);\n}\n"
      "int both(int a, int b) {\n  return seen(a, b) + far(a, b);\n}\n";
  const std::vector<Patch> patches = candidates(code, {.lines = {8}}, 48);
  const auto place = [&](std::uint32_t line) {
    return std::ranges::find_if(patches, [&](const Patch& patch) {
      return line_at(code, patch.begin) == line && patch.kind == PatchKind::connective;
    });
  };
  REQUIRE(place(5) != patches.end());
  CHECK(place(5) < place(2));
}

TEST_CASE("there are no more than asked for, and no text twice") {
  const auto all = candidates(kProgram, {}, 100);
  REQUIRE(all.size() > 3);
  CHECK(candidates(kProgram, {}, 3).size() == 3);
  std::vector<std::string> texts{std::string(kProgram)};
  for (const Patch& patch : all) texts.push_back(applied(kProgram, patch));
  std::ranges::sort(texts);
  CHECK(std::ranges::adjacent_find(texts) == texts.end());
}

TEST_CASE("the text keeps its lines, and its brackets match") {
  const auto ends = std::ranges::count(kProgram, '\n');
  for (const Patch& patch : candidates(kProgram, {}, 100)) {
    const std::string text = applied(kProgram, patch);
    CAPTURE(text, patch.words);
    CHECK(std::ranges::count(text, '\n') == ends);
    CHECK_FALSE(tokens_of(text).empty());
    CHECK_FALSE(patch.words.empty());
  }
}

TEST_CASE("where only something leaks, no condition is changed that decides about work") {
  const std::string code =
      "void f(float* d, int n, int m) {\n  float* a = nullptr;\n  cudaMalloc(&a, n);\n"
      "  if (n == m && n > 0) {\n    k<<<n, 1>>>(d);\n    return;\n  }\n  k<<<n, 1>>>(a);\n"
      "  if (n == m) cudaFree(a);\n}\n";
  const auto changed = [&](bool only_leaks, std::uint32_t line) {
    return std::ranges::any_of(
        candidates(code, {.lines = {3}, .only_leaks = only_leaks}, 100),
        [&](const Patch& patch) { return patch.kind == PatchKind::comparison && line_at(code, patch.begin) == line; });
  };
  CHECK(changed(false, 4));
  CHECK_FALSE(changed(true, 4));
  CHECK(changed(true, 9));
}

TEST_CASE("nothing is changed in a text whose brackets do not match") {
  CHECK(candidates("void f(int a) { if (a && b { } }", {}, 100).empty());
  CHECK(candidates("", {}, 100).empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_candidates
