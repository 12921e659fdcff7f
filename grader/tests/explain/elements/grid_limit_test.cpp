// Limits of a number of blocks, told from the launches and the text.
#include "explain/elements/grid_limit.h"

#include "catch.h"
#include "check/launch_reach.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_grid_limit {
namespace {

const std::string kLimited = R"(constexpr int MOST = 64;
__global__ void twice(float* out, int width, int height) {
  out[0] = min(width, 64);
}
dim3 plan(int width, int height) {
  const int across = (width + 15) / 16;
  return dim3(std::min(across, MOST), std::min((height + 15) / 16, MOST));
}
void run(float* out, int width, int height) {
  twice<<<plan(width, height), dim3(16, 16)>>>(out, width, height);
}
)";

CaseRun launched(const std::string& name, std::uint32_t x, std::uint32_t y) {
  CaseRun case_run = case_run_with(name, expected_matrix(1, 4), float_matrix("c", 1, 4));
  case_run.observed.launches.emplace_back().kernel = "twice";
  case_run.observed.launches.back().config = {{x, y, 1}, {16, 16, 1}};
  return case_run;
}

struct Shown {
  bool shown = false;
  MergedFinding finding;
};

/// The cases "wide" and "wider" miss elements.
Shown shown_in(const std::string& source, std::vector<CaseRun> case_runs, char axis = 'x',
               Reach reach = Reach::too_few) {
  SubmissionRun submission_run;
  submission_run.case_runs = std::move(case_runs);
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"a.cu", 10, 3};
  finding.kernel = "twice";
  finding.help = help_for_few_threads(axis);
  finding.reach = reach;
  finding.cases = {"wide", "wider"};
  const bool shown = show_grid_limit(finding, source, submission_run);
  return {shown, finding};
}

std::vector<CaseRun> cases() {
  return {launched("wide", 64, 3), launched("wider", 64, 1), launched("small", 2, 40)};
}

/// The line of a limit of a launch along x.
std::uint32_t line_of(const std::string& body) {
  const std::string source = "__global__ void twice(float* out, int n);\nvoid run(float* out, int n) {\n" + body +
                             "\n  twice<<<b, 16>>>(out, n);\n}\n";
  const auto [shown, finding] = shown_in(source, cases());
  return shown ? finding.where.line : 0;
}

TEST_CASE("a limit that all short grids have is shown, and proposed to be left out") {
  const auto [shown, finding] = shown_in(kLimited, cases());
  REQUIRE(shown);
  CHECK(finding.where == SourcePlace{"a.cu", 7, 15});
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 10);
  CHECK(finding.help ==
        "`std::min(across, MOST)` allows no more than 64 blocks along x, and no thread goes on to the elements behind "
        "them: leave out the limit, or let each thread do several elements in a loop with the step `gridDim.x * "
        "blockDim.x`");
  CHECK(finding.proposed == ProposedChange{7, 15, "std::min(across, MOST)", "across"});
}

TEST_CASE("where threads go on, their step is asked for, and the limit is none to leave out") {
  const std::string step = "  const int step = gridDim.y * blockDim.x;\n";
  const std::string source =
      replaced(kLimited, "  out[0] = min(width, 64);\n",
               step + "  for (int row = threadIdx.y; row < height; row += step) out[row] = 0;\n");
  const auto [shown, finding] =
      shown_in(source, {launched("wide", 3, 64), launched("wider", 1, 64), launched("small", 4, 4)}, 'y');
  REQUIRE(shown);
  CHECK(finding.where.line == 3);
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 8);
  CHECK_FALSE(finding.proposed);
  CHECK(finding.help.find("the step along y is what all threads of the grid cover there") != std::string::npos);
  CHECK(finding.help.find("leave out") == std::string::npos);
  // Of two lines neither is to blame more than the other.
  const auto [both, unsure] =
      shown_in(replaced(source, step, step + "  int other = gridDim.x;\n"),
               {launched("wide", 3, 64), launched("wider", 1, 64), launched("small", 4, 4)}, 'y');
  REQUIRE(both);
  CHECK(unsure.where.line == 9);
  CHECK_FALSE(unsure.proposed);
}

TEST_CASE("the limit of the short axis is shown where one line has several") {
  const auto [shown, finding] =
      shown_in(kLimited, {launched("wide", 3, 64), launched("wider", 1, 64), launched("small", 4, 4)}, 'y');
  REQUIRE(shown);
  CHECK(finding.where.column == 39);
  CHECK(finding.help.find("64 blocks along y") != std::string::npos);
  CHECK(finding.proposed->after == "(height + 15) / 16");
}

TEST_CASE("limits are found however they are written") {
  CHECK(line_of("int b = min(n / 16, 64);") == 3);
  CHECK(line_of("int b = std::min<int>(64, n / 16);") == 3);
  CHECK(line_of("int b = n / 16 < 64 ? n / 16 : 64;") == 3);
  CHECK(line_of("int b = n / 16;\n  if (b > 64) b = 64;") == 4);
  CHECK(line_of("const int most = 8 * 8;\n  int b = n / 16;\n  if (b > most) {\n    b = most;\n  }") == 5);
  const auto [shown, finding] =
      shown_in(replaced(kLimited, "std::min(across, MOST), std::min((height + 15) / 16, MOST)", "across, 1"), cases());
  CHECK_FALSE(shown);
}

TEST_CASE("an `if` that limits is proposed to go away as a whole") {
  const std::string source =
      "__global__ void twice(float* out, int n);\nvoid run(int n) {\n  int b = n;\n  if (b > 64) b = 64;\n"
      "  twice<<<b, 16>>>(out, n);\n}\n";
  const auto [shown, finding] = shown_in(source, cases());
  REQUIRE(shown);
  CHECK(finding.proposed == ProposedChange{4, 3, "if (b > 64) b = 64;", ";"});
}

TEST_CASE("where the launches do not have the number, or other lines may be meant, nothing is said") {
  // Another number, one that some right case exceeds, and different ones.
  CHECK_FALSE(shown_in(kLimited, {launched("wide", 63, 1), launched("wider", 63, 1)}).shown);
  CHECK_FALSE(shown_in(kLimited, {launched("wide", 64, 1), launched("other", 65, 1)}).shown);
  CHECK_FALSE(shown_in(kLimited, {launched("wide", 64, 1), launched("wider", 63, 1)}).shown);
  CHECK_FALSE(shown_in(kLimited, {}).shown);
  CHECK_FALSE(shown_in(kLimited, cases(), 'x', Reach::several_each).shown);
  CHECK_FALSE(shown_in(kLimited, cases(), 'y').shown);
  CHECK(line_of("int b = min(n / 16, 64);\n  int c = min(n / 8, 64);") == 0);
  CHECK(line_of("int b = max(n / 16, 64);") == 0);
  CHECK(line_of("int b = min(n / 16, m);") == 0);
  CHECK(line_of("int b = n; f(b);\n}\nvoid unrelated(int n) {\n  int c = min(n, 64);\n  int b = c;\n  g(b);\n}\n"
                "void run(int n) {\n  int b = n;") == 0);
}

TEST_CASE("long texts of limits are read all the same") {
  std::string body;
  while (body.size() < 1 << 20) body += "  int b = min(n / 16, 64) ? c < 3 ? c : 3 : 4; if (c > 4) c = 4;\n";
  CHECK(line_of(body) == 0);
  std::string functions;
  for (int i = 0; i < 10'000; ++i) functions += "int f(int n) {\n  return min(n, 64);\n}\n";
  CHECK(shown_in(functions + kLimited, cases()).shown);
}

}  // namespace
}  // namespace cudalabs::test::of_grid_limit
