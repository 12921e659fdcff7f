#include "patch/operators/member_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_members {
namespace {

Texts with_members(std::string_view code) {
  return changed(add_members, code);
}

TEST_CASE("where one expression has both dimensions, each may be wrong") {
  CHECK(with_members("int i = blockIdx.y * blockDim.x + threadIdx.y;") ==
        Texts{"int i = blockIdx.x * blockDim.x + threadIdx.y;", "int i = blockIdx.y * blockDim.y + threadIdx.y;",
              "int i = blockIdx.y * blockDim.x + threadIdx.x;"});
}

TEST_CASE("what has one dimension in the whole function may be along the other") {
  const std::string other = " } void g(dim3 a) { h(a.y); ";
  CHECK(with_members("dim3 b(32, 8); h((m + b.x - 1) / b.x, (n + b.x - 1) / b.x);" + other) ==
        Texts{"dim3 b(32, 8); h((m + b.y - 1) / b.y, (n + b.x - 1) / b.x);" + other,
              "dim3 b(32, 8); h((m + b.x - 1) / b.x, (n + b.y - 1) / b.y);" + other,
              "dim3 b(32, 8); h((m + b.x - 1) / b.x, (n + b.x - 1) / b.x); } void g(dim3 a) { h(a.x); "});
}

TEST_CASE("twice the same is once too often") {
  CHECK(with_members("x[threadIdx.y] = 0; int i = threadIdx.x, j = threadIdx.x;").size() == 3);
  CHECK(with_members("t[threadIdx.x][threadIdx.x] = 0; int i = threadIdx.y;") ==
        Texts{"t[threadIdx.y][threadIdx.x] = 0; int i = threadIdx.y;",
              "t[threadIdx.x][threadIdx.y] = 0; int i = threadIdx.y;"});
}

TEST_CASE("a block's size and the grid's are taken for one another") {
  CHECK(with_members("int i = blockIdx.x * gridDim.x + threadIdx.x; i += blockDim.x * gridDim.x;") ==
        Texts{"int i = blockIdx.x * blockDim.x + threadIdx.x; i += blockDim.x * gridDim.x;"});
}

TEST_CASE("a thread's place in an array of the caller may be its block's") {
  CHECK(with_members("x[threadIdx.x] = 1; s[threadIdx.x] = 2;") == Texts{"x[blockIdx.x] = 1; s[threadIdx.x] = 2;"});
}

TEST_CASE("the words name the base") {
  const std::vector<Patch> patches = patches_of(add_members, "void f(dim3 a) { g(a.x + a.y); }");
  REQUIRE(patches.size() == 2);
  CHECK(patches[0] == Patch{PatchKind::member, 21, 1, "y", "`a.y` in place of `a.x`"});
}

TEST_CASE("programs of one dimension, and members of other things, stay") {
  CHECK(with_members("int i = blockIdx.x * blockDim.x + threadIdx.x; g(pixel.x + pixel.y);").empty());
  CHECK(with_members("int i = blockIdx.x * T + threadIdx.x, j = blockIdx.y * T + threadIdx.y;").empty());
  CHECK(patches_of(add_members, "#define I (blockIdx.x + threadIdx.y)\n").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_members
