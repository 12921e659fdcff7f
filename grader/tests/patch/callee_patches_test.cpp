#include "patch/operators/callee_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_callees {
namespace {

TEST_CASE("a call may be taken for one that does nearly the same") {
  CHECK(changed(add_callees, "return cudaPeekAtLastError();") == Texts{"return cudaGetLastError();"});
  CHECK(changed(add_callees, "__syncwarp(); __syncwarp(0xff);") == Texts{"__syncthreads(); __syncwarp(0xff);"});
  CHECK(changed(add_callees, "cudaGetLastError(); g(cudaPeekAtLastError); puts(\"__syncwarp()\");").empty());
}

TEST_CASE("copies that all go one way may go the other way") {
  CHECK(changed(add_callees, "cudaMemcpy(x, y, n, cudaMemcpyHostToDevice);") ==
        Texts{"cudaMemcpy(x, y, n, cudaMemcpyDeviceToHost);"});
  CHECK(changed(add_callees, "g(cudaMemcpyHostToDevice); g(cudaMemcpyDeviceToHost);").empty());
}

TEST_CASE("a goto may go to another label of its function") {
  CHECK(changed(add_labels, "if (m) goto a; b: g(x); a: h(n ? m : n);") ==
        Texts{"if (m) goto b; b: g(x); a: h(n ? m : n);"});
  CHECK(changed(add_labels, "goto a; a: g(); } void h() { b: g();").empty());
  CHECK(changed(add_labels, "switch (m) { case 1: g(); default: h(); } goto a; a: g();").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_callees
