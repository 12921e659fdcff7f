// Where a loop ends that adds up a tile.
#include "explain/values/sum_bound.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::string kernel(const std::string& depth, const std::string& end) {
  return "__global__ void k(float* c, int n) {\n  float sum = 0;\n  for (int t = 0; t < phases; ++t) {\n    "
         "load(t);\n" +
         depth + "    for (int k = 0; k < " + end + "; ++k) sum += as[ty][k] * bs[k][tx];\n  }\n  c[i] = sum;\n}\n";
}

const std::string kDepth = "    const int depth = min(16, n - t);\n";

MergedFinding stale(const std::string& detector) {
  MergedFinding made{finding(std::string(finding_ids::kResultMismatch), 8), {}};
  made.where.file = "k.cu";
  made.detector = detector;
  made.help = "as before";
  return made;
}

}  // namespace

TEST_CASE("sums that go on past a tile's part lead to what ends the loop") {
  CHECK(bound_of_tile_sum(kernel(kDepth, "depth"), 8) == SumBound{{{"depth"}, 5, 15}, 6});
  MergedFinding made = stale("product_keeps_old_tile");
  CHECK(show_sum_bound(made, kernel(kDepth, "depth")));
  CHECK(made.where.line == 5);
  CHECK(made.other->place.line == 6);
  made = stale("product_first_tiles");
  CHECK_FALSE(show_sum_bound(made, kernel(kDepth, "depth")));
}

TEST_CASE("a loop over a whole tile ends where it should") {
  CHECK_FALSE(bound_of_tile_sum(kernel("", "16"), 7));
  CHECK_FALSE(bound_of_tile_sum(kernel("    const int depth = 16;\n", "depth"), 8));
  CHECK_FALSE(bound_of_tile_sum(kernel("", "TILE"), 7));
}
