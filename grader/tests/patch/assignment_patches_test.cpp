#include "patch/operators/assignment_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_assignment_patches {
namespace {

Texts applied_texts(std::string_view body) {
  return applied_in_body(add_assignments, body);
}

TEST_CASE("the status of a call that frees something is dropped") {
  CHECK(applied_texts("err = cudaFree(p); g(err);") == Texts{"cudaFree(p); g(err);"});
  CHECK(words_in_body(add_assignments, "err = cudaFree(p); g(err);") == Texts{"without `err =`"});
  CHECK(applied_texts("ok = check(cudaEventDestroy(e));") == Texts{"check(cudaEventDestroy(e));"});
}

TEST_CASE("a dropped status goes into the only variable for one") {
  CHECK(applied_texts("cudaError_t e; cudaDeviceSynchronize(); if (e != cudaSuccess) g();") ==
        Texts{"cudaError_t e; e = cudaDeviceSynchronize(); if (e != cudaSuccess) g();"});
  CHECK(applied_texts("cudaError_t e = h(); cudaDeviceSynchronize(); g(e);") ==
        Texts{"cudaError_t e = h(); if (e == cudaSuccess) e = cudaDeviceSynchronize(); g(e);"});
}

TEST_CASE("a dropped status stays so without a variable that is looked at later") {
  CHECK(applied_texts("cudaDeviceSynchronize(); cudaError_t e = h(); g(e);").empty());
  CHECK(applied_texts("cudaError_t e = h(); g(e); cudaDeviceSynchronize();").empty());
  CHECK(applied_texts("const cudaError_t e = h(); cudaDeviceSynchronize(); g(e);").empty());
  CHECK(applied_texts("cudaError_t e, d; cudaDeviceSynchronize(); g(e, d);").empty());
  CHECK(applied_texts("{ cudaError_t e = h(); } cudaDeviceSynchronize(); g(e);").empty());
  CHECK(applied_texts("cudaError_t e = h(); cudaFree(p); cudaGetLastError(); g(e);").empty());
  CHECK(applied_texts("cudaError_t e = h(); g(\"cudaDeviceSynchronize();\", e);").empty());
}

TEST_CASE("a status that would overwrite another one is asked for only after success") {
  CHECK(applied_texts("cudaError_t e = a(); e = b(); g(e);") ==
        Texts{"cudaError_t e = a(); if (e == cudaSuccess) e = b(); g(e);"});
  CHECK(applied_texts("bool ok = a(); ok = b(); if (ok) g();") ==
        Texts{"bool ok = a(); if (ok) ok = b(); if (ok) g();"});
  CHECK(applied_texts("bool bad = a(); bad = b(); if (!bad && x) g();") ==
        Texts{"bool bad = a(); if (!bad) bad = b(); if (!bad && x) g();"});
  CHECK(applied_texts("cudaError_t e; for (;;) { e = b(); } g(e);") ==
        Texts{"cudaError_t e; for (;;) { if (e == cudaSuccess) e = b(); } g(e);"});
  CHECK(words_in_body(add_assignments, "bool ok = a(); ok = b(); if (ok) g();") == Texts{"`if (ok)` before it"});
}

TEST_CASE("a status that overwrites none that matters stays") {
  CHECK(applied_texts("cudaError_t e = cudaSuccess; e = b(); g(e);").empty());
  CHECK(applied_texts("cudaError_t e = a(); g(e); e = b(); g(e);").empty());
  CHECK(applied_texts("cudaError_t e = a(); if (e == cudaSuccess) e = b(); g(e);").empty());
  CHECK(applied_texts("bool ok = a(); ok = ok && b(); if (ok) g();").empty());
  CHECK(applied_texts("int n = a(); n = b(); g(n);").empty());
  CHECK(applied_texts("bool ok = a(); ok = true; if (ok) g();").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_assignment_patches
