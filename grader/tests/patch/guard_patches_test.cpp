#include "patch/operators/guard_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_guards {
namespace {

/// In a kernel behind "if (x >= w || y >= h) return;".
Texts guarded(std::string_view code) {
  const std::string before = "__global__ void k(float* c, int x, int y, int w, int h) { if (x >= w || y >= h) return; ",
                    behind = " }";
  const std::string whole = before + std::string(code) + behind;
  Texts texts;
  for (const Patch& patch : patches_of(add_guards, whole)) {
    const std::string text = applied(whole, patch);
    texts.push_back(text.substr(before.size(), text.size() - before.size() - behind.size()));
  }
  return texts;
}

TEST_CASE("what a loop computes from a guarded index may need a guard of its own") {
  CHECK(guarded("for (int s = 0; s < 4; ++s) { int row = y + s * 8; c[row * w + x] = 1; }") ==
        Texts{"for (int s = 0; s < 4; ++s) { int row = y + s * 8; if (row < h) c[row * w + x] = 1; }"});
  CHECK(guarded("for (int s = 0; s < 4; ++s) { int i = s * 8 + y; float v = a[i]; c[i] = v; }") ==
        Texts{"for (int s = 0; s < 4; ++s) { int i = s * 8 + y; if (i >= h) break; float v = a[i]; c[i] = v; }"});
}

TEST_CASE("of an index in a picture the moved row is asked for") {
  CHECK(guarded("for (int s = 0; s < 4; ++s) { size_t i = size_t(y + s) * w + x; c[i] = 1; }") ==
        Texts{"for (int s = 0; s < 4; ++s) { size_t i = size_t(y + s) * w + x; if (y + s < h) c[i] = 1; }"});
  CHECK(guarded("for (int s = 0; s < 4; ++s) { int i = (s * 8 + y) * w + x; c[i] = 1; }") ==
        Texts{"for (int s = 0; s < 4; ++s) { int i = (s * 8 + y) * w + x; if (s * 8 + y < h) c[i] = 1; }"});
}

TEST_CASE("what a loop moves on may need a guard of its own") {
  CHECK(guarded("for (int s = 0; s < 4; ++s) { c[x] = 1; x += 8; }") ==
        Texts{"for (int s = 0; s < 4; ++s) { if (x < w) c[x] = 1; x += 8; }"});
  CHECK(guarded("for (int s = 0; s < 4; ++s, x += 8) c[x] = 1;") ==
        Texts{"for (int s = 0; s < 4; ++s, x += 8) if (x < w) c[x] = 1;"});
  CHECK(guarded("size_t at = (size_t)y * w + x; for (int s = 0; s < 4; ++s) { c[at] = 1; at += 8 * w; }") ==
        Texts{"size_t at = (size_t)y * w + x; for (int s = 0; s < 4; ++s) { if (at < (size_t)h * w) c[at] = 1; at += 8 "
              "* w; }"});
}

TEST_CASE("an index that is a guarded one and more may need a guard of its own") {
  CHECK(guarded("c[x + blockDim.x] = 1;") == Texts{"if (x + blockDim.x < w) c[x + blockDim.x] = 1;"});
  CHECK(guarded("c[(y + 1) * w + x] = 1;") == Texts{"if (y + 1 < h) c[(y + 1) * w + x] = 1;"});
}

TEST_CASE("what is guarded, adds whole rows, or stands before a barrier stays") {
  CHECK(guarded("for (int s = 0; s < 4; ++s) { int row = y + s; if (row < h) c[row] = 1; }").empty());
  CHECK(guarded("if (x + 1 < w) c[x + 1] = 1; c[x + w] = 1; c[x] = c[y]; g(x + 1, y); c[f(x + 1, y)] = 2;").empty());
  CHECK(guarded("for (int s = 0; s < 4; ++s) { float v = c[x]; __syncthreads(); t[0] = v; x += 8; }").empty());
  CHECK(guarded("for (int s = 0; s < 4; ++s) { c[s] = 1; z += 8; }").empty());
}

TEST_CASE("no `if` is put where it would take an `else`") {
  CHECK(guarded("if (y > 1) c[x + 1] = 1; else c[x] = 2;").empty());
  CHECK(guarded("if (y > 1) for (;; x += 8) c[x] = 1; else c[x] = 2;").empty());
  CHECK(guarded("if (y > 1) { c[x + 1] = 1; } else c[x] = 2;").size() == 1);
}

TEST_CASE("functions of the host, and those without guards have none to repeat") {
  CHECK(patches_of(add_guards, "void f(int* c, int x, int w) { if (x >= w) return; c[x + 1] = 1; }").empty());
  CHECK(patches_of(add_guards, "__global__ void k(int* c, int x) { c[x + 1] = 1; for (;;) { c[x] = 1; x += 1; } }")
            .empty());
  CHECK(patches_of(add_guards,
                   "__global__ void a(int x, int w) { if (x < w) return; } "
                   "__global__ void k(int* c, int x) { c[x + 1] = 1; }")
            .empty());
}

TEST_CASE("the words have the condition and the statement") {
  const std::vector<Patch> patches =
      patches_of(add_guards, "__global__ void k(int* c, int i, int n) { if (i < n) c[i + 1] = 0; }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::condition, 53, 1, "if (i + 1 < n) c", "`if (i + 1 < n)` before `c[i + 1] = 0`"});
}

}  // namespace
}  // namespace cudalabs::patch::test::of_guards
