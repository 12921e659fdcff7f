// Arguments of a kernel that are exchanged, or numbers of its grid.
#include "catch.h"
#include "explain/repairs/repair.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_exchanged_arguments {

using vgpu::Mutant;

TEST_CASE("exchanged arguments of a kernel give way to a grid that is made of several numbers in the launch") {
  const auto shown = [](const std::string& grid, std::string_view id) {
    Repair repair;
    repair.mutant.change = Mutant::Change::argument;
    repair.mutant.kernel = "k";
    repair.mutant.original_parameter = 0;
    repair.mutant.replacement_parameter = 1;
    repair.mutant.replacement = "exchanged";
    repair.where = {"a.cu", 2, 0};
    SubmissionRun submission_run;
    submission_run.repairs = {{repair}, 3};
    MergedFinding finding;
    finding.id = id;
    std::vector<MergedFinding> findings{finding};
    const std::string source =
        "__global__ void k(int w, int h) { c[w] = h; }\nvoid f(int n, int m) { k<<<" + grid + ", 32>>>(n, m); }\n";
    return show_repair(findings, source, "a.cu", submission_run, false);
  };
  CHECK_FALSE(shown("grid_for(m, n)", finding_ids::kUnwrittenOutput));
  CHECK(shown("grid_for(m, n)", finding_ids::kResultMismatch));
  CHECK(shown("dim3((m + 31) / 32, n)", finding_ids::kResultMismatch));
  CHECK_FALSE(makes_grid_of_several("k<<<dim3((m + 31) / 32, n), 32>>>(m);", 1));
  CHECK_FALSE(makes_grid_of_several("k<<<grid, 32>>>(m, n);", 1));
  CHECK_FALSE(makes_grid_of_several("k<<<grid_for(m), 32>>>(m, n);", 1));
  CHECK_FALSE(makes_grid_of_several("k<<<f(m, n) + 1, 32>>>(m, n);", 1));
  CHECK(makes_grid_of_several("k<<<f(m, n), 32>>>(m, n);", 1));
}

}  // namespace cudalabs::test::of_exchanged_arguments
