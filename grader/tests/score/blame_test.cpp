// Which checks follow from which findings, and what comes first.
#include "score/blame.h"

#include "catch.h"

using namespace cudalabs;

namespace {

using Numbers = std::vector<std::size_t>;
using Why = FailedCase::Why;

Lab lab_of(const std::vector<std::pair<std::string, std::vector<std::string>>>& checks) {
  Lab lab;
  lab.id = "lab9";
  for (const auto& [id, needs] : checks) lab.checks.push_back({id, id, Category::correctness, 5, needs, ""});
  return lab;
}

CheckResult result(const std::string& id, CheckStatus status, Category category = Category::correctness) {
  CheckResult made;
  made.id = id;
  made.category = category;
  made.status = status;
  return made;
}

TestOutcome failed(const std::string& check, std::vector<FailedCase> cases) {
  TestOutcome outcome{{"lab9: " + check, {"lab9", check}}, 1, {"why"}, {}};
  outcome.failed_in = std::move(cases);
  return outcome;
}

MergedFinding found(const std::string& id, std::uint32_t line, std::vector<std::string> cases,
                    Severity severity = Severity::error) {
  Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.where = {"a.cu", line, 3};
  return {finding, std::move(cases)};
}

/// What the one check of a lab fails because of.
Numbers reasons(std::vector<FailedCase> cases, const std::vector<MergedFinding>& findings) {
  std::vector<CheckResult> results{result("right", CheckStatus::failed)};
  blame(results, lab_of({{"right", {}}}), {failed("right", std::move(cases))}, findings);
  return results[0].because;
}

}  // namespace

TEST_CASE("what did not end in little time after an endless case follows from that case") {
  const FailedCase hurried{"wide", Why::own, {}, {}, "small"};
  CHECK(reasons({hurried}, {found("timed-out", 3, {"small"})}) == Numbers{1});
  CHECK(reasons({hurried}, {found("memory-leak", 2, {"small"}), found("timed-out", 3, {"small"})}) == Numbers{2});
  CHECK(reasons({hurried}, {found("timed-out", 3, {"tall"})}).empty());
  CHECK(reasons({hurried}, {found("shared-race", 3, {"small"})}).empty());
  CHECK(reasons({hurried, {"tall", Why::own}}, {found("timed-out", 3, {"small"})}).empty());
  CHECK(reasons({{"wide", Why::own}}, {found("timed-out", 3, {"small"})}).empty());
}

TEST_CASE("a wrong result follows from the first error in its case") {
  const std::vector<MergedFinding> findings{found("shared-race", 3, {"small"}), found("result-mismatch", 0, {"wide"}),
                                            found("memory-leak", 4, {"small", "tall"}, Severity::warning)};
  CHECK(reasons({{"small", Why::symptom}}, findings) == Numbers{1});
  CHECK(reasons({{"small", Why::symptom}, {"wide", Why::symptom}}, findings) == Numbers{1, 2});
  // A leak makes no result wrong, and one case without a reason leaves the check without.
  CHECK(reasons({{"tall", Why::symptom}}, findings).empty());
  CHECK(reasons({{"small", Why::symptom}, {"tall", Why::symptom}}, findings).empty());
}

TEST_CASE("a check about findings fails for these and no others") {
  const std::vector<MergedFinding> findings{found("shared-race", 3, {"small"}), found("shared-race", 9, {"small"})};
  CHECK(reasons({{"small", Why::finding, "shared-race", {"a.cu", 9, 20}}}, findings) == Numbers{2});
  CHECK(reasons({{"small", Why::finding, "global-race", {"a.cu", 9, 20}}}, findings).empty());
  CHECK(reasons({{"wide", Why::finding, "shared-race", {"a.cu", 9, 20}}}, findings).empty());
  // One that stands at its cause has the place where it was seen beside it.
  std::vector<MergedFinding> moved{found("shared-race", 2, {"small"})};
  moved[0].other = OtherPlace{"a thread stores here", {"a.cu", 9, 5}, {}, {}};
  CHECK(reasons({{"small", Why::finding, "shared-race", {"a.cu", 9, 20}}}, moved) == Numbers{1});
  CHECK(reasons({{"small", Why::finding, "shared-race", {"a.cu", 8, 20}}}, moved).empty());
}

