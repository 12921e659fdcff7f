// The line that sets what a statement depends on, found in the source's text.
#include "explain/places/setting_place.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

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
  CHECK(setting_of(kGuarded, 4, 0, Part::subscript, true) == Setting{{"i"}, 3, 7, Setting::How::asked});
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

TEST_CASE("an index that is set before the condition on its parts is shown, one without any condition is not") {
  const std::string index = "  int at = row * wide + col;\n", access = "  out[at] = 1;\n";
  CHECK(setting_of(index + "  if (row < h)\n" + access, 3, 0, Part::access, true) == Setting{{"at"}, 1, 7});
  CHECK_FALSE(setting_of(index + access, 2, 0, Part::access, true));
}

TEST_CASE("a launch depends on its grid and its block, wherever in the statement they stand") {
  CHECK(setting(18, Part::launch) == Setting{{"grid"}, 15, 14});
}

TEST_CASE("a member that is set sets a part of its variable") {
  const std::string begin = "  dim3 block(32, 8);\n  dim3 grid;\n  grid.x = (w + 31) / 32;\n";
  const std::string launch = "  k<<<grid, block>>>(out);\n";
  CHECK(setting_of(begin + "  grid.y = (h + 31) / 32;\n" + launch, 5, 0, Part::launch) == Setting{{"grid"}, 4, 3});
  CHECK(setting_of(begin + "  if (grid.y == 7) f();\n" + launch, 5, 0, Part::launch) == Setting{{"grid"}, 3, 3});
  CHECK(setting_of(begin + "  grid.\n" + launch, 5, 0, Part::launch) == Setting{{"grid"}, 3, 3});
}

TEST_CASE("a launch of too few threads leads to what computes its grid") {
  constexpr std::string_view kHost =
      "dim3 blocks_for(int n) {\n  return dim3(n / 16);\n}\nvoid run(int n) {\n  int blocks = n / 16;\n"
      "  if (blocks == 0) blocks = 1;\n  gray<<<blocks, 16>>>(n);\n  gray<<<blocks_for(n), 16>>>(n);\n}\n";
  CHECK(setting_of(kHost, 7, 0, Part::launch) == Setting{{"blocks"}, 5, 7});
  CHECK_FALSE(grid_function_of(kHost, 7));
  CHECK(grid_function_of(kHost, 8) == Setting{{"blocks_for"}, 2, 3, Setting::How::returned});
  CHECK_FALSE(grid_function_of("int f(int n) {\n  if (n) return 1;\n  return 2;\n}\nk<<<f(3), 1>>>();\n", 5));
  CHECK_FALSE(grid_function_of("k<<<dim3(3), 1>>>();\n", 1));
  CHECK(grid_function_of("struct Shape {\n  dim3 grid() const { return dim3(w, h); }\n};\nvoid run(Shape shape) {\n"
                         "  k<<<shape.grid(), shape.block()>>>();\n}\n",
                         5) == Setting{{"grid"}, 2, 23, Setting::How::returned});
  CHECK_FALSE(
      grid_function_of("struct Shape {\n  dim3 grid;\n};\nvoid run(Shape shape) {\n  k<<<shape.grid, 1>>>();\n}\n", 5));
  std::vector<MergedFinding> findings{finding_at("unwritten-output", 8), finding_at("invalid-launch", 8)};
  show_settings(findings, kHost, "matmul.cu", {});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->label == "`blocks_for` returns this");
  CHECK_FALSE(findings[1].other);
  findings[1].launch.refused_grid = Index3{0, 1, 1};
  show_settings(findings, kHost, "matmul.cu", {});
  REQUIRE(findings[1].other);
  CHECK(findings[1].other->place.line == 2);
}

TEST_CASE("a launch that is refused for its block leads to the block, not to the grid") {
  constexpr std::string_view kHost =
      "void run(int n) {\n  dim3 block(64, 64);\n  int bytes = n;\n  dim3 grid(f(block.x, 1), n);\n"
      "  k<<<grid, block>>>(n);\n  k<<<dim3(n, 1), block, bytes>>>(n);\n  k<<<grid, 2048>>>(n);\n}\n";
  std::vector<MergedFinding> findings{finding_at("invalid-launch", 5), finding_at("invalid-launch", 6),
                                      finding_at("invalid-launch", 7), finding_at("invalid-launch", 5)};
  findings[3].launch.refused_grid = Index3{70000, 70000, 1};
  show_settings(findings, kHost, "matmul.cu", {});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->label == "`block` is set here");
  CHECK(findings[0].other->place.line == 2);
  REQUIRE(findings[1].other);
  CHECK(findings[1].other->place.line == 3);
  CHECK_FALSE(findings[2].other);
  REQUIRE(findings[3].other);
  CHECK(findings[3].other->place.line == 4);
}

