// Objects that are to report the error of a launch, and are made after it.
#include "explain/errors/late_object.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_late_object {
namespace {

const std::string kReport =
    "class Report {\n"
    " public:\n"
    "  explicit Report(const char* name) : name_{name} { static_cast<void>(cudaGetLastError()); }\n"
    "  ~Report() {\n"
    "    const cudaError_t error = cudaGetLastError();\n"
    "    if (error != cudaSuccess) fprintf(stderr, \"%s\", name_);\n"
    "  }\n"
    "};\n"
    "void f() {\n"
    "  k<<<1, 32>>>();\n"
    "  const Report report{\"k\"};\n"
    "}\n";

MergedFinding shown(const std::string& source, std::uint32_t declared = 11,
                    const std::string& name = "cudaGetLastError") {
  SubmissionRun run;
  run.case_runs.resize(1);
  run.case_runs.front().test.spec.name = "launch";
  WatchedCall asked{name, 9, {"k.cu", 3, 0}};
  asked.outer = {"k.cu", declared, 0};
  run.case_runs.front().observed.after_failure = {asked};
  MergedFinding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.message = "`cudaGetLastError` returns the error of a launch here, and the program does not report it";
  finding.failed_call = "cudaGetLastError";
  finding.where = {"k.cu", 3, 0};
  finding.other = OtherPlace{"the launch that failed", {"k.cu", 10, 0}, {}, {}};
  finding.cases = {"launch"};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_late_objects(findings, source, "k.cu", run);
  return findings.front();
}

}  // namespace

TEST_CASE("the declaration after the launch is shown") {
  const MergedFinding made = shown(kReport);
  CHECK(made.where == SourcePlace{"k.cu", 11, 9});
  CHECK(made.message == "`report` is made after the launch, and making it fetches and clears the launch's error");
  CHECK(made.note.starts_with("`~Report` asks in line 5, after line 3 has cleared the error, and gets none\n"));
  CHECK(made.other->place.line == 3);
  CHECK(made.help == "declare `report` before the launch: then its destructor gets the error");
}

TEST_CASE("nothing is said of objects whose destructor does not ask, or that are made elsewhere") {
  CHECK(shown(replaced(kReport, "error = cudaGetLastError()", "error = kept_")).help == "as before");
  CHECK(shown(replaced(kReport, "const Report report{\"k\"}", "report(\"k\")")).help == "as before");
  CHECK(shown(replaced(kReport, "const Report report", "const Other report")).help == "as before");
  CHECK(shown(kReport, 9).help == "as before");
  CHECK(shown(kReport, 0).help == "as before");
  CHECK(shown(kReport, 99).help == "as before");
  CHECK(shown(kReport, 11, "cudaPeekAtLastError").help == "as before");
  CHECK(shown(replaced(kReport, "  k<<<1, 32>>>();\n", "  k<<<1, 32>>>(); }\nvoid g() {\n"), 12).help == "as before");
}

}  // namespace cudalabs::test::of_late_object
