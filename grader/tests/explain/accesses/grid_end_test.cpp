// Indices that are counted from the end of the grid.
#include "explain/accesses/grid_end.h"

#include <string>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_grid_end {
namespace {

const std::string kPlaces =
    "__device__ int place() { return blockIdx.x * blockDim.x + threadIdx.x; }\n"
    "__device__ int opposite() {\n  return gridDim.x * blockDim.x - 1 - place();\n}\n";

/// In line 7; the access begins with the line.
MergedFinding shown(const std::string& setting, const std::string& access,
                    std::vector<GivenArgument> given = {{3, 300}}, std::uint64_t bytes = 1200) {
  MergedFinding finding;
  finding.id = finding_ids::kGlobalOutOfBounds;
  finding.kernel = "k";
  finding.where = {"k.cu", 7, 1};
  finding.thread = Index3{0, 0, 0};
  finding.access.bytes = 4;
  finding.access.past_end_of = bytes;
  finding.launch.given = std::move(given);
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  const std::string kernel = "__global__ void k(const float* in, float* out, int n) {\n";
  show_grid_ends(findings, kPlaces + kernel + setting + "\n" + access + "\n}\n", "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("the function that counts from the end of the grid is shown") {
  const MergedFinding found = shown("", "in[opposite()] + 1;");
  CHECK(found.where == SourcePlace{"k.cu", 3, 10});
  REQUIRE(found.other);
  CHECK(found.other->place == SourcePlace{"k.cu", 7, 1});
  CHECK(found.help ==
        "`gridDim.x * blockDim.x` is the number of threads, and there may be more of them than elements: count from "
        "the end of the array, with `n` in its place; `opposite` needs that as an argument");
  CHECK_FALSE(found.proposed);
  CHECK(shown("  int back = opposite();", "in[back] + 1;").where.line == 3);
}

TEST_CASE("an index that the kernel itself counts from there is to be changed there") {
  CHECK(shown("  int i = place();", "in[gridDim.x * blockDim.x - 1 - i] + 1;").proposed ==
        ProposedChange{7, 4, "gridDim.x * blockDim.x", "n"});
  CHECK(shown("  int i = place(), back = (blockDim.x * gridDim.x) - 1 - i;", "in[back] + 1;").proposed ==
        ProposedChange{6, 28, "blockDim.x * gridDim.x", "n"});
  CHECK(shown("  int all = gridDim.x * blockDim.x;", "in[all - 1 - place()] + 1;").proposed ==
        ProposedChange{7, 4, "all", "n"});
}

TEST_CASE("where the column is that of the statement the line's only such index is meant") {
  CHECK(shown("", "  out[place()] = in[opposite()] + 1;").where.line == 3);
  CHECK(shown("", "  out[opposite()] = in[gridDim.x * blockDim.x - 1 - place()];").help == "as before");
}

TEST_CASE("nothing is said of indices that are counted otherwise") {
  for (const char* other : {"in[n - 1 - place()];", "in[place()];", "in[gridDim.x * blockDim.x - n];",
                            "in[gridDim.x * blockDim.y - 1 - place()];", "in[gridDim.x - 1 - blockIdx.x];"})
    CHECK(shown("", other).help == "as before");
  CHECK(shown("  int all = n;", "in[all - 1 - place()] + 1;").help == "as before");
}

TEST_CASE("no size is put in the place of the grid that is not the array's") {
  CHECK(shown("", "in[opposite()] + 1;", {{3, 299}}).help == "as before");
  CHECK(shown("", "in[opposite()] + 1;", {{3, 300}, {1, 16, true}}).help == "as before");
  CHECK(shown("", "in[opposite()] + 1;", {{3, 300}}, 0).help == "as before");
}

TEST_CASE("a long text of grids is read all the same") {
  std::string many;
  while (many.size() < 1 << 20) many += "int all = gridDim.x * blockDim.x - 1 - all; ";
  CHECK(shown(many, "in[all] + 1;").id == finding_ids::kGlobalOutOfBounds);
  CHECK(shown("", "in[all - 1 - " + std::string(1 << 20, '(') + "];").help == "as before");
}

}  // namespace cudalabs::test::of_grid_end
