// What an index multiplies the block's number by, against the launch and the gaps.
#include "explain/elements/block_factor.h"

#include "catch.h"
#include "check/region.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_block_factor {
namespace {

const Help kEnough = Advice::look_at_index;

std::string source_with(const std::string& index) {
  return "constexpr int BLOCK = 256, PER_BLOCK = 85;\n__global__ void add(float* c, int n) {\n  const int i = " +
         index + ";\n  if (i < n) c[i] = 1;\n}\n";
}

/// The help for an output of 400 elements of which `missing` are unwritten, by a launch of blocks of 64 threads.
template <typename Missing>
MergedFinding finding_for(const std::string& index, const Missing& missing, const Help& help = kEnough) {
  datasets::Array output = float_matrix("c", 1, 400);
  for (std::int64_t i = 0; i < 400; ++i) {
    if (missing(i)) poison(output, i);
  }
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_with("some", expected_matrix(1, 400), std::move(output))};
  submission_run.case_runs[0].observed.launches.emplace_back().kernel = "add";
  submission_run.case_runs[0].observed.launches.back().config = {{7, 1, 1}, {64, 1, 1}};
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"add.cu", 4, 1};
  finding.other = OtherPlace{"`i` is set here", {"add.cu", 3, 13}, {}, {}};
  finding.kernel = "add";
  finding.output = "c";
  finding.cases = {"some"};
  finding.shown = "some";
  finding.help = help;
  std::vector<MergedFinding> findings{finding};
  explain_block_factors(findings, source_with(index), "add.cu", submission_run);
  return findings.front();
}

template <typename Missing>
std::string help_for(const std::string& index, const Missing& missing, const Help& help = kEnough) {
  return finding_for(index, missing, help).help;
}

bool past_block(std::int64_t i) {
  return i % 256 >= 64;
}

bool last_five(std::int64_t i) {
  return i % 85 >= 80;
}

}  // namespace

TEST_CASE("a constant that is more than the threads of a block is told with both numbers") {
  for (const std::string index :
       {"blockIdx.x * BLOCK + threadIdx.x", "BLOCK * blockIdx.x + threadIdx.x", "blockIdx.x * 256 + threadIdx.x"}) {
    CAPTURE(index);
    const std::string help = help_for(index, past_block);
    CHECK_THAT(help, contains_text("in line 3, and this launch has blocks of 64 threads along x"));
    CHECK_THAT(help, contains_text("of every 256 elements the last 192"));
  }
}

TEST_CASE("the size of a block is proposed in the place of the constant") {
  CHECK(finding_for("blockIdx.x * BLOCK + threadIdx.x", past_block).proposed ==
        ProposedChange{3, 30, "BLOCK", "blockDim.x"});
  CHECK(finding_for("blockIdx.x * 32 + threadIdx.x", [](std::int64_t i) { return i >= 6 * 32 + 64; }).proposed ==
        ProposedChange{3, 30, "32", "blockDim.x"});
  CHECK_FALSE(finding_for("blockIdx.x * PER_BLOCK + warp * 10 + lane / 3", last_five).proposed);
}

TEST_CASE("a constant that is the distance of the gaps is told with what a block stores") {
  const std::string help = help_for("blockIdx.x * PER_BLOCK + warp * 10 + lane / 3", last_five);
  CHECK_THAT(help, contains_text("`PER_BLOCK` is 85 in line 3"));
  CHECK_THAT(help, contains_text("stores 80 of them"));
}

TEST_CASE("a factor that the launch gives, or that does not fit the gaps, is not blamed") {
  const std::string plain = "there are threads enough: look at the index and at the guard";
  CHECK(help_for("blockIdx.x * blockDim.x + threadIdx.x", past_block) == plain);
  CHECK(help_for("blockIdx.x * 32 + threadIdx.x", past_block) == plain);
  CHECK(help_for("blockIdx.x * BLOCK * 2 + threadIdx.x", past_block) == plain);
  CHECK(help_for("blockIdx.x * BLOCK + threadIdx.x * 4", past_block) == plain);
  CHECK(help_for("blockIdx.x * PER_BLOCK + threadIdx.x / 2", past_block) == plain);
}

