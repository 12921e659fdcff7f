// Lines that make a value one step before it is set.
#include "explain/places/made_value.h"

#include <string>

#include "catch.h"
#include "explain/places/set_here.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

MergedFinding shown(MergedFinding finding, std::string_view source) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_made_values(findings, source, "k.cu");
  return findings.front();
}

MergedFinding empty_grid(std::uint32_t launch, std::uint32_t set, const Index3& extents) {
  MergedFinding finding;
  finding.id = finding_ids::kInvalidLaunch;
  finding.launch.refused_grid = extents;
  finding.where = {"k.cu", launch, 1};
  finding.other = set_here("grid", {"k.cu", set, 8});
  finding.help = "as before";
  return finding;
}

constexpr std::string_view kGrids =
    "#define GRID_X(w) (((w) + BX - 1) / BX)\n"
    "#define GRID_Y(h) (((h) + BY - 1) / BX)\n"
    "int cover(int size) {\n"
    "  return (int)std::ceil((double)(size / SIDE));\n"
    "}\n"
    "void f(int w, int h) {\n"
    "  dim3 grid(GRID_X(w), GRID_Y(h));\n"
    "  const dim3 other = dim3(cover(w), cover(h));\n"
    "  dim3 plain(w / 32, 1);\n"
    "  k<<<grid, block>>>();\n"
    "}\n";

TEST_CASE("the macro or function that gives a grid its empty dimension", "[explain]") {
  const MergedFinding macro = shown(empty_grid(10, 7, {1, 0, 1}), kGrids);
  REQUIRE(macro.other);
  CHECK(macro.other->place.line == 2);
  CHECK(macro.other->label == "`GRID_Y` gives the y of `grid` in line 7");
  CHECK(macro.help.starts_with("`BY - 1` is added, and it is divided by `BX`"));
  MergedFinding of_function = empty_grid(10, 8, {0, 0, 1});
  of_function.other->name = "other";
  const MergedFinding function = shown(of_function, kGrids);
  CHECK(function.other->place.line == 4);
  CHECK(function.help.starts_with("`size / SIDE` divides whole numbers and drops what is left over before `ceil`"));
  CHECK(shown(empty_grid(10, 7, {0, 1, 1}), kGrids).help.ends_with("check the division in line 1"));
}

TEST_CASE("a grid that no call of the source gives its extent stays as it is", "[explain]") {
  for (const MergedFinding& finding :
       {empty_grid(10, 9, {0, 1, 1}), empty_grid(10, 7, {1, 1, 0}), empty_grid(10, 99, {0, 1, 1})}) {
    const MergedFinding same = shown(finding, kGrids);
    CHECK(same.other->place.line == finding.other->place.line);
    CHECK(same.help == "as before");
  }
  MergedFinding too_large = empty_grid(10, 7, {1, 70000, 1});
  CHECK(shown(too_large, kGrids).other->place.line == 7);
}

constexpr std::string_view kViews =
    "struct View {\n"
    "  const float* data;\n"
    "  int width;\n"
    "  __device__ float at(int i, int j) const { return data[i * width + j]; }\n"
    "};\n"
    "__global__ void k(View a, View b) { use(a.at(0, 0), b.at(0, 0)); }\n"
    "void f(const float* d_a, const float* d_b) {\n"
    "  const View a{d_a, n};\n"
    "  View b = {d_b, n};\n"
    "}\n";

MergedFinding outside(const std::string& array) {
  MergedFinding finding;
  finding.id = finding_ids::kGlobalOutOfBounds;
  finding.where = {"k.cu", 4, 50};
  finding.of_values = "product_row_of_b";
  finding.access.array = array;
  return finding;
}

TEST_CASE("members of the structure that an access counts with", "[explain]") {
  const MergedFinding finding = shown(outside("b"), kViews);
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 9);
  CHECK(finding.other->label == "the `View` of `b` gets its values here");
  CHECK(shown(outside("a"), kViews).other->place.line == 8);
}

TEST_CASE("a structure may be a template, and have another name", "[explain]") {
  const auto line = [&](const std::string& made) {
    MergedFinding finding = outside("b");
    const std::string head = std::string(kViews).substr(0, kViews.find("__global__"));
    const MergedFinding with_line = shown(finding, head + "using In = View<const float>;\nusing Of = Other;\n" + made);
    return with_line.other ? with_line.other->place.line : 0;
  };
  CHECK(line("const In b{d_b, n};\n") == 8);
  CHECK(line("View<const float> b{d_b, n};\n") == 8);
  CHECK(line("Of b{d_b, n};\n") == 0);
  CHECK(line("const In b{d_b, n};\nView b{d_b, m};\n") == 0);
}

TEST_CASE("accesses without such a structure, or with several, are left alone", "[explain]") {
  CHECK_FALSE(shown(outside("c"), kViews).other);
  CHECK_FALSE(shown(outside("b"), std::string(kViews) + "View again{d_b, m};\n").other);
  MergedFinding other_line = outside("b");
  other_line.where.line = 8;
  REQUIRE(shown(other_line, kViews).other);  // an access of an object of the only structure that is made of `b`
  CHECK(shown(other_line, kViews).other->place.line == 9);
  CHECK_FALSE(shown(other_line, std::string(kViews) + "struct Also {\n  float* p;\n};\nAlso again{d_b};\n").other);
  MergedFinding no_row = outside("b");
  no_row.of_values = "product_transposed_a";
  CHECK_FALSE(shown(no_row, kViews).other);
}

constexpr std::string_view kShares =
    "int on_the_host(int n) { return n / 256; }\n"
    "__device__ int share(int weight, int colour) {\n"
    "  return weight * colour / 256;\n"
    "}\n"
    "__global__ void k(const uchar3* in, unsigned char* out) {\n"
    "  out[i] = share(77, in[i].x) + share(150, in[i].y) + (29 * in[i].z >> 8);\n"
    "}\n";

MergedFinding wrong_gray(const std::string& detector) {
  MergedFinding finding;
  finding.detector = detector;
  finding.where = {"k.cu", 6, 10};
  return finding;
}

TEST_CASE("the first division of a term by 256 is shown where each term was divided", "[explain]") {
  const MergedFinding finding = shown(wrong_gray("gray_of_divided_terms"), kShares);
  CHECK(finding.where.line == 3);
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 6);
  CHECK(shown(wrong_gray("gray_of_divided_terms"), "__device__ int f(int w) { return w >> 8; }\n").where.line == 1);
  CHECK(shown(wrong_gray("gray_of_bytes"), kShares).where.line == 6);
  CHECK(shown(wrong_gray("gray_of_divided_terms"), "__device__ int f(int w) { return w / 2560; }\n").where.line == 6);
  CHECK(shown(wrong_gray("gray_of_divided_terms"), "__device__ int f(int w) { return w >> 80; } // /").where.line == 6);
}

}  // namespace
}  // namespace cudalabs
