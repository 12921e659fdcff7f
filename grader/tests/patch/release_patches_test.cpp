#include "patch/operators/release_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_release_patches {
namespace {

Texts released_texts(std::string_view body) {
  return applied_in_body(add_releases, body);
}

TEST_CASE("what has been made is released before an early return") {
  CHECK(released_texts("cudaMalloc(&p, n); if (x) return; cudaFree(p);") ==
        Texts{"cudaMalloc(&p, n); if (x) { cudaFree(p); return; } cudaFree(p);"});
  CHECK(words_in_body(add_releases, "cudaMalloc(&p, n); if (x) return; cudaFree(p);") ==
        Texts{"`cudaFree(p)` before it"});
  CHECK(released_texts("cudaEventCreate(&e[0]); if (g()) { h(); return -1; } for (auto m : e) cudaEventDestroy(m);") ==
        Texts{"cudaEventCreate(&e[0]); if (g()) { h(); { for (auto m : e) cudaEventDestroy(m); return -1; } } for "
              "(auto m : e) cudaEventDestroy(m);"});
  CHECK(released_texts("float* p = new float[4]; if (x) return; delete[] p;") ==
        Texts{"float* p = new float[4]; if (x) { delete[] p; return; } delete[] p;"});
  CHECK(released_texts("cudaMalloc(&p, n); if (x) return; err = check(cudaFree(p)); if (q) cudaFree(q);") ==
        Texts{"cudaMalloc(&p, n); if (x) { cudaFree(p); return; } err = check(cudaFree(p)); if (q) cudaFree(q);"});
}

TEST_CASE("loops are left with what they have made released") {
  CHECK(released_texts("for (;;) { cudaMalloc(&p, n); if (x) continue; cudaFree(p); } cudaFree(p);") ==
        Texts{"for (;;) { cudaMalloc(&p, n); if (x) { cudaFree(p); continue; } cudaFree(p); } cudaFree(p);"});
}

TEST_CASE("a goto does not jump past a release") {
  CHECK(released_texts("cudaMalloc(&p, n); if (x) goto out; cudaFree(p); out: return;") ==
        Texts{"cudaMalloc(&p, n); if (x) { cudaFree(p); goto out; } cudaFree(p); out: return;"});
  CHECK(released_texts("cudaMalloc(&p, n); if (x) goto out; g(); out: cudaFree(p);").empty());
}

TEST_CASE("nothing is released that is not made, or is released already") {
  CHECK(released_texts("if (n == 0) return; cudaMalloc(&p, n); cudaFree(p);").empty());
  CHECK(released_texts("if (cudaMalloc(&p, n) != cudaSuccess) return; cudaFree(p);").empty());
  CHECK(released_texts("cudaMalloc(&p, n); if (x) { cudaFree(p); return; } cudaFree(p);").empty());
  CHECK(released_texts("e = cudaMalloc(&p, n); if (e != cudaSuccess) return; cudaFree(p);").empty());
  CHECK(released_texts("cudaEventCreate(&a); if (g()) return cudaEventDestroy(a), -1; cudaEventDestroy(a);").empty());
  CHECK(released_texts("cudaMalloc(&p, n); if (x) return; if (y) { g(); cudaFree(p); }").empty());
  CHECK(released_texts("cudaMalloc(&p, n); cudaFree(p); return;").empty());
  CHECK(released_texts("cudaMalloc(&p, n); if (x) return; g(\"cudaFree(p);\");").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_release_patches
