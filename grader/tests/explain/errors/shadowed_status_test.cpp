// Variables of an error that hide others of their name.
#include "explain/errors/shadowed_status.h"

#include "catch.h"
#include "tests/replaced.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_shadowed_status {
namespace {

const std::string kHidden = R"(void multiply(int m) {
  cudaError_t err = cudaSuccess;
  for (int i = 0; i < m && err == cudaSuccess; ++i) {
    product<<<1, 32>>>();
    cudaError_t err = cudaGetLastError();
    if (debug) printf("%s\n", cudaGetErrorString(err));
  }
  if (err != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(err));
}
)";

std::optional<ShadowedStatus> hidden_in(const std::string& source) {
  return shadowed_status(source, source.find("cudaGetLastError()"));
}

}  // namespace

TEST_CASE("a variable that hides the one that is looked at is found") {
  CHECK(hidden_in(kHidden) == ShadowedStatus{"err", 5, 2, 8});
  CHECK(hidden_in("static cudaError_t e;\nvoid f() {\n  cudaError_t e = cudaGetLastError();\n}\n"
                  "bool well() {\n  return e == cudaSuccess;\n}\n") == ShadowedStatus{"e", 3, 1, 6});
  CHECK(hidden_in("void f(cudaError_t e) {\n  {\n    auto e = cudaGetLastError();\n  }\n  print(e);\n}\n") ==
        ShadowedStatus{"e", 3, 1, 5});
}

TEST_CASE("what is stored in the variable that is looked at is not hidden") {
  CHECK_FALSE(hidden_in(replaced(kHidden, "    cudaError_t err =", "    err =")));
  CHECK_FALSE(hidden_in(replaced(kHidden, "    cudaError_t err =", "    cudaError_t last =")));
  CHECK_FALSE(hidden_in(replaced(kHidden, "  cudaError_t err = cudaSuccess;\n", "")));
}

TEST_CASE("an inner variable that is looked at itself is another matter") {
  for (const char* look : {"if (err != cudaSuccess) return;", "last = err;", "report(err);", "return err;"}) {
    CAPTURE(look);
    CHECK_FALSE(hidden_in(replaced(kHidden, "if (debug)", std::string(look) + "\n    if (debug)")));
  }
}

TEST_CASE("an outer variable that nobody looks at later loses nothing") {
  CHECK_FALSE(hidden_in(replaced(kHidden, "if (err != cudaSuccess) fprintf", "if (debug) fprintf")));
  CHECK_FALSE(hidden_in(replaced(kHidden, "  if (err != cudaSuccess) fprintf", "  err = cudaSuccess;\n  printf")));
  CHECK_FALSE(
      hidden_in("void f() {\n  { cudaError_t e; use(e); }\n  {\n    cudaError_t e = cudaGetLastError();\n  }\n"
                "  cudaError_t e = g();\n  print(e);\n}\n"));
  CHECK_FALSE(
      hidden_in("void f() {\n  cudaError_t e;\n  {\n    cudaError_t e = cudaGetLastError();\n  }\n}\n"
                "void g(cudaError_t e) {\n  print(e);\n}\n"));
}

TEST_CASE("statements that compute something else of the call are not read") {
  CHECK_FALSE(
      hidden_in(replaced(kHidden, "cudaError_t err = cudaGetLastError()", "bool err = passed(cudaGetLastError())")));
  CHECK_FALSE(hidden_in("cudaGetLastError()"));
  CHECK_FALSE(hidden_in("} cudaError_t e = cudaGetLastError();"));
}

TEST_CASE("an error that a hidden variable keeps is shown with both declarations") {
  MergedFinding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.message = "`cudaGetLastError` returns the error of a launch here, and the program does not report it";
  finding.failed_call = "cudaGetLastError";
  finding.where = {"k.cu", 5, 3};
  finding.other = OtherPlace{"the launch that failed", {"k.cu", 4, 3}, {}, {}};
  finding.cases = {"launch"};
  CaseRun run;
  run.test.spec.name = "launch";
  run.observed.made_to_fail =
      FailedCall{{"k.cu", 4, 3}, WatchedCall{.name = "cudaGetLastError", .where = {"k.cu", 5, 3}}};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(run);
  std::vector<MergedFinding> findings{finding, finding};
  findings[1].message = "this launch failed, and the program said nothing";
  findings[1].failed_call.clear();
  show_shadowed_statuses(findings, kHidden, "k.cu", submission_run);
  CHECK(findings[0].message == "this `err` hides the `err` of line 2: the error of the launch is lost here");
  CHECK(findings[0].where.line == 5);
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 2);
  CHECK(findings[0].note == "the launch that failed is in line 4\n");
  CHECK(findings[1].other->place.line == 4);
}

}  // namespace cudalabs::test::of_shadowed_status
