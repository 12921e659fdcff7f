// Loops to a remainder that is 0 where results are wrong.
#include "explain/values/zero_remainder.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kSource =
    "enum { TILE = 16 };\n"
    "__global__ void k(float* c, int n) {\n"
    "  const int tiles = (n + TILE - 1) / TILE;\n"
    "  float sum = 0;\n"
    "  for (int t = 0; t < tiles; ++t) {\n"
    "    const int most = t == tiles - 1 ? n % TILE : TILE;\n"
    "    for (int k = 0; k < most; ++k) sum += c[k];\n"
    "  }\n"
    "  c[threadIdx.x] = sum;\n"
    "}\n"
    "void f(float* c, int n) { k<<<4, 16>>>(c, n); }\n";

CaseRun run_of(std::int64_t n, bool right) {
  CaseRun made =
      case_run_with("n" + std::to_string(n), expected_matrix(4, 4), float_matrix("c", 4, 4, [=](auto row, auto column) {
                      return right ? reference_value(row, column) : 1e6 + static_cast<double>(row * column);
                    }));
  made.test.spec.parameters["n"] = n;
  made.observed.launches.emplace_back().kernel = "k";
  return made;
}

SubmissionRun run_with(const std::vector<std::int64_t>& wrong, const std::vector<std::int64_t>& right) {
  SubmissionRun submission_run;
  for (const std::int64_t n : wrong) submission_run.case_runs.push_back(run_of(n, false));
  for (const std::int64_t n : right) submission_run.case_runs.push_back(run_of(n, true));
  judge(submission_run.case_runs);
  return submission_run;
}

MergedFinding explained(const std::string& source, const std::vector<std::int64_t>& wrong = {16, 64},
                        const std::vector<std::int64_t>& right = {5, 17, 50}) {
  const SubmissionRun submission_run = run_with(wrong, right);
  MergedFinding made{finding(std::string(finding_ids::kResultMismatch), 9), {}};
  for (const std::int64_t n : wrong) made.cases.push_back("n" + std::to_string(n));
  made.shown = made.cases.back();
  made.where.file = "k.cu";
  made.kernel = "k";
  made.help = "as before";
  std::vector<MergedFinding> findings{made};
  show_zero_remainders(findings, source, "k.cu", submission_run);
  return findings.front();
}

std::string help_of(const std::string& part, const std::string& by) {
  return explained(replaced(kSource, part, by)).help;
}

}  // namespace

TEST_CASE("a loop to a remainder that is 0 in the wrong cases alone is shown with its value") {
  const MergedFinding found = explained(kSource);
  CHECK(found.where.line == 6);
  CHECK(found.where.column == 41);
  CHECK_THAT(found.help, contains_text("`n % TILE` is 0 where `TILE` divides `n`, in case `n64` 64 % 16"));
  REQUIRE(found.other);
  CHECK(found.other->place.line == 7);
  CHECK(found.other->place.column == 5);
  CHECK(found.proven);
  CHECK_THAT(help_of("k < most", "k < (n % TILE)"), contains_text("`n % TILE` is 0"));
  CHECK_THAT(help_of("k < most", "k < n % TILE"), contains_text("`n % TILE` is 0"));
}

TEST_CASE("a remainder that does not part wrong cases from right ones is not blamed") {
  CHECK(explained(kSource, {16, 64}, {5, 17, 32}).help == "as before");  // right, though it is 0
  CHECK(explained(kSource, {16, 20}, {5, 17, 50}).help == "as before");  // wrong, though it is not
  CHECK(explained(kSource, {64}, {5, 17, 50}).help == "as before");      // of one case it may be chance
  CHECK(explained(kSource, {16, 64}, {}).help == "as before");
}

TEST_CASE("a remainder that is asked whether it is 0 is not blamed, nor one of something unknown") {
  CHECK(help_of("t == tiles - 1 ? n % TILE", "n % TILE == 0 || t < tiles - 1 ? 7") == "as before");
  CHECK(help_of("k < most;", "k < most && c[k] > 0;") == "as before");
  CHECK(help_of("n % TILE : TILE;", "n % TILE : TILE; if (most == 0) most = TILE;") == "as before");
  CHECK(help_of("n % TILE", "tiles * n % TILE") == "as before");
  CHECK(help_of("n % TILE", "count(n) % TILE") == "as before");
  CHECK(help_of("n % TILE", "c[n] % TILE") == "as before");
}

}  // namespace cudalabs::test
