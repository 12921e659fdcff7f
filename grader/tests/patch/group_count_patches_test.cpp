#include "patch/operators/group_count_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_group_count_patches {
namespace {

Texts counted(const std::string& code) {
  return changed(add_group_counts, code);
}

TEST_CASE("a number of groups that is added to an index is multiplied by their size") {
  const std::string wide = "const int quads = n / LANES; float4 v = ((float4*)x)[m]; ";
  CHECK(counted(wide + "int k = quads + m; x[k] = 0;") == Texts{wide + "int k = quads * LANES + m; x[k] = 0;"});
  CHECK(counted(wide + "x[m + quads] = 0;") == Texts{wide + "x[m + quads * LANES] = 0;"});
  CHECK(counted(wide + "for (int k = quads; k < n; ++k) x[k] = 0;") ==
        Texts{wide + "for (int k = quads * LANES; k < n; ++k) x[k] = 0;"});
  const std::string shifted = "const int quads = n >> 2; float4 v = ((float4*)x)[m]; ";
  CHECK(counted(shifted + "x[quads + m] = 0;") == Texts{shifted + "x[quads * 4 + m] = 0;"});
  CHECK(patches_of(add_group_counts, "void f(int n, int m, float* x) { " + wide + "x[quads + m] = 0; }")[0].words ==
        "`quads * LANES` in place of `quads`");
}

TEST_CASE("a number of groups that ends a loop, has a factor, or belongs to no wide access stays") {
  const std::string wide = "const int quads = n / 4; float4 v = ((float4*)x)[m]; ";
  CHECK(counted(wide + "if (m < quads) x[m] = 0;").empty());
  CHECK(counted(wide + "if (m + 1 < quads + p) x[m] = 0;").empty());
  CHECK(counted(wide + "x[4 * quads + m] = 0;").empty());
  CHECK(counted(wide + "x[quads - m] = 0;").empty());
  CHECK(counted("const int quads = n / 4; x[quads + m] = 0;").empty());
  CHECK(counted("const int quads = n - 4; float4 v = ((float4*)x)[m]; x[quads + m] = 0;").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_group_count_patches
