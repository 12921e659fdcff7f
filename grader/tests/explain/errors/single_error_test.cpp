// Statuses that are compared with one error, and such that are compared with success.
#include "explain/errors/single_error.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/include/driver_types.h"

namespace cudalabs::test {
namespace {

/// Of a function whose third line asks.
std::string report_with(const std::string& body) {
  return "void report() {\n  add<<<1, 1>>>();\n" + body + "\n}\nvoid other() {\n  if (x == cudaSuccess) return;\n}\n";
}

std::string error_in(const std::string& body) {
  const auto compared = only_compared_error(report_with(body), 3);
  return compared ? compared->names.front() : "";
}

const std::string kOne =
    "  const cudaError_t status = cudaGetLastError();\n  if (status == cudaErrorLaunchFailure) print(status);";

MergedFinding unreported() {
  MergedFinding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.message = "`cudaGetLastError` returns the error of a launch here, and the program does not report it";
  finding.failed_call = "cudaGetLastError";
  finding.where = {"k.cu", 3, 3};
  finding.other = OtherPlace{"the launch that failed", {"k.cu", 2, 3}, {}, {}};
  finding.cases = {"launch"};
  return finding;
}

SubmissionRun run_with(cudaError_t error) {
  CaseRun run;
  run.test.spec.name = "launch";
  run.observed.made_to_fail = FailedCall{{"k.cu", 2, 3}, WatchedCall{}};
  run.observed.made_to_fail->asked->status = error;
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(run);
  return submission_run;
}

}  // namespace

TEST_CASE("a comparison with one error is found") {
  CHECK(only_compared_error(report_with(kOne), 3) == Setting{{"cudaErrorLaunchFailure"}, 4, 17});
  CHECK(error_in("  if (cudaGetLastError() == cudaErrorLaunchFailure) print();") == "cudaErrorLaunchFailure");
  CHECK(error_in("  auto e = cudaGetLastError();\n  if (e != cudaErrorUnknown) return;\n  print(e);") ==
        "cudaErrorUnknown");
}

TEST_CASE("nothing is found where other errors are asked for, too") {
  CHECK(error_in("  cudaError_t e = cudaGetLastError();\n  if (e != cudaSuccess) print(e);").empty());
  CHECK(error_in("  cudaError_t e = cudaGetLastError();\n  if (e == cudaErrorUnknown) return;\n"
                 "  if (e != cudaSuccess) print(e);")
            .empty());
  CHECK(error_in("  cudaError_t e = cudaGetLastError();\n"
                 "  if (e == cudaErrorUnknown || e == cudaErrorLaunchFailure) print(e);")
            .empty());
  CHECK(error_in("  cudaError_t e = cudaStreamQuery(s);\n  if (e == cudaErrorNotReady) wait();").empty());
  CHECK(error_in("  cudaError_t e = cudaGetLastError();\n  if (f == cudaErrorUnknown) print(e);").empty());
  CHECK(error_in("  cudaError_t e = cudaGetLastError();\n  if (e) print(cudaErrorUnknown);").empty());
  CHECK(error_in("  cudaGetLastError();").empty());
  CHECK(error_in("  == cudaErrorUnknown").empty());
  CHECK_FALSE(only_compared_error("int x;\n", 1));
  CHECK_FALSE(only_compared_error("int x;\n", 9));
}

TEST_CASE("an unreported error is placed at the comparison with another one") {
  std::vector<MergedFinding> findings{unreported()};
  show_single_errors(findings, report_with(kOne), "k.cu", run_with(cudaErrorLaunchOutOfResources));
  CHECK(findings[0].message ==
        "only `cudaErrorLaunchFailure` is reported, and the launch failed with `cudaErrorLaunchOutOfResources`");
  CHECK(findings[0].where == SourcePlace{"k.cu", 4, 17});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 3);
  CHECK(findings[0].note == "the launch that failed is in line 2\n");
}

TEST_CASE("a comparison with the error that came explains nothing") {
  std::vector<MergedFinding> findings{unreported(), unreported()};
  findings[1].id = finding_ids::kRuntimeError;
  show_single_errors(findings, report_with(kOne), "k.cu", run_with(cudaErrorLaunchFailure));
  CHECK(findings[0].where.line == 3);
  CHECK(findings[1].where.line == 3);
}

}  // namespace cudalabs::test
