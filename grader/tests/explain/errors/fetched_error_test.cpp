// Second questions for an error, and what is no such question.
#include "explain/errors/fetched_error.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/include/driver_types.h"

namespace cudalabs::test {
namespace {

const std::string kSource =
    "void report() {\n"
    "  const cudaError_t e = cudaGetLastError();\n"
    "}\n"
    "void vector_add() {\n"
    "  report();\n"
    "  if (cudaGetLastError() == cudaSuccess)\n"
    "    cudaMemcpy(c, d, 4, cudaMemcpyDeviceToHost);\n"
    "  cudaGetLastError();\n"
    "}\n";

WatchedCall call(const std::string& name, std::uint32_t line, cudaError_t status = cudaSuccess) {
  WatchedCall made;
  made.name = name;
  made.status = status;
  made.where = {"k.cu", line, 3};
  return made;
}

MergedFinding written() {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.message = "`c` was written, although a call had failed: `cudaGetLastError` returns the error here";
  finding.failed_call = "cudaGetLastError";
  finding.where = {"k.cu", 2, 3};
  finding.other = OtherPlace{"the copy to the host, after the failure", {"k.cu", 7, 5}, {}, {}};
  finding.shown = "launch";
  return finding;
}

MergedFinding explained(const std::vector<WatchedCall>& calls, const MergedFinding& finding = written(),
                        const std::string& source = kSource) {
  SubmissionRun submission_run;
  submission_run.case_runs.emplace_back();
  submission_run.case_runs[0].test.spec.name = "launch";
  submission_run.case_runs[0].observed.after_failure = calls;
  std::vector<MergedFinding> findings{finding};
  show_fetched_errors(findings, source, "k.cu", submission_run);
  return findings[0];
}

const WatchedCall kFirst = call("cudaGetLastError", 2, cudaErrorLaunchOutOfResources);
const WatchedCall kSecond = call("cudaGetLastError", 6), kCopy = call("cudaMemcpy", 7);

}  // namespace

TEST_CASE("the question that got success after another had fetched the error is shown") {
  const MergedFinding finding = explained({kFirst, kSecond, kCopy});
  CHECK(finding.where.line == 6);
  CHECK(finding.message ==
        "`c` was written, although a call had failed: `cudaGetLastError` returns `cudaSuccess` here");
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 2);
  CHECK(finding.other->label == "this has fetched and cleared the error");
  CHECK(finding.note == "line 7 copies the output to the host, after the failure\n");
}

TEST_CASE("two questions in one line are told, since the first has cleared the error") {
  const auto told = [](const std::string& statement) {
    return explained({kFirst, call("cudaGetLastError", 2), kCopy}, written(), "void f() {\n  " + statement + "\n}\n");
  };
  const MergedFinding finding = told("if (cudaGetLastError() != cudaSuccess) ok = good(\"k\", cudaGetLastError());");
  CHECK(finding.where.line == 2);
  CHECK(finding.message ==
        "`c` was written, although a call had failed: this asks for the last error twice, and the second call returns "
        "`cudaSuccess`");
  CHECK_THAT(finding.help, contains_text("the first call of line 2 has fetched and cleared it"));
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 7);
  // What the second one returned decides nothing, or the text has it once.
  for (const char* other :
       {"if (cudaGetLastError() != cudaSuccess) puts(cudaGetErrorString(cudaGetLastError()));",
        "if (cudaGetLastError() != cudaSuccess) cudaGetLastError();", "cudaGetLastError(); cudaGetLastError();",
        "while (cudaGetLastError() != cudaSuccess) f();"})
    CHECK(told(other) == written());
}

TEST_CASE("a question for the words of a message alone is no second question") {
  const std::string source =
      "void f() {\n  if (cudaGetLastError() != cudaSuccess)\n    puts(cudaGetErrorString(cudaGetLastError()));\n}\n";
  CHECK(explained({kFirst, call("cudaGetLastError", 3), kCopy}, written(), source) == written());
}

TEST_CASE("other calls are no second question") {
  CHECK(explained({kFirst, kCopy}).where.line == 2);
  CHECK(explained({kFirst, kCopy, kSecond}).where.line == 2);
  CHECK(explained({kFirst, call("cudaLaunchKernel", 5), kSecond, kCopy}).where.line == 2);
  CHECK(explained({kFirst, call("cudaGetLastError", 6, cudaErrorInvalidValue), kCopy}).where.line == 2);
  CHECK(explained({kFirst, call("cudaGetLastError", 2), kCopy}).where.line == 2);
  // Nobody uses what it returned.
  CHECK(explained({kFirst, call("cudaGetLastError", 8), kCopy}).where.line == 2);
  MergedFinding of_copy = written();
  of_copy.message = "`c` was written, although a call had failed: `cudaMemcpy` returns the error here";
  of_copy.failed_call = "cudaMemcpy";
  CHECK(explained({kFirst, kSecond, kCopy}, of_copy).where.line == 2);
}

}  // namespace cudalabs::test
