#include "patch/operators/sibling_call_patches.h"

#include <catch2/catch.hpp>

#include <string>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_sibling_calls {
namespace {

Texts called(std::string_view code) {
  return changed(add_sibling_calls, code);
}

TEST_CASE("what is done to one object is done to the other, too") {
  CHECK(called("Rows a(m), b(n); a.clear(); g(a, b);") == Texts{"Rows a(m), b(n); a.clear(); b.clear(); g(a, b);"});
  CHECK(called("Rows a(m); Rows b(n); zero(&b, 0);") == Texts{"Rows a(m); Rows b(n); zero(&b, 0); zero(&a, 0);"});
  CHECK(called("float* a = g(); float* b = g(); zero(a);") ==
        Texts{"float* a = g(); float* b = g(); zero(a); zero(b);"});
}

TEST_CASE("the words have both calls") {
  const std::vector<Patch> patches = patches_of(add_sibling_calls, "void f() { R a, b; a.clear(); }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0].words == "`b.clear()` after `a.clear()`");
  CHECK(patches[0].kind == PatchKind::call);
}

TEST_CASE("what is done to all, to one alone of its type, or with other variables stays") {
  CHECK(called("Rows a, b; a.clear(); b.clear();").empty());
  CHECK(called("Rows a; Columns b; a.clear();").empty());
  CHECK(called("Rows a, b; a.fill(m); zero(a, n);").empty());
  CHECK(called("int a = m, b = n; g(a);").empty());
  CHECK(called("Rows a; a.clear(); Rows b;").empty());
  CHECK(called("Rows a, b; if (m) g(); x[0] = a.size(); h(a.size());").empty());
}

TEST_CASE("many objects, and calls without an end, are passed over") {
  std::string many = "void f() { ";
  for (int i = 0; i < 20'000; ++i) many += "R a" + std::to_string(i) + "; a" + std::to_string(i) + ".clear(); ";
  CHECK(patches_of(add_sibling_calls, many + "}").empty());
  CHECK(patches_of(add_sibling_calls, "void f() { R a, b; a.clear( }").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_sibling_calls
