// Launches with the block in the place of the grid, told by names and by what was launched.
#include "explain/places/exchanged_launch.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_exchanged_launch {
namespace {

CaseRun launched(const std::string& name, Index3 grid, Index3 block) {
  CaseRun case_run = case_run_with(name, expected_matrix(1, 4), float_matrix("c", 1, 4));
  case_run.observed.launches.emplace_back().kernel = "twice";
  case_run.observed.launches.back().config = {grid, block};
  return case_run;
}

MergedFinding shown(const std::string& configuration, std::vector<CaseRun> case_runs = {},
                    std::optional<Index3> refused_grid = {}) {
  MergedFinding finding;
  finding.id = finding_ids::kInvalidLaunch;
  finding.where = {"k.cu", 3, 0};
  finding.kernel = "twice";
  finding.launch.refused_grid = refused_grid;
  finding.help = "keep the block small";
  finding.other = OtherPlace{"`over` is set here", {"k.cu", 2, 0}, {}, {}};
  std::vector<MergedFinding> findings{finding};
  SubmissionRun submission_run;
  submission_run.case_runs = std::move(case_runs);
  show_exchanged_launches(findings, "void f() {\n  over;\n  twice<<<" + configuration + ">>>(a);\n}\n", "k.cu",
                          submission_run);
  return findings.front();
}

std::vector<CaseRun> with_kept_grid() {
  return {launched("small", {16, 16, 1}, {2, 3, 1}), launched("large", {16, 16, 1}, {20, 30, 1})};
}

TEST_CASE("names say which of the two is the block") {
  for (const std::string_view name : {"block", "over.block", "shape->block()", "threadsPerBlock", "THREADS", "dimBlock",
                                      "plan::block_for(n)", "blockSize", "threads_in_block", "BLOCK_SIZE", "blocksize"})
    CHECK((is_named_after_block(name) && !is_named_after_grid(name)));
  for (const std::string_view name : {"grid", "over.grid", "shape.grid()", "blocks", "num_blocks", "blocksPerGrid",
                                      "NUM_BLOCKS", "nBlocks", "dimGrid", "grid_for(n, block)"})
    CHECK((is_named_after_grid(name) && !is_named_after_block(name)));
  for (const std::string_view name : {"", "256", "dim3(16, 16)", "n / block", "block + 1", "a.", "block(2) + 1"})
    CHECK_FALSE((is_named_after_block(name) || is_named_after_grid(name)));
}

TEST_CASE("a block in the place of the grid is shown by its name, and the two are proposed to be exchanged") {
  const MergedFinding made = shown("over.block, over.grid, 0, stream");
  CHECK(made.help ==
        "the grid of blocks comes first, and the block of threads second: exchange the two, `<<<over.grid, "
        "over.block>>>`");
  CHECK(made.proposed == ProposedChange{3, 11, "over.block, over.grid", "over.grid, over.block"});
  CHECK_FALSE(made.other);
}

TEST_CASE("a grid that is kept while the block grows is told of") {
  CHECK(shown("a, b", with_kept_grid())
            .help.ends_with("As it is, the grid is 16 x 16 in all cases that run, and the block is not"));
  CHECK(shown("a, b", with_kept_grid()).proposed == ProposedChange{3, 11, "a, b", "b, a"});
  // The names say that it is right, or the launches do.
  CHECK_FALSE(shown("grid, block", with_kept_grid()).proposed);
  CHECK_FALSE(shown("a, b").proposed);
  CHECK_FALSE(
      shown("a, b", {launched("small", {1, 1, 1}, {2, 1, 1}), launched("large", {1, 1, 1}, {9, 1, 1})}).proposed);
  CHECK_FALSE(
      shown("a, b", {launched("small", {32, 1, 1}, {2, 1, 1}), launched("large", {64, 1, 1}, {9, 1, 1})}).proposed);
  CHECK_FALSE(
      shown("a, b", {launched("small", {32, 1, 1}, {9, 1, 1}), launched("large", {32, 1, 1}, {9, 1, 1})}).proposed);
}

TEST_CASE("launches that were refused for their grid, and those in the right order, stay as they are") {
  CHECK_FALSE(shown("block, grid", {}, Index3{0, 1, 1}).proposed);
  CHECK_FALSE(shown("over.grid, over.block").proposed);
  CHECK_FALSE(shown("blocks").proposed);
  CHECK_FALSE(shown("block,\n grid").proposed);
}

}  // namespace
}  // namespace cudalabs::test::of_exchanged_launch
