// What the compiler has warned of, beside a finding that knows no cause.
#include "check/compiler_warning.h"

#include "catch.h"
#include "make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

SubmissionRun warned(std::vector<std::uint32_t> lines) {
  SubmissionRun submission_run;
  for (const std::uint32_t line : lines)
    submission_run.build.warnings.push_back({{"a.cu", line, 3}, "misleading indentation"});
  return submission_run;
}

MergedFinding wrong_at(std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"a.cu", line, 5};
  finding.help = "as before";
  return finding;
}

MergedFinding shown(MergedFinding finding, const SubmissionRun& submission_run) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_compiler_warning(findings, submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("the only line that the compiler warns of stands with a wrong result") {
  const MergedFinding finding = shown(wrong_at(21), warned({20}));
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 20);
  CHECK(finding.where.line == 21);
  CHECK(finding.help == "the compiler warns at line 20: misleading indentation");
  CHECK_FALSE(shown(wrong_at(20), warned({20})).other);
}

TEST_CASE("a warning does not stand with a finding that knows its cause, nor do several") {
  CHECK(shown(wrong_at(21), warned({})).help == "as before");
  CHECK(shown(wrong_at(21), warned({8, 20})).help == "as before");
  MergedFinding finding = wrong_at(21);
  finding.detector = "product_stops_early";
  CHECK(shown(finding, warned({20})).help == "as before");
  finding = wrong_at(21);
  finding.values = ValueKind::transposed;
  CHECK(shown(finding, warned({20})).help == "as before");
  finding = wrong_at(21);
  finding.id = finding_ids::kSharedRace;
  CHECK(shown(finding, warned({20})).help == "as before");
  std::vector<MergedFinding> none;
  show_compiler_warning(none, warned({20}));
  CHECK(none.empty());
}

}  // namespace cudalabs::test
