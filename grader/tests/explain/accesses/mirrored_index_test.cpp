// Indices that are counted from the end of an array.
#include "explain/accesses/mirrored_index.h"

#include <string>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_mirrored_index {
namespace {

const std::string kFirst = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
const std::string kBack = kFirst + "  int back = n - i;\n";

std::string with(const std::string& body, const std::string& access) {
  return "#define TILE 16\n__global__ void k(const float* in, float* out, int n, int m) {\n" + body + access + "\n}\n";
}

/// In line 5, behind two lines of the body; the access begins with its line.
MergedFinding shown(const std::string& body, const std::string& access, std::vector<GivenArgument> given = {{3, 256}},
                    std::uint64_t bytes = 1024, std::uint32_t column = 1) {
  MergedFinding finding;
  finding.id = finding_ids::kGlobalOutOfBounds;
  finding.kernel = "k";
  finding.where = {"k.cu", 5, column};
  finding.thread = Index3{0, 0, 0};
  finding.access.bytes = 4;
  finding.access.past_end_of = bytes;
  finding.launch.given = std::move(given);
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_mirrored_indices(findings, with(body, access), "k.cu");
  return findings.front();
}

/// What is proposed; empty: nothing is.
std::string proposed(const std::string& body, const std::string& access = "in[back] + 1;") {
  const MergedFinding found = shown(body, access);
  return found.proposed ? found.proposed->after : "";
}

}  // namespace

TEST_CASE("the line that computes a mirrored index is shown, with what is missing") {
  const MergedFinding found = shown(kBack, "in[back] + 1;");
  CHECK(found.where == SourcePlace{"k.cu", 4, 7});
  REQUIRE(found.other);
  CHECK(found.other->place == SourcePlace{"k.cu", 5, 1});
  CHECK(found.other->role == PlaceRole::access);
  CHECK_FALSE(found.thread);
  CHECK(found.help ==
        "where `i` is 0, `n - i` is `n`, one behind the last element, `n - 1`: counted from the end, the element "
        "opposite to `i` is `n - 1 - i`");
  CHECK(found.proposed == ProposedChange{4, 14, "n - i", "n - 1 - i"});
}

TEST_CASE("a mirrored index in the subscript is shown there") {
  const MergedFinding found = shown(kFirst + "\n", "in[n - i] + 1;");
  CHECK(found.where == SourcePlace{"k.cu", 5, 1});
  CHECK(found.thread == Index3{0, 0, 0});
  CHECK(found.proposed == ProposedChange{5, 4, "n - i", "n - 1 - i"});
  CHECK(shown(kFirst + "\n", "out[n - i] = 1;", {{3, 256}}, 1024, 12).proposed);
  CHECK(proposed("\n\n", "in[n - threadIdx.x];") == "n - 1 - threadIdx.x");
}

TEST_CASE("what threads count by is followed, through loops and constants") {
  CHECK(proposed("  for (unsigned i = blockIdx.x * TILE + threadIdx.x; i < n; i += gridDim.x * TILE) {\n"
                 "  int back = n - i;\n",
                 "in[back]; }") == "n - 1 - i");
  CHECK(proposed("  int t = threadIdx.x, i = t + int(blockIdx.x * 32);\n  const int back = n - i;\n") == "n - 1 - i");
  CHECK(proposed("  for (int i = threadIdx.x; a && i < n; ++i) {\n  int back = n - i;\n", "in[back]; }") ==
        "n - 1 - i");
}

TEST_CASE("nothing is said where the difference may be another mistake") {
  // What is taken away may be negative, or is no number of the thread.
  CHECK(proposed("  int i = threadIdx.x - 1;\n  int back = n - i;\n").empty());
  CHECK(proposed("  int i = threadIdx.x + m;\n  int back = n - i;\n").empty());
  CHECK(proposed("  int i = threadIdx.x; i -= 2;\n  int back = n - i;\n").empty());
  CHECK(proposed("  int i = threadIdx.x; --i;\n  int back = n - i;\n").empty());
  CHECK(proposed("  int i = threadIdx.x; move(&i);\n  int back = n - i;\n").empty());
  CHECK(proposed("  int i = m;\n  int back = n - i;\n").empty());
  CHECK(proposed("  int i = threadIdx.x;\n  int back = n - 1 - i;\n").empty());
  CHECK(proposed("  int i = threadIdx.x;\n  int back = n - i + 1;\n").empty());
  CHECK(proposed("  int i = threadIdx.x;\n  int back = m - i;\n").empty());
  CHECK(proposed(kBack, "in[back + 1];").empty());
  CHECK(proposed(kFirst + "  int back = n - i; back = i;\n").empty());
  // The array has another size, or begins elsewhere.
  CHECK_FALSE(shown(kBack, "in[back];", {{3, 255}}).proposed);
  CHECK_FALSE(shown(kBack, "in[back];", {{3, 256}, {1, 16, true}}).proposed);
  CHECK_FALSE(shown(kBack, "in[back];", {{3, 256}}, 1026).proposed);
  CHECK_FALSE(shown(kBack, "in[back];", {{3, 256}}, 0).proposed);
}

TEST_CASE("a long text of indices is read all the same") {
  std::string many = kFirst;
  for (int i = 0; i < 60'000; ++i) many += "int i = i + i; ";
  CHECK(proposed(many + "\n  int back = n - i;\n").empty());
  std::string same;
  for (int i = 0; i < 60'000; ++i) same += "i = threadIdx.x; ";
  CHECK(proposed(kFirst + same + "\n  int back = n - i;\n").empty());
  std::string chain;
  for (int i = 0; i < 20'000; ++i) chain += "int v" + std::to_string(i + 1) + " = v" + std::to_string(i) + " + v0; ";
  CHECK(proposed(chain + "\n  int back = n - v20000;\n").empty());
  CHECK(proposed(kFirst + "  int back = n - " + std::string(1 << 20, 'i') + ";\n").empty());
  CHECK(proposed(kFirst + std::string(1 << 20, '(') + "\n").empty());
}

}  // namespace cudalabs::test::of_mirrored_index
