#include "patch/operators/moving_pointer_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_moving_pointers {
namespace {

constexpr std::string_view kTurns = "const float* in = z; float* out = x; do { in = out; out = y; } while (m); ";

Texts behind_turns(std::string_view code) {
  Texts texts;
  for (const std::string& text : changed(add_moving_pointers, std::string(kTurns) + std::string(code))) {
    REQUIRE(text.starts_with(kTurns));
    texts.push_back(text.substr(kTurns.size()));
  }
  return texts;
}

TEST_CASE("behind arrays that take turns a pointer may be meant that has moved") {
  CHECK(behind_turns("cudaMemcpy(p, x, 4, d);") == Texts{"cudaMemcpy(p, in, 4, d);", "cudaMemcpy(p, out, 4, d);"});
  CHECK(behind_turns("g<<<1, 32>>>(out, m);") == Texts{"g<<<1, 32>>>(in, m);"});
  CHECK(behind_turns("float s = x[0];") == Texts{"float s = in[0];", "float s = out[0];"});
  CHECK(behind_turns("cudaFree(out);") == Texts{"cudaFree(x);", "cudaFree(y);"});
}

TEST_CASE("two pointers that are exchanged move, too") {
  CHECK(changed(add_moving_pointers, "float *a = x, *b = y; std::swap(a, b); g(x);") ==
        Texts{"float *a = x, *b = y; std::swap(a, b); g(a);", "float *a = x, *b = y; std::swap(a, b); g(b);"});
}

TEST_CASE("nothing can be copied to what is only read") {
  CHECK(behind_turns("cudaMemcpy(x, p, 4, d);") == Texts{"cudaMemcpy(out, p, 4, d);"});
  CHECK(behind_turns("cudaMemset(y, 0, 4);") == Texts{"cudaMemset(out, 0, 4);"});
}

TEST_CASE("pointers of other types, those beside and programs without moving ones stay") {
  CHECK(behind_turns("int* k = q; g(k); g(in, out); cudaFree(x); if (x) return; cudaMalloc(&x, 4);").empty());
  CHECK(behind_turns("x[0] = 1; n = x == y; const int s = sizeof(x); f.x = x.y;").empty());
  CHECK(
      changed(add_moving_pointers, "float* a = x; g(x, z); cudaMemcpy(y, x, 4, d); cudaFree(a); a[0] = x[1];").empty());
  CHECK(changed(add_moving_pointers, "float* a = x; *a = 1; a[0] = 2; c.a = y; g(x);").empty());
}

TEST_CASE("the words name the pointer that moves, and what stands there") {
  const std::vector<Patch> patches =
      patches_of(add_moving_pointers, "void f(int* a, int* b) { int* c = a; c = b; g(a); }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::name, 46, 1, "c", "`c` in place of `a`"});
}

}  // namespace
}  // namespace cudalabs::patch::test::of_moving_pointers
