// Blocks that do several times as many elements as they have threads, and begin as if they did not.
#include "explain/elements/overlapping_blocks.h"

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kOverlapping = R"(#define COARSE 4
__global__ void product(float* c, int m, int p) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < COARSE; ++i)
    if (row < m && first + i * blockDim.x < p) c[row * p + first + i * blockDim.x] = 0;
}
void run(float* c, int m, int p) {
  dim3 grid((p + 127) / 128, m);
  product<<<grid, dim3(32, 2)>>>(c, m, p);
}
)";

/// Of 3 rows, `written` columns are; the grid has as many blocks along x.
CaseRun columns_of(std::int64_t all, std::int64_t written, std::uint32_t blocks) {
  datasets::Array output = float_matrix("c", 3, all);
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t column = written; column < all; ++column) poison(output, row * all + column);
  CaseRun case_run = case_run_with("case_" + std::to_string(all), expected_matrix(3, all), std::move(output));
  case_run.observed.launches.emplace_back().kernel = "product";
  case_run.observed.launches.back().config = {{blocks, 2, 1}, {32, 2, 1}};
  return case_run;
}

struct OverlapSeen {
  bool explained = false;
  MergedFinding finding;
};

OverlapSeen overlap_in(std::vector<CaseRun> case_runs, const std::string& source = kOverlapping) {
  SubmissionRun submission_run;
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"k.cu", 10, 3};
  finding.kernel = "product";
  finding.output = "c";
  finding.reach = Reach::too_few;
  for (const CaseRun& case_run : case_runs) finding.cases.push_back(case_run.test.spec.name);
  finding.shown = finding.cases.front();
  submission_run.case_runs = std::move(case_runs);
  const bool done = explain_overlapping_blocks(finding, source, submission_run);
  return {done, finding};
}

}  // namespace

TEST_CASE("blocks whose columns overlap are told by the program's own factor") {
  const auto [done, finding] = overlap_in({columns_of(200, 160, 2)});
  CHECK(done);
  CHECK(finding.where.line == 4);
  CHECK(finding.other->place.line == 10);
  CHECK(finding.help.find("begin at `blockIdx.x * (COARSE * blockDim.x) + threadIdx.x`") != std::string::npos);
}

TEST_CASE("without such a factor several numbers of blocks have to agree") {
  const std::string plain = replaced(kOverlapping, "#define COARSE 4\n", "extern int COARSE;\n");
  CHECK_FALSE(overlap_in({columns_of(200, 160, 2)}, plain).explained);
  const auto [done, finding] = overlap_in({columns_of(200, 160, 2), columns_of(300, 192, 3)}, plain);
  CHECK(done);
  CHECK(finding.help.find("blockIdx.x * (4 * blockDim.x)") != std::string::npos);
}

TEST_CASE("a grid that is too small is no overlap, nor is another factor than the program's") {
  CHECK_FALSE(overlap_in({columns_of(200, 64, 2)}).explained);
  CHECK_FALSE(overlap_in({columns_of(200, 128, 2)}).explained);
  CHECK_FALSE(overlap_in({columns_of(200, 150, 2)}).explained);
}

}  // namespace cudalabs::test
