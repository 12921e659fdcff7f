// A program that is told of a failure, and copies all the same.
#include "explain/errors/dropped_answer.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_dropped_answer {
namespace {

const std::string kHelper = "bool fine(cudaError_t e, const char* where) {\n  return e == cudaSuccess;\n}\n";

/// Of a statement in line 5 that gets the error.
std::string help(const std::string& statement, const std::string& helper = kHelper,
                 const std::string& failed = "cudaGetLastError", bool right_at_first = false) {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 5, 3};
  finding.failed_call = failed;
  finding.right_at_first = right_at_first;
  finding.output = "c";
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_dropped_answers(findings, helper + "void f() {\n" + statement + "\n}\n", "k.cu");
  return findings.front().help;
}

}  // namespace

TEST_CASE("an answer that tells of a failure and is dropped is named") {
  CHECK(help("  fine(cudaGetLastError(), \"launch\");") ==
        "`fine` returns `bool`, and line 5 does not use that: copy to `c` only where no call has failed, and free what "
        "is "
        "allocated in any case");
  CHECK(help("  cudaGetLastError();") ==
        "line 5 does not use what `cudaGetLastError` returns: copy to `c` only where no call has failed, and free what "
        "is allocated in any case");
  const std::string last = "cudaError_t told(const char* where, cudaError_t e) {\n  return e;\n}\n";
  CHECK_THAT(help("  told(\"launch\", cudaGetLastError());", last), contains_text("`told` returns `cudaError_t`, and"));
}

TEST_CASE("nothing is said of an answer that is used, or of a function that gives none") {
  CHECK(help("  ok = fine(cudaGetLastError(), \"launch\");") == "as before");
  CHECK(help("  if (!fine(cudaGetLastError(), \"launch\")) say();") == "as before");
  CHECK(help("  cudaError_t e = cudaGetLastError();") == "as before");
  CHECK(help("  fine(cudaGetLastError());", "void fine(cudaError_t e) {\n  if (e) exit(1);\n}\n") == "as before");
  CHECK(help("  other(cudaGetLastError());") == "as before");
  CHECK(help("  FINE();") == "as before");
  // Another place is shown.
  CHECK(help("  fine(cudaGetLastError(), \"launch\");", kHelper, "") == "as before");
  CHECK(help("  fine(cudaGetLastError(), \"launch\");", kHelper, "cudaGetLastError", true) == "as before");
}

TEST_CASE("a hostile text before a call is read in one go") {
  help(std::string(1 << 20, '(') + "cudaGetLastError()");
  help("  fine(cudaGetLastError()" + std::string(1 << 20, '('));
}

}  // namespace cudalabs::test::of_dropped_answer
