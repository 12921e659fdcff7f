// Threads that go on along another axis of the launch than they begin on.
#include "explain/elements/crossed_axis.h"

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kCrossed = R"(__global__ void twice(float* out, int rows, int columns) {
  const int step = gridDim.x * blockDim.y;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += step)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < columns; col += gridDim.x * blockDim.x)
      out[row * columns + col] = 2;
}
void run(float* out, int rows, int columns) {
  const dim3 grid(8, 4);
  twice<<<grid, dim3(16, 16)>>>(out, rows, columns);
}
)";

MergedFinding axes_seen(std::string_view id, std::uint32_t line, Index3 grid, const std::string& source = kCrossed,
                        Index3 block = {16, 16, 1}) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"k.cu", line, 3};
  finding.help = "as before";
  if (id != finding_ids::kWrongWhenTimed) {
    finding.kernel = "twice";
    finding.cases = {"wide"};
  }
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(case_run_with("wide", expected_matrix(2, 2), float_matrix("out", 2, 2)));
  Observation& observed = submission_run.case_runs.back().observed;
  observed.launches.emplace_back().kernel = "twice";
  observed.launches.back().config = {grid, block};
  std::vector<MergedFinding> findings{finding};
  show_crossed_axes(findings, source, "k.cu", submission_run);
  return findings.front();
}

TEST_CASE("the step along another axis is shown where the launch tells the axes apart") {
  const MergedFinding timed = axes_seen(finding_ids::kWrongWhenTimed, 9, {8, 4, 1});
  CHECK(timed.where == SourcePlace{"k.cu", 2, 20});
  CHECK_FALSE(timed.other);
  CHECK(timed.help ==
        "`row` begins with `blockIdx.y` and goes on by `gridDim.x`: the step of a loop belongs to the axis of its "
        "first value; write `gridDim.y`");
  CHECK(timed.proposed == ProposedChange{2, 20, "gridDim.x", "gridDim.y"});
  const MergedFinding missing = axes_seen(finding_ids::kUnwrittenOutput, 5, {8, 4, 1});
  CHECK(missing.where.line == 2);
  CHECK(missing.other->place.line == 5);
}

TEST_CASE("a race keeps its lines") {
  const MergedFinding race = axes_seen(finding_ids::kGlobalRace, 5, {2, 4, 1});
  CHECK(race.where.line == 5);
  CHECK(race.help.starts_with("`row` begins with `blockIdx.y` and goes on by `gridDim.x` of line 2"));
}

TEST_CASE("a step by blocks of another extent is named where no loop tells its axis") {
  const std::string source =
      replaced(kCrossed, "int row = blockIdx.y * blockDim.y + threadIdx.y", "int row = first(0)");
  const MergedFinding same = axes_seen(finding_ids::kGlobalRace, 5, {2, 4, 1}, source);
  CHECK(same.help == "as before");  // a block of 16 x 16
  const MergedFinding race = axes_seen(finding_ids::kGlobalRace, 5, {2, 4, 1}, source, {32, 8, 1});
  CHECK(race.where.line == 5);
  CHECK(
      race.help ==
      "`gridDim.x` is multiplied by `blockDim.y` in line 2, but `blockIdx.x` by `blockDim.x`: such a step does not fit "
      "the blocks; write `blockDim.x`");
  CHECK(axes_seen(finding_ids::kUnwrittenOutput, 5, {2, 4, 1}, source, {32, 8, 1}).where.line == 2);
}

TEST_CASE("axes that are alike in the launches explain nothing, nor does a step along the right one") {
  CHECK(axes_seen(finding_ids::kUnwrittenOutput, 5, {4, 4, 1}).help == "as before");
  CHECK(axes_seen(finding_ids::kWrongWhenTimed, 9, {4, 4, 1}).help == "as before");
  // The block is as wide as it is high.
  const std::string square = replaced(kCrossed, "gridDim.x * blockDim.y", "gridDim.y * blockDim.x");
  CHECK(axes_seen(finding_ids::kUnwrittenOutput, 5, {8, 4, 1}, square).help == "as before");
  const std::string right = replaced(kCrossed, "gridDim.x * blockDim.y", "gridDim.y * blockDim.y");
  CHECK(axes_seen(finding_ids::kUnwrittenOutput, 5, {8, 4, 1}, right).help == "as before");
  CHECK(axes_seen(finding_ids::kGlobalOutOfBounds, 5, {8, 4, 1}).help == "as before");
}

}  // namespace
}  // namespace cudalabs::test
