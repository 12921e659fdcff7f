// Reads of shared memory that nobody has written, with a barrier before them and without one.
#include "explain/barriers/unwritten_place.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unwritten_place {
namespace {

/// The tile is written in line 8, and read in line 12.
const std::string kTile =
    "constexpr int SIDE = 64, PITCH = 68;\n"
    "__global__ void k(const float* b, int n) {\n"
    "  __shared__ float tile[16 * PITCH];\n"
    "  for (int k0 = 0; k0 < n; k0 += 16) {\n"
    "    for (int e = t; e < 16 * SIDE; e += 256) {\n"
    "      const int k = e / SIDE;\n"
    "      const int j = e % SIDE;\n"
    "      tile[e] = b[(k0 + k) * n + j];\n"
    "    }\n"
    "    __syncthreads();\n"
    "\n"
    "    for (int k = 0; k < 16; ++k) sum += tile[k * PITCH + t + 16 * s];\n"
    "    __syncthreads();\n"
    "  }\n"
    "}\n";

const Help kAsBefore = Advice::write_before_read;

MergedFinding explained(const std::string& source, const Help& help = kAsBefore) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.message = "read of shared memory that no thread of the block has written";
  finding.where = {"k.cu", 12, 5};
  finding.note = "4 bytes at `tile[1036]`\nin 2 cases";
  finding.access.element = "tile[1036]";
  finding.help = help;
  show_unwritten_place(finding, source);
  return finding;
}

TEST_CASE("lines that count with rows of different lengths are shown, and no barrier is advised", "[explain]") {
  const MergedFinding made = explained(kTile);
  CHECK(made.message == "`tile` is written with rows of 64 elements, and read here with rows of 68");
  CHECK(made.help ==
        "line 8 fills `tile` with rows of 64 (`SIDE`) elements, and line 12 reads it with rows of 68 (`PITCH`): use "
        "the same row length in both lines");
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 8, 7});
  CHECK(made.other->label == "`tile` is written here");
  CHECK(explained(replaced(kTile, "tile[e]", "tile[k * 32 + j]")).message ==
        "`tile` is written with rows of 32 elements, and read here with rows of 68");
}

TEST_CASE("where the rows are alike, or not known, the writing line is shown", "[explain]") {
  const std::string alike =
      "line 8 writes `tile[k * PITCH + j]`: write every element before it is read, also those for which there is no "
      "input, and compute the same place for the same element in both lines";
  CHECK(explained(replaced(kTile, "tile[e]", "tile[k * PITCH + j]")).help == alike);
  CHECK(explained(replaced(kTile, "tile[k * P", "tile[64 * s + k * P")).message.starts_with("read of shared"));
  CHECK(explained(replaced(kTile, "e / SIDE", "e / n")).message.starts_with("read of shared"));
  CHECK(explained(replaced(kTile, "tile[e]", "if (j < n) tile[e]")).help.find("with rows of 64") != std::string::npos);
  const std::string conditional = replaced(kTile, "tile[e]", "if (j < n) tile[f(e)]");
  CHECK(explained(conditional).help.starts_with("line 8 writes `tile[f(e)]`, but only where `j < n` is true: write"));
}

TEST_CASE("of several lines that write none is shown", "[explain]") {
  const MergedFinding made = explained(replaced(kTile, "tile[e]", "tile[0] = 0; tile[e]"));
  CHECK_FALSE(made.other);
  CHECK(made.help.find("__syncthreads") == std::string::npos);
}

TEST_CASE("what stands before the advice stays", "[explain]") {
  CHECK(explained(kTile, {Advice::write_before_read, "the compiler warns; " + kAsBefore})
            .help.starts_with("the compiler warns; line 8 fills"));
}

TEST_CASE("where no barrier is known to stand between, or more lines may write, the advice stays", "[explain]") {
  CHECK(explained(replaced(kTile, "    __syncthreads();\n\n", "\n\n")).help == kAsBefore);
  CHECK(explained(replaced(kTile, "    __syncthreads();\n\n", "    if (k0) __syncthreads();\n\n")).help == kAsBefore);
  CHECK(explained(replaced(kTile, "tile[k * PITCH + t + 16 * s];\n", "tile[k * PITCH]; tile[t] = 0;\n")).help ==
        kAsBefore);
  CHECK(explained(replaced(kTile, "tile[e] =", "fill(tile); tile[e] =")).help == kAsBefore);
  CHECK(explained(replaced(kTile, "tile[e] =", "x =")).help == kAsBefore);
  CHECK(explained(kTile, "another help").help == "another help");
}

}  // namespace
}  // namespace cudalabs::test::of_unwritten_place
