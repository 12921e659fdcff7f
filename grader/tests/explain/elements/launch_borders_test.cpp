// Gaps between the parts of launches.
#include "explain/elements/launch_borders.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_launch_borders {
namespace {

std::string help_for(std::size_t launches, const std::vector<std::size_t>& missing,
                     RegionKind region = RegionKind::scattered) {
  SubmissionRun submission_run;
  CaseRun& case_run = submission_run.case_runs.emplace_back();
  case_run.test.spec.name = "large";
  for (std::size_t i = 0; i < launches; ++i) case_run.observed.launches.emplace_back().kernel = "add";
  case_run.judgement.emplace();
  Comparison& comparison = case_run.judgement->comparisons.emplace_back();
  comparison.name = "c";
  comparison.fault.resize(100, Fault::none);
  for (const std::size_t i : missing) comparison.fault[i] = Fault::unwritten;
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.kernel = "add";
  finding.output = "c";
  finding.shown = "large";
  finding.region = region;
  finding.help = "as it was";
  std::vector<MergedFinding> findings{finding};
  ask_for_launch_borders(findings, submission_run);
  return findings.front().help;
}

}  // namespace

TEST_CASE("as many gaps as borders between launches are told as such") {
  CHECK(help_for(3, {20, 60, 61}) ==
        "`add` is launched 3 times, and there are 2 gaps, as many as borders between two launches: let each part begin "
        "where the one before ends, without an element between them");
  CHECK(help_for(3, {20, 22, 24, 60}).find("each time for a part") != std::string::npos);
}

TEST_CASE("of one launch, and of gaps of another shape, nothing is said") {
  CHECK(help_for(1, {20, 60}) == "as it was");
  CHECK(help_for(3, {20, 60}, RegionKind::piece) == "as it was");
}

}  // namespace cudalabs::test::of_launch_borders
