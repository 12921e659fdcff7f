// Errors that are handed to functions which do not print them.
#include "explain/errors/silent_report.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_silent_report {
namespace {

const std::string kLogger = R"(class Log {
 public:
  explicit Log(Level level = Level::Silent) : level_(level) {}
  void error(const char* what) const { write(Level::Error, what); }
 private:
  void write(Level level, const char* what) const {
    if (level > level_) return;
    fprintf(stderr, "%s\n", what);
  }
  Level level_;
};
struct Engine {
  void multiply() const {
    product<<<1, 32>>>();
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess) log.error(cudaGetErrorString(status));
  }
};
)";

const std::string kVerbose = R"(static bool verbose = false;
void report(cudaError_t code) {
  if (code == cudaSuccess) return;
  if (verbose) fprintf(stderr, "%s\n", cudaGetErrorString(code));
}
void multiply() {
  product<<<1, 32>>>();
  report(cudaGetLastError());
}
)";

std::optional<SilentReport> silent_in(const std::string& source) {
  return silent_report(source, source.rfind("cudaGetLastError()"));
}

}  // namespace

TEST_CASE("a function that leaves before it prints is found, through others that call it") {
  CHECK(silent_in(kLogger) == SilentReport{"write", "level > level_", 7, true, "level_", 3});
  CHECK(silent_in(kVerbose) == SilentReport{"report", "verbose", 4, false, "verbose", 1});
  CHECK(silent_in(replaced(kVerbose, "  if (verbose) fprintf", "  if (quiet()) { return; }\n  fprintf")) ==
        SilentReport{"report", "quiet()", 4, true, "quiet", 0});
  CHECK(silent_in(replaced(kVerbose, "report(cudaGetLastError())",
                           "cudaError_t e = cudaGetLastError();\n  if (e) {\n    report(e);\n  }")));
}

TEST_CASE("a question that success alone answers keeps nothing from being printed") {
  CHECK_FALSE(silent_in(replaced(kVerbose, "if (verbose) fprintf", "fprintf")));
  CHECK_FALSE(silent_in(replaced(kVerbose, "if (verbose) fprintf", "if (code) fprintf")));
  const auto wrong_way = silent_in(
      replaced(replaced(kVerbose, "code == cudaSuccess", "code != cudaSuccess"), "if (verbose) fprintf", "fprintf"));
  REQUIRE(wrong_way);
  CHECK(wrong_way->condition == "code != cudaSuccess");
}

TEST_CASE("where several things may have kept the function from printing nothing is said") {
  for (const char* more : {"if (first) return;", "for (;;) break;", "assert(x && y);", "#ifdef DEBUG\n",
                           "while (busy()) {}", "if (a) { if (b) return; return; }", "printf(\"!\");"}) {
    CAPTURE(more);
    CHECK_FALSE(silent_in(replaced(kVerbose, "  if (verbose)", "  " + std::string(more) + "\n  if (verbose)")));
  }
  CHECK_FALSE(silent_in(replaced(kVerbose, "if (verbose) fprintf(stderr", "if (verbose) fprintf(file")));
  CHECK_FALSE(silent_in(replaced(kVerbose, "if (verbose)", "if (x) log(1); else")));
  CHECK_FALSE(silent_in(kVerbose + "void report(int code) {\n}\nvoid f() {\n  report(cudaGetLastError());\n}\n"));
}

TEST_CASE("a function that need not be called, or gets something else, is not blamed") {
  const auto called = [](const char* call) {
    return silent_in(replaced(kVerbose, "report(cudaGetLastError())", call));
  };
  CHECK(called("cudaError_t e = cudaGetLastError();\n  report(e)"));
  CHECK_FALSE(called("cudaError_t e = cudaGetLastError();\n  if (debug) report(e)"));
  CHECK_FALSE(called("cudaError_t e = cudaGetLastError();\n  if (e == cudaSuccess) report(e)"));
  CHECK_FALSE(called("cudaError_t e = cudaGetLastError();\n  e = cudaDeviceSynchronize();\n  report(e)"));
  CHECK_FALSE(called("cudaError_t e = cudaGetLastError();\n  if (x) return;\n  report(e)"));
  CHECK_FALSE(called("cudaError_t e = cudaGetLastError();\n  report(f)"));
  CHECK_FALSE(called("{ e = cudaGetLastError(); }\n  report(e)"));
  CHECK_FALSE(called("bool ok = passed(cudaGetLastError());\n  report(ok)"));
  CHECK_FALSE(called("other(cudaGetLastError())"));
  CHECK_FALSE(called("cudaGetLastError()"));
}

TEST_CASE("an error that was handed over and not printed is shown at the condition") {
  MergedFinding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.message = "`cudaGetLastError` returns the error of a launch here, and the program does not report it";
  finding.failed_call = "cudaGetLastError";
  finding.where = {"k.cu", 15, 3};
  finding.other = OtherPlace{"the launch that failed", {"k.cu", 14, 3}, {}, {}};
  finding.cases = {"launch"};
  CaseRun run;
  run.test.spec.name = "launch";
  run.observed.made_to_fail =
      FailedCall{{"k.cu", 14, 3}, WatchedCall{.name = "cudaGetLastError", .where = {"k.cu", 15, 3}}};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(run);
  std::vector<MergedFinding> findings{finding, finding};
  findings[1].message = "this launch failed, and the program said nothing";
  findings[1].failed_call.clear();
  show_silent_reports(findings, kLogger, "k.cu", submission_run);
  CHECK(findings[0].message == "`write` gets the error of the launch, and returns here before it prints");
  CHECK(findings[0].where.line == 7);
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 15);
  CHECK(findings[0].help ==
        "let `write` print errors always: `level > level_` must not hold for them; `level_` gets its value in line 3");
  CHECK(findings[1].where.line == 15);
}

}  // namespace cudalabs::test::of_silent_report
