// Launches that a function leaves before it asks.
#include "explain/errors/missed_check.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_missed_check {
namespace {

MergedFinding shown(const std::string& jump, const std::string& id = std::string(finding_ids::kUncheckedLaunch)) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"folder/k.cu", 2, 0};
  finding.message = "as before";
  std::vector<MergedFinding> findings{finding};
  show_missed_checks(findings,
                     "void f(int n) { while (n) {\n  k<<<1, n>>>(n);\n  if (n == 1) " + jump +
                         ";  // the last\n  report(cudaGetLastError());\n} }\n",
                     "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("the jump by which a launch goes past its check is shown") {
  const MergedFinding made = shown("return");
  CHECK(made.message == "the function may return before it asks whether this launch went well");
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"folder/k.cu", 3, 15});
  CHECK(made.other->label == "the function returns here, before `cudaGetLastError` is called in line 4");
  CHECK(made.help ==
        "call `cudaGetLastError` right after the launch, before the `return` in line 3: where line 4 is not reached, "
        "nobody sees that the launch was refused");
  CHECK(shown("break").message == "this launch may go unchecked: a `break` goes past the check");
}

TEST_CASE("without a jump, and of other findings, nothing is said") {
  CHECK(shown("--n").message == "as before");
  CHECK(shown("return", "silent-failure").message == "as before");
}

}  // namespace cudalabs::test::of_missed_check
