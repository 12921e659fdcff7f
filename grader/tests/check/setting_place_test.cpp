// The line that sets what a statement depends on, found in the source's text.
#include "check/setting_place.h"

#include "catch.h"
#include "make.h"

namespace cudalabs::test {
namespace {

constexpr std::string_view kKernels = R"(const int quiz_blocks_x = 4;  // quiz_blocks_x = 5
constexpr int TILE = 16;
int row = 1;
}
__global__ void gray(const uchar* rgb, uchar* out, int width) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = threadIdx.y;
  const int red = rgb[0], blue = rgb[2];  // red = 1
  int green(rgb[1]);
  if (row == 0 && col <= width) out[row * width + col] = (red + 2 * blue) / 3;
  out[col] += f(green) + point.red;
  tile[TILE - 1][red] = width;
}
void run(int n) {
  const dim3 block(16, 16);
  const dim3 grid((n + 15) / 16,
                  n);
  if (grid.x == 0) return;
  gray<<<grid,
         block>>>(d_in, d_out, n);
}
)";

std::optional<Setting> setting(std::uint32_t line, Part part, std::uint32_t column = 0) {
  return setting_of(kKernels, line, column, part);
}

MergedFinding finding_at(std::string_view id, std::uint32_t line) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"folder/matmul.cu", line, 0};
  return finding;
}

}  // namespace

TEST_CASE("what is stored was set in the last line before that sets some of its names") {
  CHECK(setting(9, Part::value) == Setting{{"red", "blue"}, 7, 13});
  CHECK(setting(10, Part::value) == Setting{{"green"}, 8, 7});
  CHECK(setting_of("float sum = f();\n  *out = sum;\n", 2, 0, Part::value) == Setting{{"sum"}, 1, 7});
}

TEST_CASE("the element that is stored to depends on its subscripts") {
  CHECK(setting(9, Part::subscript) == Setting{{"col", "row"}, 6, 13});
  CHECK(setting(10, Part::subscript) == Setting{{"col"}, 6, 13});
  CHECK(setting(11, Part::subscript) == Setting{{"red"}, 7, 13});
}

TEST_CASE("a condition between the two may be the cause where no two threads store to one element") {
  constexpr std::string_view kGuarded = "int i = f(), j = 0;\nif (j > 0) {\n  if (i < n - 1)\n    c[i] = 1;\n";
  CHECK(setting_of(kGuarded, 4, 0, Part::subscript, true) == Setting{{"i"}, 3, 7, true});
  CHECK(setting_of(kGuarded, 4, 0, Part::subscript) == Setting{{"i"}, 1, 5});
  CHECK_FALSE(setting_of("int i = f();\nif (i < n) c[i] = 1;\n", 2, 0, Part::subscript, true));
  MergedFinding race = finding_at("global-race", 4);
  std::vector<MergedFinding> findings{finding_at("unwritten-output", 4)};
  show_settings(findings, kGuarded, "matmul.cu", {});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->label == "the condition on `i` is here");
  findings[0].other.reset();
  findings.push_back(race);
  show_settings(findings, kGuarded, "matmul.cu", {});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 1);
}

TEST_CASE("a launch depends on its grid and its block, wherever in the statement they stand") {
  CHECK(setting(18, Part::launch) == Setting{{"grid"}, 15, 14});
}

TEST_CASE("what the function does not set has no place") {
  CHECK_FALSE(setting(11, Part::value));  // a parameter
  CHECK_FALSE(setting(7, Part::launch));  // no launch
  CHECK_FALSE(setting(6, Part::subscript));
  CHECK_FALSE(setting(0, Part::value));
  CHECK_FALSE(setting(99, Part::value));
  CHECK_FALSE(setting_of("c[i] = a[", 1, 6, Part::value));
  CHECK_FALSE(setting_of("] = <<< >>>", 1, 3, Part::subscript));
  CHECK_FALSE(setting_of(">>><<<", 1, 0, Part::launch));
}

TEST_CASE("a name that is set once has one place") {
  CHECK(only_setting_of(kKernels, "quiz_blocks_x") == Setting{{"quiz_blocks_x"}, 1, 11});
  CHECK_FALSE(only_setting_of(kKernels, "row"));
  CHECK_FALSE(only_setting_of(kKernels, "n"));
}

TEST_CASE("a store of the host is one outside of the device's functions") {
  constexpr std::string_view kHost =
      "__global__ void k(float* c) {\n  if (c) { c[0] = 1; }\n}\nvoid f(float* c, int* n) {\n  float d = 2 * c[1];\n"
      "  c[d[0]] += 1;\n  *n = 3;\n  n = c == 0 ? n : 0;\n}\n";
  CHECK(only_host_store(kHost, "c") == Setting{{"c"}, 6, 3});
  CHECK(only_host_store(kHost, "n") == Setting{{"n"}, 7, 4});
  CHECK_FALSE(only_host_store(kHost, "d"));
  CHECK_FALSE(only_host_store("void f() { c[0] = 1; c[1] = 2; }", "c"));
  CHECK_FALSE(only_host_store("c[", "c"));
}

TEST_CASE("what the host computes has the place where it is stored") {
  SubmissionRun submission_run;
  submission_run.case_runs.emplace_back().test.expected.emplace_back().name = "c";
  std::vector<MergedFinding> findings(3);
  findings[0].id = "no-kernel";
  findings[1].id = "computed-on-the-host";
  findings[1].message = "`c` is not computed on the device";
  findings[2].id = "memory-leak";
  findings[2].message = "`c` is never freed";
  show_settings(findings, "void f(float* c) {\n  c[0] = 1;\n}\n", "labs/add.cu", submission_run);
  CHECK(findings[0].where == SourcePlace{"labs/add.cu", 2, 3});
  CHECK(findings[1].where.line == 2);
  CHECK_FALSE(findings[2].where.known());
}

TEST_CASE("findings show where their statement's variables are set") {
  std::vector<MergedFinding> findings{finding_at("result-mismatch", 9), finding_at("unwritten-output", 10),
                                      finding_at("invalid-launch", 18), finding_at("shared-race", 9),
                                      finding_at("result-mismatch", 9)};
  findings[4].where.file = "matmul.h";
  show_settings(findings, kKernels, "labs/matmul.cu", {});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->label == "`red` and `blue` are set here");
  CHECK(findings[0].other->place == SourcePlace{"folder/matmul.cu", 7, 13});
  REQUIRE(findings[1].other);
  CHECK(findings[1].other->label == "the condition on `col` is here");
  REQUIRE(findings[2].other);
  CHECK(findings[2].other->label == "`grid` is set here");
  CHECK_FALSE(findings[3].other);
  CHECK_FALSE(findings[4].other);
}

TEST_CASE("a wrong answer to a question stands where the answer is") {
  SubmissionRun submission_run;
  CaseRun& case_run = submission_run.case_runs.emplace_back();
  case_run.judgement.emplace().comparisons.emplace_back().questions.push_back({"quiz_blocks_x", "look again"});
  std::vector<MergedFinding> findings(2);
  findings[0].message = "`quiz_blocks_x` and `quiz_blocks` are wrong";
  findings[1].message = "`TILE` is wrong everywhere";
  show_settings(findings, kKernels, "labs/matmul.cu", submission_run);
  CHECK(findings[0].where == SourcePlace{"labs/matmul.cu", 1, 11});
  CHECK_FALSE(findings[1].where.known());
}

}  // namespace cudalabs::test
