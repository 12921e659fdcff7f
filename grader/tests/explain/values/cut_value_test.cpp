// Findings that follow from a variable that is too small, and others.
#include "explain/values/cut_value.h"

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kIndex =
    "__global__ void k(float* c, int n) {\n"
    "  const short i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) c[i] = 1;\n"
    "}\n"
    "void fill(float* c, int n) { k<<<(n + 255) / 256, 256>>>(c, n); }\n";

CaseRun case_of(const std::string& name, std::int64_t n, bool right) {
  datasets::Array output = float_matrix("c", 4, 4);
  if (!right) poison(output, 3);
  CaseRun made = case_run_with(name, expected_matrix(4, 4), std::move(output));
  made.test.spec.parameters["n"] = n;
  made.observed.launches.emplace_back().kernel = "k";
  made.observed.launches.back().config = {{static_cast<std::uint32_t>((n + 255) / 256), 1, 1}, {256, 1, 1}};
  return made;
}

SubmissionRun cases(std::int64_t right, std::int64_t wrong) {
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(case_of("right", right, true));
  submission_run.case_runs.push_back(case_of("wrong", wrong, false));
  return submission_run;
}

MergedFinding outside() {
  MergedFinding made{finding(std::string(finding_ids::kGlobalOutOfBounds), 3), {"wrong"}};
  made.where.file = "k.cu";
  made.kernel = "k";
  made.help = "as before";
  return made;
}

MergedFinding explained(MergedFinding made, const std::string& source, const SubmissionRun& submission_run) {
  std::vector<MergedFinding> findings{std::move(made)};
  show_cut_values(findings, source, "k.cu", submission_run);
  return findings.front();
}

std::string help_of(const std::string& source, const SubmissionRun& submission_run) {
  return explained(outside(), source, submission_run).help;
}

}  // namespace

TEST_CASE("an index that is too small is shown with the value before and after") {
  const MergedFinding made = explained(outside(), kIndex, cases(1000, 40000));
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 2, 15});
  CHECK(made.other->label == "`i` is too small for its value");
  CHECK(made.help ==
        "`i` is a `short`, which holds -32768 to 32767: in line 2 it gets up to 40191, which becomes -25345; declare "
        "`i` as `int`");
  CHECK(made.proven);
}

TEST_CASE("a variable that is declared first and set later is shown where it is set") {
  const std::string later = replaced(kIndex, "const short i = ", "short other, i;\n  i = ");
  MergedFinding made = outside();
  made.where.line = 4;
  made = explained(made, later, cases(1000, 40000));
  REQUIRE(made.other);
  CHECK(made.other->place.line == 3);
  CHECK(help_of(replaced(later, "if (i", "i -= 3;\n  if (i"), cases(1000, 40000)) == "as before");
}

TEST_CASE("of the finding's own thread the value is that thread's") {
  MergedFinding own = outside();
  own.block = Index3{128, 0, 0};
  own.thread = Index3{1, 0, 0};
  CHECK_THAT(explained(own, kIndex, cases(1000, 40000)).help, contains_text("it gets 32769, which becomes -32767"));
}

TEST_CASE("nothing is said where the values have room") {
  CHECK(help_of(kIndex, cases(1000, 30000)) == "as before");
  CHECK(help_of(replaced(kIndex, "short", "int"), cases(1000, 40000)) == "as before");
  CHECK(help_of(replaced(kIndex, "short", "unsigned short"), cases(1000, 40000)) == "as before");
  // Another kernel's.
  MergedFinding other = outside();
  other.kernel = "other";
  CHECK(explained(other, kIndex, cases(1000, 40000)).help == "as before");
}

TEST_CASE("what a right case does as well is no cause, unless it is about the thread's own number") {
  const std::string count =
      "__global__ void k(float* c, int n) {\n  c[0] = n;\n}\n"
      "void fill(float* c, int n) {\n  const unsigned char blocks = (n + 15) / 16;\n  k<<<blocks, 16>>>(c, n);\n}\n";
  CHECK_THAT(help_of(count, cases(1000, 40000)), contains_text("`blocks` is an `unsigned char`"));
  CHECK_THAT(help_of(count, cases(1000, 40000)), contains_text("in line 5 it gets 2500, which becomes 196"));
  CHECK(help_of(count, cases(39000, 40000)) == "as before");
  CHECK_THAT(help_of(kIndex, cases(39000, 40000)), contains_text("declare `i` as `int`"));
}

TEST_CASE("behind a guard the last block's first thread counts") {
  const std::string guarded =
      "__global__ void k(float* c, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n"
      "  const short at = 2 * i;\n"
      "  c[at] = 1;\n"
      "}\n"
      "void fill(float* c, int n) { k<<<(n + 255) / 256, 256>>>(c, n); }\n";
  // 2 * 16383 has room, 2 * 16639, which no thread computes, has not.
  CHECK(help_of(guarded, cases(1000, 16384)) == "as before");
  CHECK(help_of(guarded, cases(1000, 16300)) == "as before");
  CHECK_THAT(help_of(guarded, cases(1000, 16400)), contains_text("it gets values such as 32768, which becomes -32768"));
  // It is no reason to leave right cases out of account.
  const std::string part =
      replaced(kIndex, "const short i = blockIdx.x", "if (n < 0) return;\n  const short i = blockIdx.x");
  CHECK(help_of(part, cases(39000, 40000)) == "as before");
}

TEST_CASE("a counter that never gets to the end of its loop is shown") {
  const std::string loop =
      "__global__ void k(float* c, int n) {\n"
      "  float s = 0;\n"
      "  for (unsigned char j = 0; j < n; ++j) s += j;\n"
      "  c[0] = s;\n"
      "}\n"
      "void fill(float* c, int n) { k<<<1, 1>>>(c, n); }\n";
  MergedFinding made = outside();
  made.id = finding_ids::kTimedOut;
  made = explained(made, loop, cases(255, 256));
  CHECK_FALSE(made.other);
  CHECK_THAT(made.help, contains_text("it never gets to `n`, here 256: after 255 comes 0"));
  CHECK(help_of(loop, cases(100, 255)) == "as before");
  CHECK(help_of(replaced(loop, "++j", "j += 2"), cases(255, 256)) == "as before");
}

TEST_CASE("a parameter that is too small is shown, and a hidden case keeps its numbers") {
  const std::string parameter =
      replaced(replaced(kIndex, "short i", "int i"), "float* c, int n) {\n", "float* c, short n) {\n");
  CHECK_THAT(help_of(parameter, cases(1000, 40000)), contains_text("in line 1 it gets 40000, which becomes -25536"));
  SubmissionRun hidden = cases(1000, 40000);
  hidden.case_runs.back().test.spec.hidden = true;
  const std::string help = help_of(parameter, hidden);
  CHECK_THAT(help, contains_text("in line 1 it gets more than that"));
  CHECK(help.find("40000") == std::string::npos);
}

}  // namespace cudalabs::test