TEST_CASE("missing rows lead to the row's number, missing columns to the column's, also past a guard") {
  constexpr std::string_view kKernel =
      "__global__ void k(float* c, int w, int h) {\n  int y = blockIdx.y;\n  int x = blockIdx.x;\n"
      "  if (x < w && y < h) c[y * w + x] = 1;\n  if (x < w) c[w * (y + 1) + x] = 1;\n  c[y][x] = 1;\n}\n";
  const auto line_of = [&](const RegionLines& lines, std::uint32_t line = 4) {
    std::vector<MergedFinding> findings{finding_at("unwritten-output", line)};
    findings[0].region = RegionKind::past_block;
    findings[0].lines = lines;
    show_settings(findings, kKernel, "matmul.cu", {});
    return findings[0].other ? findings[0].other->place.line : 0;
  };
  CHECK(line_of({NumberedLines{8, 15}, {}}) == 2);
  CHECK(line_of({{}, NumberedLines{3, 3}}) == 3);
  CHECK(line_of({NumberedLines{3, 3}, NumberedLines{4, 7}}) == 3);
  CHECK(line_of({NumberedLines{8, 15}, {}}, 5) == 2);
  CHECK(line_of({NumberedLines{8, 15}, {}}, 6) == 5);  // the condition between the two
}

TEST_CASE("where only the first row is right, the pointer to a row is shown that values are read through") {
  const auto shown = [](const std::string& pointer, const NumberedLines& rows) {
    std::vector<MergedFinding> findings{finding_at("result-mismatch", 4)};
    findings[0].region = RegionKind::rows;
    findings[0].lines.rows = rows;
    const std::string kernel =
        "void k() {\n  " + pointer + ";\n  const int blue = line[3 * x];\n  gray[row * w + x] = blue;\n}\n";
    show_settings(findings, kernel, "matmul.cu", {});
    return findings[0].other ? findings[0].other->place.line : 0;
  };
  const std::string pointer = "const unsigned char* line = rgb + row * w";
  CHECK(shown(pointer, {1, 16}) == 2);
  CHECK(shown(pointer, {8, 16}) == 3);
  CHECK(shown("const unsigned char* line = rgb", {1, 16}) == 3);
  CHECK(shown("int line = 3 * row + 1", {1, 16}) == 3);
}

TEST_CASE("who may access shared memory is shown, and a remainder that is multiplied is asked about") {
  const auto shown = [](const std::string& condition) {
    std::vector<MergedFinding> findings{finding_at("shared-out-of-bounds", 4)};
    const std::string kernel = "void k() {\n  for (int s = 1; s < 8; s *= 2) {\n    if (" + condition +
                               ")\n      tile[tid] += tile[tid + s];\n  }\n}\n";
    show_settings(findings, kernel, "matmul.cu", {});
    REQUIRE(findings[0].other);
    CHECK(findings[0].other->place.line == 3);
    return findings[0].help;
  };
  CHECK_THAT(shown("tid % 2 * s == 0"), contains_text("`tid % 2 * s` is `(tid % 2) * s`: is `tid % (2 * s)` meant?"));
  CHECK(shown("tid % (2 * s) == 0").empty());
  CHECK(shown("tid % s == 0 && s * 2 < 8").empty());
  CHECK(shown("(tid % 2) * s == 0").empty());
  CHECK_THAT(shown("tid <= s"), contains_text("is `<` meant?"));
}

TEST_CASE("a condition that takes in the end is spoken of where there is one") {
  const auto help_for = [](const std::string& condition) {
    std::vector<MergedFinding> findings{finding_at("global-out-of-bounds", 3)};
    const std::string kernel = "void k() {\n  if (" + condition + ") {\n    c[i] = 1;\n  }\n}\n";
    show_settings(findings, kernel, "matmul.cu", {});
    return findings[0].help;
  };
  CHECK_THAT(help_for("i <= n"), contains_text("is `<` meant?"));
  CHECK(help_for("i < n").empty());
  CHECK(help_for("i < n) {  // <=").empty());
}

TEST_CASE("of what a kernel has left out, the index says more than the copy to the host") {
  std::vector<MergedFinding> findings{finding_at("unwritten-output", 2), finding_at("unwritten-output", 3)};
  for (MergedFinding& finding : findings)
    finding.other = OtherPlace{"", {"matmul.cu", 8, 1}, {}, {}, PlaceRole::copy_to_host};
  show_settings(findings, "int i = threadIdx.x;\nif (i < n) c[i] = 1;\nc[0] = 1;\n", "matmul.cu", {});
  CHECK(findings[0].other->place.line == 1);
  CHECK(findings[1].other->place.line == 8);
}

