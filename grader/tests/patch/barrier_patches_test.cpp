#include "patch/operators/barrier_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_barrier_patches {
namespace {

Texts with_barriers(const std::string& body) {
  Texts texts;
  const std::string head = "__global__ void k(float* p) { __shared__ float s[9]; const int t = threadIdx.x; ";
  for (const std::string& text : applied_to(add_barriers, head + body + " }")) {
    texts.push_back(text.substr(head.size(), text.size() - head.size() - 2));
  }
  return texts;
}

TEST_CASE("a barrier is put into the end of a loop over shared memory") {
  CHECK(with_barriers("for (int j = 0; j < n; ++j) {\n s[t] = p[j]; __syncthreads(); g(s);\n}") ==
        Texts{"for (int j = 0; j < n; ++j) {\n s[t] = p[j]; __syncthreads(); g(s);\n__syncthreads(); }"});
  CHECK(with_barriers("for (int j = 0; j < n; ++j) r += total(p[j], s);") ==
        Texts{"for (int j = 0; j < n; ++j) { r += total(p[j], s); __syncthreads(); }"});
}

TEST_CASE("a barrier is put before and behind a loop over shared memory") {
  CHECK(with_barriers("s[t] = 1; for (int d = 4; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }") ==
        Texts{"s[t] = 1; __syncthreads(); for (int d = 4; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; "
              "__syncthreads(); }"});
  CHECK(with_barriers("for (int j = t; j < 9; j += 3) s[j] = p[j]; p[t] = s[0];") ==
        Texts{"for (int j = t; j < 9; j += 3) s[j] = p[j]; __syncthreads(); p[t] = s[0];"});
}

TEST_CASE("there is none where not all threads would reach it, or where none is needed") {
  CHECK(with_barriers("for (int j = t; j < 9; j += 3) { s[j] = p[j]; g(); }").empty());
  CHECK(with_barriers("if (t < 32) { for (int d = 4; d > 0; d /= 2) { s[t] += s[t + d]; } }").empty());
  CHECK(with_barriers("for (int j = 0; j < n; ++j) { p[j] = 1; }").empty());
  CHECK(applied_to(add_barriers, "__global__ void k(float* p) { for (int j = 0; j < n; ++j) { p[j] = 1; } }").empty());
  CHECK(with_barriers("g(\"__shared__ s\"); for (int j = 0; j < n; ++j) { g(\"s\"); }").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_barrier_patches
