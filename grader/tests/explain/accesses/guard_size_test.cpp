// Columns that are held against another size than the row's.
#include "explain/accesses/guard_size.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_guard_size {
namespace {

std::string kernel_with(const std::string& condition) {
  return "__global__ void k(const float* b, float* c, int n, int p) {\n  if (" + condition +
         ")\n    c[0] = b[i * p + col];\n}\n";
}

std::string help_for(const std::string& condition, std::uint64_t n, std::uint64_t p) {
  MergedFinding finding;
  finding.id = finding_ids::kGlobalOutOfBounds;
  finding.kernel = "k";
  finding.where = {"k.cu", 3, 5};
  finding.help = "as it was";
  finding.launch.given = {{3, n, false}, {4, p, false}};
  finding.other = OtherPlace{"the condition on `i` and `col` is here", {"k.cu", 2, 3}, {}, {}, PlaceRole::condition};
  std::vector<MergedFinding> findings{finding};
  show_guard_sizes(findings, kernel_with(condition), "k.cu");
  return findings.front().help;
}

}  // namespace

TEST_CASE("a subscript of a row and a column is read where names alone stand in it") {
  CHECK(flat_subscripts("c[row * p + col] = a[row*n+k] * b[k * p + col];") ==
        std::vector<FlatSubscript>{{"p", "col"}, {"n", "k"}, {"p", "col"}});
  CHECK(flat_subscripts("c[(row + 1) * p + col] = a[i] + b[col + row * p] + d[row * 16 + 1];").empty());
}

TEST_CASE("a column is compared with one bound") {
  CHECK(compared_with("if (k < n && col < m)", "col") == "m");
  CHECK(compared_with("if (row >= m || col >= p) return;", "col") == "p");
  CHECK(compared_with("if (col <= n)", "col").empty());
  CHECK(compared_with("if (col < n && col < p)", "col").empty());
  CHECK(compared_with("col << n", "col").empty());
}

TEST_CASE("a bound that is larger than the row is asked about") {
  CHECK(help_for("i < n && col < n", 64, 37) ==
        "line 2 holds `col` against `n`, which is 64 here, and in this index a row has `p` elements, 37: is the "
        "condition meant with `p`?");
  CHECK(help_for("i < n && col < n", 37, 64) == "as it was");
  CHECK(help_for("i < n && col < p", 64, 37) == "as it was");
  CHECK(help_for("i < n && col < TILE", 64, 37) == "as it was");
  CHECK(help_for("i < n", 64, 37) == "as it was");
}

}  // namespace cudalabs::test::of_guard_size
