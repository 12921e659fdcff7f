#include "patch/patch_reason.h"

#include <catch2/catch.hpp>

#include "tests/replaced.h"

namespace cudalabs::patch::test::of_reasons {

using cudalabs::test::replaced;
namespace {

/// Of a change of the first `before` behind `mark`, which is in the code.
std::string reason(const std::string& code, const std::string& mark, const std::string& before,
                   const std::string& after, PatchKind kind = PatchKind::number) {
  const std::size_t place = code.find(before, code.find(mark));
  REQUIRE(place != std::string::npos);
  return reason_of(code, {kind, place, before.size(), after, "words"});
}

const std::string kSize = "cols * sizeof(float)";

const std::string kRounds =
    "void k(int phases) {\n  auto request = [&](int t) {\n    copy(t);\n    __pipeline_commit();\n  };\n"
    "  for (int t = 0; t < phases; ++t) {\n    if (t + 1 < phases) request(t + 1);\n    __pipeline_wait_prior(1);\n"
    "    use(t);\n  }\n}\n";

const std::string kKept =
    "struct Sizes {\n  int m, n, p;\n};\nbool upload(const Sizes& now) {\n  static Sizes last = {0, 0, 0};\n"
    "  if (now.m != last.m || now.p != last.p) {\n    last = now;\n  }\n  return true;\n}\n";

std::string reason_without_static(const std::string& code) {
  return reason(code, "{", "static ", "", PatchKind::declaration);
}

}  // namespace

TEST_CASE("a call that is given elements counts bytes") {
  const std::string copy = "void f(int cols) { good(cudaMemcpy2D(d, pitch, src, bytes, cols, rows, kind), \"x\"); }";
  CHECK(reason(copy, "bytes,", "cols", kSize) == "the width that `cudaMemcpy2D` is given counts bytes");
  CHECK(reason(copy, "Memcpy2D(", "pitch", "pitch * sizeof(float)") ==
        "the pitch that `cudaMemcpy2D` is given counts bytes");
  CHECK(reason("void f(int n) { cudaMalloc(&d, n); }", "d,", "n", "n * sizeof(float)") ==
        "the size that `cudaMalloc` is given counts bytes");
  // The height counts rows; and another width may be meant.
  CHECK(reason(copy, "cols,", "rows", kSize).empty());
  CHECK(reason(copy, "bytes,", "cols", "rows").empty());
  CHECK(reason("void f(int n) { g(&d, n); }", "d,", "n", "n * sizeof(float)").empty());
}

TEST_CASE("a launch asks for all shared memory") {
  const std::string all = "a launch asks for all bytes of shared memory that its kernel uses";
  const std::string direct = "void f() { k<<<grid, block, 2 * TILE * TILE * 4>>>(a); }";
  CHECK(reason(direct, "2 *", "TILE", "PITCH") == all);
  CHECK(reason(direct, "<<<", "block", "other").empty());
  const std::string variable = "void f() { const int bytes = 2 * TILE * 4; int n = TILE; k<<<g, b, bytes, s>>>(a); }";
  CHECK(reason(variable, "2 *", "TILE", "PITCH") == all);
  CHECK(reason(variable, "n =", "TILE", "PITCH").empty());
  CHECK(reason("void f() { k<<<g, b, n>>>(a); }", "b,", "n", "n * sizeof(float)") ==
        "the third argument of a launch counts bytes");
}

TEST_CASE("one more group lets the pipeline wait for the one before") {
  CHECK(reason(kRounds, "t + 1", "<", "<=", PatchKind::comparison) ==
        "`__pipeline_wait_prior(1)` in line 8 does not wait for the newest group, and the last round commits no newer "
        "one");
  const auto none = [](const std::string& code) {
    return reason(code, "t + 1", "<", "<=", PatchKind::comparison).empty();
  };
  CHECK(none(replaced(kRounds, "wait_prior(1)", "wait_prior(0)")));
  CHECK(none(replaced(kRounds, "__pipeline_commit();", "")));
  CHECK(none(replaced(kRounds, "request(t + 1)", "other(t + 1)")));
  CHECK(reason(kRounds, "for (", "<", "<=", PatchKind::comparison).empty());
  CHECK(reason(kRounds, "wait_prior", "1", "0") ==
        "`__pipeline_wait_prior` lets as many of the newest groups of copies be unfinished");
}

TEST_CASE("a condition about what the call before has left compares all") {
  CHECK(reason_without_static(kKept) ==
        "the condition in line 6 does not compare `n`, which may be another in each call");
  const std::string all = "a `static` variable keeps the `last` of the call before";
  CHECK(reason_without_static(replaced(kKept, "now.p != last.p", "now.p != last.p || now.n != last.n")) == all);
  CHECK(reason_without_static(replaced(kKept, "now.m != last.m || now.p != last.p", "now != last")) == all);
  CHECK(reason_without_static("int f(int n) {\n  static int blocks = n / 4;\n  return blocks;\n}\n") ==
        "a `static` variable keeps the `blocks` of the call before");
}

TEST_CASE("a quotient of whole numbers is exact; of other changes nothing is known") {
  CHECK(reason("int f() { return (int)(i * x); }", "(int)", "i * x", "i / n", PatchKind::quotient).find("is rounded") !=
        std::string::npos);
  CHECK(reason("int f() { return i * x; }", "return", "*", "/", PatchKind::arithmetic).empty());
}

}  // namespace cudalabs::patch::test::of_reasons
