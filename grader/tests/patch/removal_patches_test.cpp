#include "patch/operators/removal_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_removal_patches {
namespace {

Texts shortened_texts(std::string_view body) {
  return applied_in_body(add_removals, body);
}

Texts shortened_kernels(const std::string& body) {
  return applied_to(add_removals, "__global__ void k(int* p) { " + body + " }");
}

TEST_CASE("an assignment of what has a value is left out") {
  CHECK(shortened_texts("x = 1; g(x); x = 2;\ng(x);") == Texts{"x = 1; g(x); \ng(x);"});
  CHECK(words_in_body(add_removals, "x = 1; g(x); x = 2;\ng(x);") == Texts{"without `x = 2`"});
  CHECK(shortened_texts("int x = 1; while (c) { x =\n 0; g(x); }") == Texts{"int x = 1; while (c) { \n g(x); }"});
  CHECK(shortened_texts("for (int i = 0; i < n; ++i) { g(i); i += 2; }") ==
        Texts{"for (int i = 0; i < n; ++i) { g(i);  }"});
}

TEST_CASE("a release, a wait or a barrier too many is left out") {
  CHECK(shortened_texts("cudaFree(p); g(); cudaFree(p);") == Texts{" g(); cudaFree(p);"});
  CHECK(applied_to(add_removals, "void f(float* p) { g(p); cudaFree(p); h(); }") ==
        Texts{"void f(float* p) { g(p);  h(); }"});
  CHECK(shortened_texts("cudaDeviceSynchronize();") == Texts{""});
  CHECK(shortened_texts("cudaGetLastError(); e = cudaGetLastError();") == Texts{" e = cudaGetLastError();"});
  CHECK(shortened_kernels("if (t < s) { __syncthreads(); g(); }") ==
        Texts{"__global__ void k(int* p) { if (t < s) {  g(); } }"});
}

TEST_CASE("a jump too many is left out") {
  CHECK(shortened_texts("for (;;) { if (x) break; g(); }") == Texts{"for (;;) {  g(); }"});
  CHECK(shortened_texts("if (x) { g(); return; } h();") == Texts{"if (x) { g();  } h();"});
  CHECK(shortened_kernels("if (i >= n) return; __syncthreads();") ==
        Texts{"__global__ void k(int* p) {  __syncthreads(); }"});
}

TEST_CASE("an else too many is left out") {
  CHECK(shortened_texts("if (x) { g(); } else { h(); }") == Texts{"if (x) { g(); } { h(); }"});
  CHECK(shortened_texts("if (x) g();\nelse if (y) h();") == Texts{"if (x) g();\nif (y) h();"});
  CHECK(words_in_body(add_removals, "if (x) g(); else h();") == Texts{"without `else`"});
}

TEST_CASE("launches, declarations, checks and the only values stay") {
  CHECK(shortened_texts("k<<<1, 2>>>(p); int x = 1; g(x);").empty());
  CHECK(shortened_texts("x = 1; g(x);").empty());
  CHECK(shortened_texts("x = 1; if (x > 2) x = 2; i += 1; while (i) { s += 1; i += 2; }").empty());
  CHECK(shortened_texts("g(); cudaGetLastError();").empty());
  CHECK(applied_to(add_removals, "void f(float* p) { cudaFree(p); }").empty());
  CHECK(shortened_texts("err = a(); err = cudaGetLastError();").empty());
  CHECK(shortened_texts("if (err != cudaSuccess) return;").empty());
  CHECK(shortened_texts("if (!ok(cudaGetLastError())) { g(); return; }").empty());
  CHECK(shortened_texts("cudaFree(p); cudaFree(q);").empty());
  CHECK(shortened_texts("if (x) { cudaFree(p); goto out; } cudaFree(p); out: g();").empty());
  CHECK(shortened_texts("if (n == 0) return; g();").empty());
  CHECK(shortened_texts("if (x) return; else h();").empty());
  CHECK(shortened_kernels("if (i >= n) return; p[i] = 1;").empty());
  CHECK(shortened_kernels("__syncthreads();").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_removal_patches
