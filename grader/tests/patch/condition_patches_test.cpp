#include "patch/operators/condition_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_conditions {
namespace {

Texts asked(std::string_view code) {
  return changed(add_conditions, code);
}

TEST_CASE("a flag whose parts have changed is computed anew") {
  const std::string flag = "int c = g(); int ok = m < n && c < n; for (;;) { ";
  CHECK(asked(flag + "if (ok) h(); c += 4; }") == Texts{flag + "if (m < n && c < n) h(); c += 4; }"});
  CHECK(asked(flag + "x[0] = ok ? 1 : 0; ++c; }") == Texts{flag + "x[0] = (m < n && c < n) ? 1 : 0; ++c; }"});
  CHECK(asked(flag + "if (m > 2 && ok) h(); c++; }").size() == 1);
}

TEST_CASE("so is one that only the first call computes") {
  const std::string flag = "static int same = m == n; ";
  CHECK(asked(flag + "if (same) g();") == Texts{flag + "if (m == n) g();"});
}

TEST_CASE("a flag or a question may be meant the other way round") {
  CHECK(asked("bool a = g(); if (a) h();") == Texts{"bool a = g(); if (!a) h();"});
  CHECK(asked("if (!s.contains(m, n)) return;") == Texts{"if (s.contains(m, n)) return;"});
  CHECK(asked("if (inside(m) && n > 2) return;") == Texts{"if (!inside(m) && n > 2) return;"});
}

TEST_CASE("a flag of whether calls went well is turned only where that does not leave out work") {
  CHECK(asked("bool a = cudaMalloc(&b, n) == cudaSuccess; if (a) { k<<<1, 1>>>(); }").empty());
  CHECK(asked("bool a = true; a = a && g(cudaFree(b)); if (!a) return; k<<<1, 1>>>();").empty());
  CHECK(asked("bool a = g(cudaMalloc(&b, n)); if (!a) { k<<<1, 1>>>(); }") ==
        Texts{"bool a = g(cudaMalloc(&b, n)); if (a) { k<<<1, 1>>>(); }"});
  CHECK(asked("bool a = g(cudaMalloc(&b, n)); if (a) return;") ==
        Texts{"bool a = g(cudaMalloc(&b, n)); if (!a) return;"});
}

TEST_CASE("what stays as it was computed, or is computed again, stays") {
  CHECK(asked("int c = g(); for (;;) { int ok = c < n; if (ok) h(); c += 4; }").empty());
  CHECK(asked("int ok = m < n; if (ok) h(); p += 4;").empty());
  CHECK(asked("int c = g(); int ok = m < c; ok = n < c; c += 4; if (ok) h();").empty());
  CHECK(asked("int c = g(); int k = c; c += 4; if (k) h(); h(k); k < n;").empty());
}

TEST_CASE("checks of errors are not turned round") {
  CHECK(asked("if (!ok(cudaMalloc(&x, n))) return; cudaError_t e = h(); if (failed(e, m)) return;").empty());
  CHECK(asked("if (failed(m, \"a\") || !b.ready()) return; if (m < n) g(m); while (m) --m;").empty());
  CHECK(patches_of(add_conditions, "#define A(x) if (x) return\nbool b = c && d;").empty());
}

TEST_CASE("a question that decides between two ways is not asked the other way round") {
  CHECK(asked("bool a = g(); if (a) h(); else k();").empty());
  CHECK(asked("bool a = g(); if (m > n && a) { h(); } else { k(); }").empty());
  CHECK(asked("bool a = g(); m = a ? n : p;").empty());
  CHECK(asked("bool a = g(); if (a) { h(); } k();") == Texts{"bool a = g(); if (!a) { h(); } k();"});
}

TEST_CASE("the words say what is asked in place of the flag") {
  const std::vector<Patch> patches = patches_of(add_conditions, "void f(bool a) { if (!a) { } }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::condition, 21, 1, "", "`a` in place of `!a`"});
}

}  // namespace
}  // namespace cudalabs::patch::test::of_conditions
