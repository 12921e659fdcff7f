#include "patch/operators/loop_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_loop_patches {
namespace {

Texts looped_texts(std::string_view body) {
  return applied_in_body(add_loops, body);
}

TEST_CASE("an if that brings a variable on becomes a loop, and the other way round") {
  CHECK(looped_texts("if (c >= p) { c -= p; ++r; }") == Texts{"while (c >= p) { c -= p; ++r; }"});
  CHECK(looped_texts("if (c >= p) c = c - p;") == Texts{"while (c >= p) c = c - p;"});
  CHECK(looped_texts("while (c >= p) { c -= p; }") == Texts{"if (c >= p) { c -= p; }"});
  CHECK(words_in_body(add_loops, "if (c >= p) c -= p;") == Texts{"`while` in place of `if`"});
}

TEST_CASE("other conditions stay") {
  CHECK(looped_texts("if (c >= p) x = 1;").empty());
  CHECK(looped_texts("if (c >= p) c = p;").empty());
  CHECK(looped_texts("if (c >= p) { c -= p; return; }").empty());
  CHECK(looped_texts("if (c >= p) { c -= p; } else { g(); }").empty());
  CHECK(looped_texts("if (e == cudaSuccess) e = f(e);").empty());
  CHECK(looped_texts("if (ok) ok = f();").empty());
  CHECK(looped_texts("if (i < n) a.i += 1;").empty());
  CHECK(looped_texts("do { c -= p; } while (c >= p);").empty());
  CHECK(looped_texts("if constexpr (c) { c -= p; }").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_loop_patches