TEST_CASE("an access outside leads to what its subscripts are held against, or set to") {
  constexpr std::string_view kKernel =
      "__global__ void k(float* c, const float* a, int w, int h, int n) {\n  int y = blockIdx.y, x = threadIdx.x;\n"
      "  if (y >= h && x >= w)\n    return;\n  float sum = 0;\n  for (int i = 0; i < n; ++i) {\n"
      "    sum += a[y * n + i];\n  }\n  for (int i = 0; i <= n; ++i) {\n    sum += a[y * n + i];\n  }\n"
      "  int at = y * w + x;\n  c[at] = sum;\n  if (at < n) c[at] = sum;\n}\n";
  const auto access = [&](std::uint32_t line) { return setting_of(kKernel, line, 0, Part::access, true); };
  CHECK(access(7) == Setting{{"y"}, 3, 7, Setting::How::asked});
  CHECK(access(10) == Setting{{"i"}, 9, 12, Setting::How::asked});
  CHECK(access(13) == Setting{{"at"}, 12, 7});
  CHECK_FALSE(access(14));
  CHECK_FALSE(setting_of("int i = f();\nc[i] = 1;\n", 2, 0, Part::access, true));
  std::vector<MergedFinding> findings{finding_at("global-out-of-bounds", 7), finding_at("global-out-of-bounds", 7)};
  findings[1].other = OtherPlace{"allocated here", {"matmul.cu", 20, 1}, {}, {}};
  show_settings(findings, kKernel, "matmul.cu", {});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->label == "the condition on `y` is here");
  CHECK(findings[1].other->label == "allocated here");
}

TEST_CASE("an access outside whose line has the condition leads to where the bound is set") {
  constexpr std::string_view kWords =
      "__global__ void k(const unsigned* in, int bytes) {\n"
      "  const int words = (bytes + 3) / 4;\n"
      "  if (lane < 24 && word < words) x = in[word];\n"
      "  if (a < words && b < bytes) x = in[b];\n"
      "}\n";
  const auto shown = [&](std::uint32_t line, const Help& help) {
    MergedFinding finding = finding_at(finding_ids::kGlobalOutOfBounds, line);
    finding.help = help;
    std::vector<MergedFinding> findings{finding};
    show_settings(findings, kWords, "matmul.cu", {});
    return findings.front();
  };
  const Help help{Advice::guard_and_sizes,
                  "check that `n` and the row length are the ones the array was allocated with"};
  const MergedFinding finding = shown(3, help);
  REQUIRE(finding.other);
  CHECK(finding.other->label == "`words` is set here");
  CHECK(finding.other->role == PlaceRole::setting);
  CHECK(finding.other->name == "words");
  CHECK(finding.other->place.line == 2);
  // A program without `n` is not told of it.
  CHECK(finding.help == "check that the sizes are the ones the array was allocated with");
  CHECK_FALSE(shown(4, help).other);
  std::vector<MergedFinding> with_n{finding_at(finding_ids::kGlobalOutOfBounds, 1)};
  with_n.front().help = help;
  show_settings(with_n, "c[i] = n;\n", "matmul.cu", {});
  CHECK(with_n.front().help == help);
}

TEST_CASE("a write of the host past the end may be a later one") {
  const auto later = [](const std::string& body) {
    const auto found = later_store_of("void f(float* u, float* v, int n) {\n  u[0] = v[0];\n" + body + "}\n", 2);
    return found ? found->line : 0;
  };
  CHECK(later("  v[1] = 2;\n  while (i < n) u[i++] = 0;\n") == 4);
  CHECK(later("  u[1] = 2;\n  u[2] = 2;\n") == 0);
  CHECK(later("  k<<<1, 1>>>(u);\n  u[2] = 2;\n") == 0);
  CHECK(later("  v[2] = u[2];\n") == 0);
  std::vector<MergedFinding> findings{finding_at("global-out-of-bounds", 2)};
  findings[0].access.by_host = true;
  findings[0].other = OtherPlace{"the memory is allocated here", {"matmul.cu", 1, 1}, {}, {}};
  show_settings(findings, "void f() {\n  u[0] = 1;\n  u[n] = 1;\n}\n", "matmul.cu", {});
  CHECK(findings[0].other->label == "a later write to `u`");
  CHECK(findings[0].other->place.line == 3);
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
  findings[1].subject = "c";
  findings[2].id = "memory-leak";
  findings[2].message = "`c` is never freed";
  findings[2].subject = "c";
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
  findings[2].launch.refused_grid = Index3{0, 1, 1};
  show_settings(findings, kKernels, "labs/matmul.cu", {});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->label == "`red` and `blue` are set here");
  CHECK(findings[0].other->role == PlaceRole::unsaid);
  CHECK(findings[0].other->place == SourcePlace{"folder/matmul.cu", 7, 13});
  REQUIRE(findings[1].other);
  CHECK(findings[1].other->label == "the condition on `col` is here");
  CHECK(findings[1].other->role == PlaceRole::condition);
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
  findings[0].subject = "quiz_blocks_x";
  findings[1].message = "`TILE` is wrong everywhere";
  findings[1].subject = "TILE";
  show_settings(findings, kKernels, "labs/matmul.cu", submission_run);
  CHECK(findings[0].where == SourcePlace{"labs/matmul.cu", 1, 11});
  CHECK_FALSE(findings[1].where.known());
}

}  // namespace cudalabs::test
