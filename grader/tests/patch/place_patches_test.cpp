#include "patch/operators/place_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_place_patches {
namespace {

Texts placed_texts(std::string_view body) {
  return applied_in_body(add_places, body);
}

TEST_CASE("a statement behind a block goes into its end") {
  CHECK(placed_texts("for (;;) { ++i; }\nc[i] = s;") == Texts{"for (;;) { ++i; c[i] = s; }\n"});
  CHECK(words_in_body(add_places, "for (;;) { ++i; }\nc[i] = s;") ==
        Texts{"`c[i] = s` at the end of the block before it"});
  CHECK(placed_texts("if (x) { g(); } cudaFree(p);") == Texts{"if (x) { g(); cudaFree(p); } "});
}

TEST_CASE("the last statement of a block goes behind it") {
  CHECK(placed_texts("if (t < r) {\n g(); __syncthreads();\n}") == Texts{"if (t < r) {\n g(); \n} __syncthreads();"});
  CHECK(words_in_body(add_places, "if (t < s) { g(); __syncthreads(); }") ==
        Texts{"`__syncthreads()` behind the block that it stands in"});
  CHECK(placed_texts("for (int k = 0; k < n; ++k) { s += a[k]; c[i] = s; }") ==
        Texts{"for (int k = 0; k < n; ++k) { s += a[k];  } c[i] = s;"});
}

TEST_CASE("a variable that inner loops use up, or that depends on the trip, is set in each trip") {
  CHECK(placed_texts("int col = x;\nfor (; r < n; ++r) { for (; col < m; col += 2) { g(); } }") ==
        Texts{"\nfor (; r < n; ++r) { int col = x; for (; col < m; col += 2) { g(); } }"});
  CHECK(placed_texts("bool in = k < n; while (i) { if (in) g(); k += 2; }") ==
        Texts{" while (i) { bool in = k < n; if (in) g(); k += 2; }"});
  CHECK(words_in_body(add_places, "bool in = k < n; while (i) { if (in) g(); k += 2; }") ==
        Texts{"`in` set at the start of the loop's body"});
}

TEST_CASE("a variable that is used behind the loop is set before it") {
  CHECK(placed_texts("for (int k = 0; k < n; ++k) { s = 0; s += a[k]; } g(s);") ==
        Texts{"s = 0; for (int k = 0; k < n; ++k) {  s += a[k]; } g(s);"});
  CHECK(placed_texts("while (i) { int b = 0; g(t[b]); b = 1 - b; }") ==
        Texts{"int b = 0; while (i) {  g(t[b]); b = 1 - b; }"});
  CHECK(words_in_body(add_places, "while (i) { int b = 0; g(t[b]); b = 1 - b; }") == Texts{"`b` set before the loop"});
}

TEST_CASE("what must stand where it is stays") {
  CHECK(placed_texts("float s = 0; for (int k = 0; k < n; ++k) { s += a[k]; } g(s);").empty());
  CHECK(placed_texts("for (int k = 0; k < n; ++k) { const int i = k; g(); c[i] = 1; }").empty());
  CHECK(placed_texts("for (int r = 0; r < n; ++r) { float s = 0; for (;;) { s += a[r]; } c[r] = s; }").empty());
  CHECK(placed_texts("int i = t; while (i < n) { g(i); i += 2; }").empty());
  CHECK(placed_texts("if (x) { g(); } else { h(); } cudaFree(p);").empty());
  CHECK(placed_texts("if (p) { g(); cudaFree(p); }").empty());
  CHECK(placed_texts("if (x) { k<<<1, 2>>>(p); e = cudaGetLastError(); }").empty());
  CHECK(placed_texts("for (;;) { g(); __syncthreads(); }").empty());
  CHECK(placed_texts("if (x) { g(); } return;").empty());
  CHECK(placed_texts("if (x) { g(); } h();").empty());
  CHECK(placed_texts("static int col = x; for (; r < n; ++r) { for (; col < m; col += 2) { g(); } }").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_place_patches
