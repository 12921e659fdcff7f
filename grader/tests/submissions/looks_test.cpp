// What can be seen of a grading besides the report, through the program itself.
#include <fstream>

#include "catch.h"
#include "grade_run.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

/// A reference solution with `from` replaced by `to`, in a folder of its own.
class Changed {
 public:
  Changed(const std::string& solution, const std::string& name, const std::string& from, const std::string& to) {
    std::string text = read_file(fs::path(CUDALABS_SOLUTIONS) / solution / name);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    file_ = folder_.write(name, text);
  }

  std::string file() const { return file_.string(); }

 private:
  TemporaryFolder folder_;
  fs::path file_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a kernel that the cases cover leaves a tracefile and nothing to say") {
  const GradeRun grading({"lab3", "--solution", "--coverage", "cov"});
  INFO(grading.run.out << grading.run.err);
  CHECK(grading.run.exit_code == 0);
  CHECK(contains(grading.run.out, "every line ran, and every condition went both ways"));
  const std::string info = read_file(grading.folder.path() / "cov/kernel.info");
  CHECK(info.starts_with("TN:lab3\nSF:/"));
  CHECK(contains(info, "/matmul.cu\n"));
  CHECK(contains(info, "BRF:6\nBRH:6\n"));
  CHECK_FALSE(contains(info, ",0\n"));  // no line and no branch without a thread
}

TEST_CASE("code that no case reaches and a guard that always lets through are shown") {
  const Changed submission("lab3_naive_matmul", "matmul.cu", "    c[row * p + col] = sum;\n",
                           "    if (n > 1000000)\n      sum = 0;\n    if (row >= 0) c[row * p + col] = sum;\n");
  const GradeRun grading({"lab3", "--submission", submission.file(), "--coverage", "new/cov"});
  INFO(grading.run.out << grading.run.err);
  CHECK(grading.run.exit_code == 0);
  CHECK(contains(grading.run.out, "lines that no thread ran\n  17 |       sum = 0;\n"));
  CHECK(contains(grading.run.out, "conditions of which one side never ran\n  16 |     if (n > 1000000)\n"));
  CHECK(contains(grading.run.out, "threads went on to line 18, none to line 17\n"));
  CHECK(contains(grading.run.out, "  18 |     if (row >= 0) c[row * p + col] = sum;\n"));
  const std::string info = read_file(grading.folder.path() / "new/cov/kernel.info");
  CHECK(contains(info, "\nDA:17,0\n"));
  CHECK(contains(info, "\nBRDA:16,0,0,0\n"));
  if (contains(grading.run.out, "genhtml is not installed")) {
    CHECK(contains(grading.run.out, "sudo apt-get install lcov"));
  } else {
    CHECK(fs::exists(grading.folder.path() / "new/cov/html/index.html"));
  }
}

TEST_CASE("without genhtml there is a tracefile, and the package is named") {
  const TemporaryFolder empty;
  RunOptions options;
  options.environment["PATH"] = empty.path().string();
  const GradeRun grading({"lab3", "--solution", "--coverage", "cov"}, options);
  INFO(grading.run.out << grading.run.err);
  // Without PATH there may be no compiler either: then nothing ran, and nothing is said of coverage.
  if (!fs::exists(grading.folder.path() / "cov/kernel.info")) return;
  CHECK(contains(grading.run.out, "genhtml, which is not installed: sudo apt-get install lcov"));
  CHECK_FALSE(fs::exists(grading.folder.path() / "cov/html"));
}

TEST_CASE("a folder for coverage that cannot be made is a matter of usage") {
  const TemporaryFolder place;
  const fs::path file = place.write("taken", "");
  for (const fs::path& wrong : {file, file / "below"}) {
    const GradeRun grading({"lab3", "--solution", "--coverage", wrong.string()});
    CHECK(grading.run.exit_code == 2);
    CHECK(contains(grading.run.err, "--coverage " + wrong.string() + ": cannot make that folder: "));
    CHECK(grading.run.out.empty());
  }
}

TEST_CASE("what does not compile has no coverage and no accesses") {
  const Changed submission("lab3_naive_matmul", "matmul.cu", "float sum = 0.0f;", "float sum = ;");
  const GradeRun grading({"lab3", "--submission", submission.file(), "--coverage", "cov", "--explain"});
  CHECK(grading.run.exit_code == 1);
  CHECK_FALSE(contains(grading.run.out, "coverage of the kernel"));
  CHECK_FALSE(contains(grading.run.out, "accesses of one warp"));
  CHECK_FALSE(fs::exists(grading.folder.path() / "lab3-access.svg"));
}

TEST_CASE("the accesses of the tiled product are explained and drawn") {
  const GradeRun grading({"lab4", "--solution", "--explain"});
  INFO(grading.run.out << grading.run.err);
  CHECK(grading.run.exit_code == 0);
  CHECK(contains(grading.run.out, "accesses of one warp in case `many_tiles`"));
  CHECK(contains(grading.run.out, "aaaaaaaa bbbbbbbb cccccccc dddddddd"));
  CHECK(contains(grading.run.out, "no access of this warp costs much more than its bytes need"));
  CHECK(contains(grading.run.out, "wrote lab4-access.svg\n"));
  CHECK(read_file(grading.folder.path() / "lab4-access.svg").starts_with("<svg "));
}

TEST_CASE("a bank conflict is shown where it is") {
  const Changed submission("lab4_tiled_matmul", "tiled_matmul.cu", "sum += tile_a[ty][k] * tile_b[k][tx];",
                           "sum += tile_a[ty][k] * tile_b[k][tx] + 0.0f * tile_a[tx][k];");
  const GradeRun grading({"lab4", "--submission", submission.file(), "--explain", "warp.svg"});
  INFO(grading.run.out << grading.run.err);
  CHECK(contains(grading.run.out, "8-way bank conflict: 8"));
  CHECK(contains(grading.run.out, "[TILE][TILE + 1]"));
  CHECK(contains(read_file(grading.folder.path() / "warp.svg"), "8-way bank conflict"));
}

TEST_CASE("a picture of accesses that is no SVG is a matter of usage") {
  const GradeRun grading({"lab4", "--solution", "--explain", "warp.png"});
  CHECK(grading.run.exit_code == 2);
  CHECK(contains(grading.run.err, "--explain warp.png: the picture is SVG"));
}
