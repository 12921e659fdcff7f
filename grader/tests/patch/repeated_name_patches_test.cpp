#include "patch/operators/repeated_name_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_repeated_names {
namespace {

TEST_CASE("what stands twice may be meant for what stands nowhere") {
  const auto repeated = [](std::string_view code) { return changed(add_repeated_names, code); };
  CHECK(repeated("cudaFree(x); cudaFree(x);") == Texts{"cudaFree(y); cudaFree(x);", "cudaFree(x); cudaFree(y);"});
  CHECK(repeated("g<<<m, n>>>(x, x, z);") == Texts{"g<<<m, n>>>(y, x, z);", "g<<<m, n>>>(x, y, z);"});
  CHECK(repeated("cudaMalloc(&x, n); cudaMalloc(&x, n);").size() == 2);
}

TEST_CASE("a condition that asks for what is meant shows the place") {
  const auto repeated = [](std::string_view code) { return changed(add_repeated_names, code); };
  CHECK(repeated("if (x) cudaFree(x); if (y) cudaFree(x);") == Texts{"if (x) cudaFree(x); if (y) cudaFree(y);"});
  CHECK(repeated("if (y != nullptr) { cudaFree(x); } cudaFree(x);") ==
        Texts{"if (y != nullptr) { cudaFree(y); } cudaFree(x);"});
  CHECK(repeated("x && g(x); y && g(x);") == Texts{"x && g(x); y && g(y);"});
  // It may be freed there because there is no other one.
  CHECK(repeated("if (y == nullptr) cudaFree(x); cudaFree(x);").size() == 2);
  CHECK(repeated("if (!y) { cudaFree(x); } cudaFree(x);").size() == 2);
  CHECK(repeated("if (h(&y) != 0) { cudaFree(x); } cudaFree(x);").size() == 2);
  CHECK(repeated("if (y) g(); else cudaFree(x); cudaFree(x);").size() == 2);
  CHECK(repeated("if (x && y) cudaFree(x); cudaFree(x);").size() == 2);
}

TEST_CASE("what stands once, beside the other one, or is of another type stays") {
  const auto repeated = [](std::string_view code) { return changed(add_repeated_names, code); };
  CHECK(repeated("cudaFree(x); cudaFree(y); g(x, y, z); h(x); puts(\"x\");").empty());
  CHECK(repeated("g(z); g(z); h(m); h(m); if (x) return; if (x) return;").empty());
  CHECK(patches_of(add_repeated_names, "float *x, *y; int a = g(x, x);").empty());
}

TEST_CASE("one of two events or streams may be meant for the other one") {
  const auto other = [](std::string_view code) { return changed(add_other_handles, code); };
  const std::string decl = "cudaEvent_t a, b; cudaStream_t s; cudaEventCreate(&a); ";
  CHECK(other(decl + "cudaEventRecord(a); cudaEventElapsedTime(&x, a, b);") ==
        Texts{decl + "cudaEventRecord(b); cudaEventElapsedTime(&x, a, b);"});
  CHECK(other(decl + "cudaStreamSynchronize(s); cudaEventDestroy(b); g(x);").empty());
}

TEST_CASE("the words name what is meant and what stands there") {
  const std::vector<Patch> patches = patches_of(add_repeated_names, "void f(int* a, int* b) { g(a, a); }");
  REQUIRE(patches.size() == 2);
  CHECK(patches[0] == Patch{PatchKind::name, 27, 1, "b", "`b` in place of `a`"});
}

}  // namespace
}  // namespace cudalabs::patch::test::of_repeated_names