TEST_CASE("what a check alone sees follows from nothing") {
  CHECK(reasons({{"small", Why::own}}, {found("shared-race", 3, {"small"})}).empty());
  CHECK(reasons({{"", Why::own}}, {found("build-failed", 3, {})}).empty());
}

TEST_CASE("a finding of the whole submission is one of every case") {
  CHECK(reasons({{"small", Why::symptom}}, {found("computed-on-the-host", 3, {})}) == Numbers{1});
  CHECK(reasons({{"", Why::symptom}}, {found("build-failed", 3, {})}) == Numbers{1});
}

TEST_CASE("a statement without effect and a variable without a value may be why") {
  CHECK(reasons({{"small", Why::symptom}}, {found("no-effect", 3, {}, Severity::warning)}) == Numbers{1});
  CHECK(reasons({{"small", Why::finding, "shared-race", {"a.cu", 9, 1}}},
                {found("no-effect", 3, {}, Severity::warning), found("shared-race", 9, {"small"})}) == Numbers{1});
  CHECK(reasons({{"small", Why::symptom}}, {found("uninitialized-read", 3, {"small"}, Severity::warning)}) ==
        Numbers{1});
  CHECK(reasons({{"small", Why::symptom}}, {found("global-race", 3, {"small"}, Severity::warning)}).empty());
}

TEST_CASE("a skipped check has the reasons of what it needs") {
  const Lab lab = lab_of({{"a", {}}, {"b", {}}, {"needs_a", {"a"}}, {"needs_both", {"a", "needs_a", "b"}}, {"c", {}}});
  std::vector<CheckResult> results{result("a", CheckStatus::failed), result("b", CheckStatus::failed),
                                   result("needs_a", CheckStatus::skipped), result("needs_both", CheckStatus::skipped),
                                   result("c", CheckStatus::passed)};
  const std::vector<MergedFinding> findings{found("shared-race", 3, {"small"})};
  blame(results, lab, {failed("a", {{"small", Why::symptom}}), failed("b", {{"small", Why::own}})}, findings);
  CHECK(results[0].because == Numbers{1});
  CHECK(results[1].because.empty());
  CHECK(results[2].because == Numbers{1});
  CHECK(results[3].because.empty());
  CHECK(results[4].because.empty());
}

TEST_CASE("what spoils results comes before every check") {
  CHECK(first_check({result("own", CheckStatus::failed)}, {found("shared-race", 3, {})}).empty());
  CHECK(first_check({result("own", CheckStatus::failed)}, {}) == "own");
  CHECK(first_check({result("fine", CheckStatus::passed)}, {}).empty());
}

TEST_CASE("a check on how things are done comes before one on what comes of it, and manners before speed") {
  const CheckResult time = result("time", CheckStatus::failed),
                    wait = result("wait", CheckStatus::failed, Category::sync),
                    fast = result("fast", CheckStatus::failed, Category::speed),
                    tidy = result("tidy", CheckStatus::failed, Category::quality);
  CHECK(first_check({time, wait}, {}) == "wait");
  CHECK(first_check({fast, tidy, time}, {}) == "time");
  CHECK(first_check({fast, tidy}, {}) == "tidy");
  const MergedFinding leak = found("memory-leak", 3, {}, Severity::warning);
  CHECK(first_check({fast, time}, {leak}) == "time");
  // A warning that a check failed for comes before another check of its kind; one that costs nothing comes after.
  CheckResult leaks = tidy;
  leaks.because = {1};
  CHECK(first_check({fast, tidy, leaks}, {leak}).empty());
  CHECK(first_check({fast, tidy}, {leak}) == "tidy");
  CHECK(first_check({fast}, {leak}).empty());
  CHECK(first_check({fast}, {found("redundant-barrier", 3, {}, Severity::advice)}) == "fast");
  CheckResult explained = time;
  explained.because = {1};
  CHECK(first_check({explained}, {leak}).empty());
}
