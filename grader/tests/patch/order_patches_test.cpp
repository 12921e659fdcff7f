#include "patch/operators/order_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_order_patches {
namespace {

Texts exchanged_texts(std::string_view body) {
  return applied_in_body(add_orders, body);
}

TEST_CASE("neighbouring calls of CUDA are exchanged, and lines keep their numbers") {
  CHECK(exchanged_texts("cudaStreamWaitEvent(s, e, 0);\n  cudaEventRecord(e, t);") ==
        Texts{"cudaEventRecord(e, t);\n  cudaStreamWaitEvent(s, e, 0);"});
  CHECK(words_in_body(add_orders, "cudaStreamWaitEvent(s, e, 0); cudaEventRecord(e, t);") ==
        Texts{"`cudaEventRecord(...)` before `cudaStreamWaitEvent(...)`"});
  CHECK(exchanged_texts("ok = check(cudaGetLastError()); k<<<1, 2>>>(p);") ==
        Texts{"k<<<1, 2>>>(p); ok = check(cudaGetLastError());"});
  CHECK(exchanged_texts("cudaFree(p); cudaMemcpy(h, p, n, k);") == Texts{"cudaMemcpy(h, p, n, k); cudaFree(p);"});
  CHECK(exchanged_texts("const auto end = clock::now(); cudaDeviceSynchronize();") ==
        Texts{"cudaDeviceSynchronize(); const auto end = clock::now();"});
  CHECK(exchanged_texts("const bool failed = ask(cudaPeekAtLastError()); cudaDeviceSynchronize();") ==
        Texts{"cudaDeviceSynchronize(); const bool failed = ask(cudaPeekAtLastError());"});
  CHECK(exchanged_texts("if (cudaGetLastError() != cudaSuccess) return -1; cudaDeviceSynchronize();") ==
        Texts{"cudaDeviceSynchronize(); if (cudaGetLastError() != cudaSuccess) return -1;"});
}

TEST_CASE("a wait for an event goes behind its record") {
  CHECK(exchanged_texts("cudaStreamWaitEvent(s, e, 0);\nint i; int j;\ncudaEventRecord(e, t);") ==
        Texts{"\nint i; int j;\ncudaEventRecord(e, t); cudaStreamWaitEvent(s, e, 0);"});
  CHECK(exchanged_texts("cudaStreamWaitEvent(s, e, 0); int i; cudaEventRecord(d, t);").empty());
}

TEST_CASE("calls whose order does not matter stay") {
  CHECK(exchanged_texts("cudaMalloc(&a, n); cudaMalloc(&b, n);").empty());
  CHECK(exchanged_texts("cudaMalloc(&a, n); cudaMemcpy(a, h, n, k);").empty());
  CHECK(exchanged_texts("cudaFree(a); check(cudaFree(b)); cudaEventDestroy(e);").empty());
  CHECK(exchanged_texts("ok(cudaMemcpy(a, h, n, k)); ok(cudaMemcpy(b, h, n, k));").empty());
  CHECK(exchanged_texts("cudaGetLastError(); printf(\"cudaFree(p);\");").empty());
}

TEST_CASE("calls that stand in their usual order stay") {
  CHECK(exchanged_texts("k<<<1, 2>>>(p); ok = check(cudaGetLastError());").empty());
  CHECK(exchanged_texts("k<<<1, 2>>>(p); check(cudaGetLastError()); j<<<1, 2>>>(p);").empty());
  CHECK(exchanged_texts("cudaEventRecord(e, t); cudaStreamWaitEvent(s, e, 0);").empty());
  CHECK(exchanged_texts("cudaDeviceSynchronize(); cudaFree(p);").empty());
  CHECK(exchanged_texts("err = cudaFree(p); step(cudaGetLastError(), err);").empty());
  CHECK(exchanged_texts("const auto t0 = now(); k<<<1, 2>>>(p); const auto t1 = now();").empty());
  CHECK(exchanged_texts("k<<<1, 2>>>(p); if (err != cudaSuccess) { cudaGetLastError(); return; }").empty());
}

TEST_CASE("the first clock goes before a launch, and the second one behind it") {
  CHECK(exchanged_texts("k<<<1, 2>>>(p); const auto t0 = now();") == Texts{"const auto t0 = now(); k<<<1, 2>>>(p);"});
  CHECK(exchanged_texts("const auto t0 = now(); int i; const auto t1 = now(); k<<<1, 2>>>(p);") ==
        Texts{"const auto t0 = now(); int i; k<<<1, 2>>>(p); const auto t1 = now();"});
}

TEST_CASE("declarations stay before what uses them, and pure ones stay") {
  CHECK(exchanged_texts("cudaError_t e = cudaGetLastError(); g(e);").empty());
  CHECK(exchanged_texts("int a = 1; int b = 2; dim3 block(8, 8); cudaGetLastError();").empty());
  CHECK(exchanged_texts("return f(); g();").empty());
}

TEST_CASE("an object whose destructor does something is exchanged with a call") {
  CHECK(
      applied_to(
          add_orders,
          "struct Fence { Fence() { cudaEventRecord(e); } ~Fence(); }; void f(L launch) { launch(); Fence fence; }") ==
      Texts{"struct Fence { Fence() { cudaEventRecord(e); } ~Fence(); }; void f(L launch) { Fence fence; launch(); }"});
}

TEST_CASE("in kernels only barriers and steps of variables are exchanged") {
  const std::string head = "__global__ void k(float* p) { ";
  CHECK(applied_to(add_orders, head + "__syncthreads(); s[i] = 1; g(); h(); }") ==
        Texts{head + "s[i] = 1; __syncthreads(); g(); h(); }"});
  CHECK(applied_to(add_orders, head + "if (i > n) return; __syncthreads(); }") ==
        Texts{head + "__syncthreads(); if (i > n) return; }"});
}

TEST_CASE("a variable moves on before or after its use") {
  CHECK(exchanged_texts("i += n; s += a[i];") == Texts{"s += a[i]; i += n;"});
  CHECK(exchanged_texts("x = a[b]; b = 1 - b;") == Texts{"b = 1 - b; x = a[b];"});
  CHECK(exchanged_texts("i += n; j += m;").empty());
  CHECK(exchanged_texts("i = 0; s += a[i];").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_order_patches
