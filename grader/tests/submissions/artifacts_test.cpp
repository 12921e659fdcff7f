// What can be seen of a grading besides the report, through the program itself.
#include <algorithm>
#include <fstream>

#include "catch.h"
#include "grade_run.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

/// A reference solution with `from` replaced by `to`, in a folder of its own.
class Changed {
 public:
  Changed(const std::string& solution, const std::string& name, const std::string& from, const std::string& to) {
    std::string text = read_file(fs::path(cudalabs::source_path("solutions")) / solution / name);
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

/// The number of the first line of `file` with `part` in it.
std::size_t line_of(const std::string& file, const std::string& part) {
  const std::string text = read_file(file);
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// The folder that `--pictures` made for a case: its number in lab.toml, then its name.
fs::path folder_of_case(const fs::path& pictures, const std::string& name) {
  for (const auto& entry : fs::directory_iterator(pictures)) {
    if (entry.path().filename().string().ends_with("_" + name)) return entry.path();
  }
  FAIL("no pictures of case " << name);
  return {};
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
  const std::size_t guard = line_of(submission.file(), "if (n > 1000000)");
  const std::string first = std::to_string(guard), second = std::to_string(guard + 1),
                    third = std::to_string(guard + 2);
  CHECK(contains(grading.run.out, "lines that no thread ran\n  " + second + " |       sum = 0;\n"));
  CHECK(contains(grading.run.out, "conditions of which one side never ran\n  " + first + " |     if (n > 1000000)\n"));
  CHECK(contains(grading.run.out, "threads went on to line " + third + ", none to line " + second + "\n"));
  CHECK(contains(grading.run.out, "  " + third + " |     if (row >= 0) c[row * p + col] = sum;\n"));
  const std::string info = read_file(grading.folder.path() / "new/cov/kernel.info");
  CHECK(contains(info, "\nDA:" + second + ",0\n"));
  CHECK(contains(info, "\nBRDA:" + first + ",0,0,0\n"));
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
  CHECK(contains(grading.run.out, "`[32][33]`"));
  CHECK(contains(read_file(grading.folder.path() / "warp.svg"), "8-way bank conflict"));
}

TEST_CASE("a picture of accesses that is no SVG is a matter of usage") {
  const GradeRun grading({"lab4", "--solution", "--explain", "warp.png"});
  CHECK(grading.run.exit_code == 2);
  CHECK(contains(grading.run.err, "--explain warp.png: the picture is SVG"));
}

TEST_CASE("a wrong picture names the way to see it, and the maps show where it is wrong") {
  const std::string wrong = cudalabs::source_path("solutions/lab2_picture/wrong/rounded_down.cu");
  const GradeRun plain({"lab2", "--submission", wrong});
  INFO(plain.run.out << plain.run.err);
  CHECK(plain.run.exit_code == 1);
  CHECK(contains(plain.run.out, "--pictures DIR"));

  const GradeRun grading({"lab2", "--submission", wrong, "--pictures", "see/them"});
  INFO(grading.run.out << grading.run.err);
  CHECK(grading.run.exit_code == 1);
  CHECK_FALSE(contains(grading.run.out, "--pictures DIR"));
  const fs::path lecture = folder_of_case(grading.folder.path() / "see/them", "lecture");
  CHECK(contains(grading.run.out,
                 "see/them/" + lecture.filename().string() + "/doubled_wrong.png: 1392 of 4464 wrong in doubled"));
  CHECK(contains(grading.run.out, "in a map red pixels are wrong, blue ones were never written"));
  for (const char* name : {"picture", "rgb", "doubled", "doubled_expected", "doubled_wrong", "gray", "gray_wrong"}) {
    const fs::path file = lecture / (std::string(name) + ".png");
    CAPTURE(file);
    REQUIRE(fs::exists(file));
    CHECK(read_file(file).starts_with("\x89PNG"));
  }
  // Of hidden cases there is nothing to see.
  for (const auto& entry : fs::directory_iterator(grading.folder.path() / "see/them")) {
    CHECK_FALSE(contains(entry.path().filename().string(), "hidden"));
  }
}

TEST_CASE("a lab without two dimensions says that there is nothing to draw") {
  const GradeRun grading({"lab1", "--solution", "--pictures", "p"});
  CHECK(grading.run.exit_code == 0);
  CHECK(contains(grading.run.out, "nothing in lab1 has two dimensions"));
}

namespace {

/// A picture to bring along: what lab 2 draws for the lecture's picture, 72 × 62 pixels enlarged.
std::string some_picture(const fs::path& folder) {
  const GradeRun grading({"lab2", "--solution", "--pictures", (folder / "p").string()});
  REQUIRE(grading.run.exit_code == 0);
  const fs::path picture = folder_of_case(folder / "p", "lecture") / "rgb.png";
  REQUIRE(fs::exists(picture));
  return picture.string();
}

}  // namespace

TEST_CASE("a picture of one's own goes through the kernels") {
  const TemporaryFolder folder;
  const std::string photo = some_picture(folder.path());
  const GradeRun right({"lab2", "--solution", "--image", photo});
  INFO(right.run.out << right.run.err);
  CHECK(right.run.exit_code == 0);
  CHECK(contains(right.run.out, "lab2 on rgb.png, 576 × 496 pixels\n"));
  CHECK(contains(right.run.out, "doubled: every pixel is right\ngray: every pixel is right\n"));
  CHECK(fs::exists(right.folder.path() / "lab2-pictures/gray.png"));

  const std::string wrong = cudalabs::source_path("solutions/lab2_picture/wrong/not_rounded.cu");
  const GradeRun dark({"lab2", "--submission", wrong, "--image", photo, "--pictures", "out"});
  INFO(dark.run.out << dark.run.err);
  CHECK(dark.run.exit_code == 1);
  CHECK(contains(dark.run.out, "error[result-mismatch]"));
  CHECK(contains(dark.run.out, " pixels are wrong, see out/gray_wrong.png\n"));
  CHECK(fs::exists(dark.folder.path() / "out/gray_wrong.png"));

  const std::string broken = cudalabs::source_path("solutions/lab2_picture/wrong/missing_semicolon.cu");
  const GradeRun unbuilt({"lab2", "--submission", broken, "--image", photo});
  CHECK(unbuilt.run.exit_code == 1);
  CHECK(contains(unbuilt.run.out, "does not compile"));
}

TEST_CASE("a picture that is none, is broken or too large is a matter of usage") {
  const TemporaryFolder folder;
  const std::string photo = some_picture(folder.path());
  const std::string whole = read_file(photo);
  const auto refused = [&](const std::string& lab, const std::string& image, const std::string& why) {
    const GradeRun grading({lab, "--solution", "--image", image});
    CAPTURE(grading.run.out, grading.run.err);
    CHECK(grading.run.exit_code == 2);
    CHECK(grading.run.out.empty());
    CHECK(contains(grading.run.err, "grade: --image " + image + ": " + why));
  };
  refused("lab2", (folder.path() / "none.png").string(), "there is no such file");
  refused("lab2", folder.path().string(), "there is no such file");
  refused("lab2", folder.write("text.png", "hello").string(), "it is no PNG; ImageMagick makes one that fits");
  refused("lab2", folder.write("half.png", whole.substr(0, whole.size() / 2)).string(), "it is a damaged PNG (");
  // The header says 100000 × 100000; its checksum is right.
  const std::string header("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\1\x86\xa0\0\1\x86\xa0\x08\2\0\0\0\x27\x30\x9c\x9f", 33);
  refused("lab2", folder.write("huge.png", header + whole.substr(33)).string(), "it has 100000 × 100000 pixels");
  refused("lab3", photo, "lab3 does not work on pictures; these labs do: lab2");
}
