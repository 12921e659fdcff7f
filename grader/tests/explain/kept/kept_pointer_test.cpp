// Memory that a second call frees, through pointers of the first.
#include "explain/kept/kept_pointer.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_kept_pointer {
namespace {

const std::string kAdd =
    "static float *d_a, *d_b;\n"
    "void add(int n) {\n"
    "  cudaError_t error = cudaMalloc(&d_a, n);\n"
    "  if (!error) error = cudaMalloc(&d_b, n);\n"
    "  if (!error) k<<<1, n>>>(d_a, d_b);\n"
    "  cudaFree(d_a);\n"
    "  cudaFree(d_b);\n"
    "}\n";

MergedFinding freed_again(bool right_at_first = true) {
  MergedFinding finding;
  finding.id = finding_ids::kInvalidFree;
  finding.where = {"k.cu", 6, 3};
  finding.right_at_first = right_at_first;
  finding.note = "the first call was right";
  finding.other = OtherPlace{"it was freed here", {"k.cu", 7, 3}, {}, {}, PlaceRole::freeing};
  finding.help = "look at what is kept";
  return finding;
}

TEST_CASE("pointers outside of functions that are freed and not set back are stale", "[explain]") {
  CHECK(stale_pointers(kAdd) == std::vector<Setting>{{{"d_a"}, 1, 15}, {{"d_b"}, 1, 21}});
  CHECK(stale_pointers(replaced(kAdd, "*d_a, *d_b;", "*d_a = nullptr, *d_b = nullptr;")).size() == 2);
  CHECK(stale_pointers(replaced(kAdd, "cudaFree(d_b);", "cudaFree(d_b); d_b = nullptr;")) ==
        std::vector<Setting>{{{"d_a"}, 1, 15}});
}

TEST_CASE("all pointers of a line that allocates several are stale", "[explain]") {
  const std::string joined = replaced(replaced(kAdd, "  cudaError_t error = cudaMalloc(&d_a, n);\n", ""),
                                      "  if (!error) error = cudaMalloc(&d_b, n);",
                                      "  bool error = cudaMalloc((void**)&d_a, n) || cudaMalloc(&d_b, n);");
  CHECK(stale_pointers(joined) == std::vector<Setting>{{{"d_a"}, 1, 15}, {{"d_b"}, 1, 21}});
  CHECK(stale_pointers(replaced(joined, "cudaFree(d_a);", "cudaFree(d_a), d_a = nullptr;")) ==
        std::vector<Setting>{{{"d_b"}, 1, 21}});
  CHECK(stale_pointers(replaced(joined, "cudaMalloc(&d_b, n)", "cudaMalloc(d_b, n)")) ==
        std::vector<Setting>{{{"d_a"}, 1, 15}});
}

TEST_CASE("pointers of the function, and what is not freed, are not", "[explain]") {
  CHECK(
      stale_pointers(replaced(replaced(kAdd, "static float *d_a, *d_b;", ""), "{\n", "{ float *d_a, *d_b;\n")).empty());
  CHECK(stale_pointers(replaced(replaced(kAdd, "  cudaFree(d_a);\n", ""), "  cudaFree(d_b);\n", "")).empty());
  CHECK(stale_pointers(replaced(kAdd, "void add(int n) {", "void add(int n) { d_a = d_b = nullptr;")).size() < 2);
}

TEST_CASE("a second call that frees the memory of the first is shown with them", "[explain]") {
  std::vector<MergedFinding> findings{freed_again(), freed_again(false)};
  show_kept_pointers(findings, kAdd, "k.cu");
  CHECK(findings[0].help ==
        "`d_a` and `d_b` outlive the call, and still have the address after `cudaFree`: set each to `nullptr` "
        "behind it, or declare them inside the function");
  CHECK(findings[0].note == "it was freed in line 7\nthe first call was right");
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place == SourcePlace{"k.cu", 1, 15});
  CHECK(findings[1].help == "look at what is kept");
}

}  // namespace
}  // namespace cudalabs::test::of_kept_pointer
