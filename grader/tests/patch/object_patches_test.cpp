#include "patch/operators/object_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_objects {
namespace {

Texts with_objects(std::string_view code) {
  const std::string before = "struct M { int rows, cols; float* data; }; void f(const M& A, M B, int* p, dim3 g) { ",
                    behind = " }";
  const std::string whole = before + std::string(code) + behind;
  Texts texts;
  for (const Patch& patch : patches_of(add_objects, whole)) {
    const std::string text = applied(whole, patch);
    texts.push_back(text.substr(before.size(), text.size() - before.size() - behind.size()));
  }
  return texts;
}

TEST_CASE("a member may be meant of the other object of its type") {
  CHECK(with_objects("int t = (A.cols + 15) / 16;") == Texts{"int t = (B.cols + 15) / 16;"});
  CHECK(with_objects("if (r < B.rows) s += A.at(r, 0);") ==
        Texts{"if (r < A.rows) s += A.at(r, 0);", "if (r < B.rows) s += B.at(r, 0);"});
  CHECK(with_objects("M C = A; use(C.rows);") == Texts{"M C = A; use(A.rows);", "M C = A; use(B.rows);"});
  CHECK(with_objects("M* q = &A; M* s = &B; use(q->rows);").size() == 1);
}

TEST_CASE("what the statement has of the other object, and objects of other types stay") {
  CHECK(with_objects("use(A.rows, B.rows); g.x = 1; p->x = 2; k.rows = 3; A = B; use(A);").empty());
  CHECK(with_objects("h.A.rows = 1; h->A.rows = 1; A::rows(); int b = A . 5;").empty());
  CHECK(patches_of(add_objects, "struct M { int n; }; void f(M a) { a.n = 1; } void g(M b) { b.n = 1; }").empty());
  CHECK(patches_of(add_objects, "struct M { int n; }; void f(M a) { a.n = 1; { M b; } a.n = 2; }").empty());
}

TEST_CASE("of many objects of one type none is taken for another") {
  CHECK(with_objects("M c, d; use(A.rows);").size() == 3);
  CHECK(with_objects("M c, d, e; use(A.rows);").empty());
}

TEST_CASE("the words name the member with its object") {
  const std::vector<Patch> patches = patches_of(add_objects, "struct M { int n; }; void f(M a, M b) { g(a.n); }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::name, 42, 1, "b", "`b.n` in place of `a.n`"});
}

}  // namespace
}  // namespace cudalabs::patch::test::of_objects
