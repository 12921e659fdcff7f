#include "patch/operators/start_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_starts {
namespace {

TEST_CASE("a loop may begin at the thread's number in the grid") {
  const auto started = [](std::string_view code) { return changed(add_starts, code); };
  const std::string decl = "const int t = threadIdx.x; const int first = blockIdx.x * BLOCK + t; ";
  CHECK(started(decl + "for (int i = n + t; i < m; i += p) g(i);") ==
        Texts{decl + "for (int i = n + first; i < m; i += p) g(i);"});
  CHECK(started(decl + "for (int i = threadIdx.x; i < m; i += p) g(i);") ==
        Texts{decl + "for (int i = first; i < m; i += p) g(i);"});
  CHECK(started("int i = threadIdx.x + blockDim.x * blockIdx.x; for (int k = threadIdx.x + n; k < m; ++k) g(k);") ==
        Texts{"int i = threadIdx.x + blockDim.x * blockIdx.x; for (int k = i + n; k < m; ++k) g(k);"});
}

TEST_CASE("a loop that begins elsewhere, or a function without such a number, stays") {
  const auto started = [](std::string_view code) { return changed(add_starts, code); };
  const std::string decl = "const int t = threadIdx.x; const int first = blockIdx.x * BLOCK + t; ";
  CHECK(started(decl + "for (int i = first; i < m; i += p) g(t);").empty());
  CHECK(started(decl + "for (int i = 2 * t; i < m; i += p) g(i);").empty());
  CHECK(started(decl + "for (int i = 0; i < t; ++i) g(i);").empty());
  CHECK(started("const int t = threadIdx.x; for (int i = t; i < m; i += p) g(i);").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_starts
