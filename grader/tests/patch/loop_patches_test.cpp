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

TEST_CASE("the counter of an inner loop is set to its first value again") {
  const std::string loops = "int x = f(0), y = 1; for (; y < h; ++y) for (; x < w; x += s) g(x, y);";
  CHECK(looped_texts(loops) == Texts{"int x = f(0), y = 1; for (; y < h; ++y) for (x = f(0); x < w; x += s) g(x, y);"});
  CHECK(words_in_body(add_loops, loops) == Texts{"`x` set to its first value again at the beginning of the loop"});
  CHECK(looped_texts("int x = 0; do { for (; x < w; ++x) g(x); ++y; } while (y < h);").size() == 1);
  // It begins anew, is no counter of that loop, or has no first value before the outer one.
  CHECK(looped_texts("int x = 0; for (; y < h; ++y) for (x = 0; x < w; ++x) g(x);").empty());
  CHECK(looped_texts("int x = 0; for (; x < w; ++x) g(x);").empty());
  CHECK(looped_texts("for (; y < h; ++y) { int x = 0; for (; x < w; ++x) g(x); }").empty());
  CHECK(looped_texts("int x; for (; y < h; ++y) for (; x < w; ++x) g(x);").empty());
  CHECK(looped_texts("int w = 3; for (; y < h; ++y) for (; k < w; ++k) g(k);").empty());
}

TEST_CASE("a distance that is halved begins at half of the whole") {
  CHECK(looped_texts("for (int d = warpSize; d > 0; d /= 2) v += __shfl_down_sync(m, v, d);") ==
        Texts{"for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(m, v, d);"});
  CHECK(looped_texts("for (int d = 32; d > 0; d >>= 1) v += s[t + d];") ==
        Texts{"for (int d = 16; d > 0; d >>= 1) v += s[t + d];"});
  CHECK(looped_texts("for (unsigned d = blockDim.x; d != 0; d = d / 2) { v += s[t + d]; }") ==
        Texts{"for (unsigned d = blockDim.x / 2; d != 0; d = d / 2) { v += s[t + d]; }"});
  CHECK(words_in_body(add_loops, "for (int d = W; d; d = d >> 1) g(d);") == Texts{"`W / 2` in place of `W`"});
  CHECK(looped_texts("for (int d = warpSize / 2; d > 0; d /= 2) g(d);").empty());
  CHECK(looped_texts("for (int d = blockDim.x >> 1; d > 0; d >>= 1) g(d);").empty());
  CHECK(looped_texts("for (int d = 5; d > 0; d /= 2) g(d);").empty());
  CHECK(looped_texts("for (int d = n; d > 0; d -= 2) g(d);").empty());
  CHECK(looped_texts("float d = n; d = d / 3; a.d /= 2;").empty());
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