TEST_CASE("where no line has the block's number, it is asked for, and other advice stays") {
  CHECK(help_for("threadIdx.x", past_block) == kEnough);
  CHECK(help_for("blockIdx.x * BLOCK + threadIdx.x", past_block, "something else") == "something else");
}

TEST_CASE("blocks that begin closer together than they have threads are told to overlap") {
  const auto behind = [](std::int64_t first) { return [=](std::int64_t i) { return i >= first; }; };
  const std::string help = help_for("blockIdx.x * 32 + threadIdx.x", behind(6 * 32 + 64));
  CHECK(
      help ==
      "`32` stands in line 3, and this launch has blocks of 64 threads: each block begins only 32 elements behind the "
      "one before, so that blocks overlap, and the last elements belong to no thread. Use `blockDim.x` there, which is "
      "what the launch gives");
  // Other elements are missing than these blocks leave out.
  CHECK_THAT(help_for("blockIdx.x * 32 + threadIdx.x", behind(200)), !contains_text("overlap"));
}

namespace {

/// A launch of 4 blocks of 16 × 16 threads for 1000 elements, of which the first `written` are there.
MergedFinding of_square_blocks(const std::string& before, std::int64_t written, Index3 grid = {4, 1, 1}) {
  datasets::Array output = float_matrix("c", 1, 1000);
  for (std::int64_t i = written; i < 1000; ++i) poison(output, i);
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_with("some", expected_matrix(1, 1000), std::move(output))};
  submission_run.case_runs[0].observed.launches.emplace_back().kernel = "add";
  submission_run.case_runs[0].observed.launches.back().config = {grid, {16, 16, 1}};
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"add.cu", 6, 1};
  finding.kernel = "add";
  finding.output = "c";
  finding.cases = {"some"};
  finding.shown = "some";
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  explain_block_factors(findings,
                        "constexpr int SIDE = 16;\n__global__ void add(float* c, int n) {\n"
                        "  const int inside = threadIdx.y * blockDim.x + threadIdx.x;\n  const int before = " +
                            before + ";\n  const int i = before + inside;\n  if (i < n) c[i] = 1;\n}\n",
                        "add.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("a block of several rows whose index counts one for each block before is told") {
  for (const std::string before : {"blockIdx.x * blockDim.x", "blockIdx.x * SIDE", "16 * blockIdx.x"}) {
    CAPTURE(before);
    const MergedFinding made = of_square_blocks(before, 304);
    CHECK(made.where.line == 4);
    CHECK(made.proven);
    REQUIRE(made.other);
    CHECK(made.other->place.line == 6);
    CHECK(made.help.starts_with("a block of 16 × 16 threads has 256 of them, and this line counts only 16"));
    CHECK(made.help.ends_with("`blockIdx.x * blockDim.x * blockDim.y`"));
  }
}

TEST_CASE("other factors, other gaps and other grids are no sign of that") {
  CHECK(of_square_blocks("blockIdx.x * blockDim.x * blockDim.y", 304).help == "as before");
  CHECK(of_square_blocks("blockIdx.x * blockDim.y", 304).help == "as before");
  CHECK(of_square_blocks("blockIdx.x * 32", 304).help == "as before");
  CHECK(of_square_blocks("blockIdx.x * blockDim.x", 256).help == "as before");
  CHECK(of_square_blocks("blockIdx.x * blockDim.x", 304, {4, 2, 1}).help == "as before");
  CHECK(of_square_blocks("blockIdx.x * blockDim.x + 0 * (blockIdx.x\n * blockDim.x)", 304).proven);
}

}  // namespace cudalabs::test::of_block_factor
