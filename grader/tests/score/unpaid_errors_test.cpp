// An error always costs points, and the same one not twice.
#include "score/unpaid_errors.h"

#include "catch.h"
#include "score/score.h"
#include "vgpu/check/finding_table.h"

using namespace cudalabs;

namespace {

using Why = FailedCase::Why;

/// Looks at `small` with "right" and at `empty` with "none"; "races" looks at both.
Lab small_lab() {
  Lab lab;
  lab.id = "lab9";
  lab.checks = {{"builds", "builds", Category::build, 10, {}, "", {{Ask::Kind::builds}}},
                {"right", "right", Category::correctness, 50, {}, "", {{Ask::Kind::right_results}}},
                {"none", "none", Category::correctness, 20, {}, "", {{Ask::Kind::right_results}}},
                {"races", "races", Category::sync, 10, {}, "", {{Ask::Kind::none, {"races"}}}},
                {"fast", "fast", Category::speed, 10, {}, "", {{Ask::Kind::fast_enough}}}};
  for (const auto& [name, tag] : {std::pair{"small", "right"}, std::pair{"empty", "none"}}) {
    datasets::CaseSpec spec;
    spec.name = name;
    spec.tags = {"fast", tag};
    lab.cases.push_back(spec);
  }
  return lab;
}

TestCase test_of(const std::string& check) {
  return {"lab9: " + check, {"lab9", check}};
}

std::vector<TestCase> registered(const Lab& lab) {
  std::vector<TestCase> tests;
  for (const Check& check : lab.checks) tests.push_back(test_of(check.id));
  return tests;
}

std::vector<TestOutcome> all_passed(const Lab& lab) {
  std::vector<TestOutcome> outcomes;
  for (const TestCase& test : registered(lab)) outcomes.push_back({test, 1, {}, {}});
  return outcomes;
}

MergedFinding found(std::string_view id, std::vector<std::string> cases, Severity severity = Severity::error) {
  Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.where = {"lab/a.cu", 12, 3};
  return {finding, std::move(cases)};
}

void fail(TestOutcome& outcome, FailedCase in) {
  outcome.failures.push_back("why");
  outcome.failed_in.push_back(std::move(in));
}

/// The checks that lose points, in the rubric's order.
std::vector<std::string> losers(const Lab& lab, const std::vector<TestOutcome>& outcomes) {
  std::vector<std::string> ids;
  for (const CheckResult& result : score(lab, registered(lab), outcomes)) {
    if (result.points < result.max) ids.push_back(result.id);
  }
  return ids;
}

std::vector<std::string> losers(const MergedFinding& finding) {
  const Lab lab = small_lab();
  std::vector<TestOutcome> outcomes = all_passed(lab);
  charge_errors(lab, {finding}, outcomes);
  return losers(lab, outcomes);
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("no error of the table leaves full marks, wherever it was seen") {
  const Lab lab = small_lab();
  for (const FindingKind& kind : finding_kinds()) {
    for (const std::vector<std::string>& cases : {Ids{}, Ids{"small"}, Ids{"empty", "small"}, Ids{"unknown"}}) {
      std::vector<TestOutcome> outcomes = all_passed(lab);
      charge_errors(lab, {found(kind.id, cases)}, outcomes);
      const std::vector<CheckResult> results = score(lab, registered(lab), outcomes);
      CAPTURE(kind.id);
      CHECK_FALSE(total(results).full());
    }
  }
}

TEST_CASE("an error costs the check that looks at its case") {
  CHECK(losers(found("invalid-launch", {"empty"})) == Ids{"none"});
  CHECK(losers(found("invalid-launch", {"empty", "small"})) == Ids{"right"});
  CHECK(losers(found("invalid-launch", {})) == Ids{"right"});
  CHECK(losers(found("memory-leak", {"empty"}, Severity::warning)).empty());
  CHECK(losers(found("redundant-barrier", {"empty"}, Severity::advice)).empty());
}

TEST_CASE("a charged check names the error, its case and its line") {
  const Lab lab = small_lab();
  std::vector<TestOutcome> outcomes = all_passed(lab);
  charge_errors(lab, {found("invalid-launch", {"empty"})}, outcomes);
  const std::vector<CheckResult> results = score(lab, registered(lab), outcomes);
  CHECK(results[2].message.find("`empty`") != std::string::npos);
  CHECK(results[2].message.find("invalid-launch at a.cu:12") != std::string::npos);
  REQUIRE(outcomes[2].failed_in.size() == 1);
  CHECK(outcomes[2].failed_in[0].id == "invalid-launch");
}

TEST_CASE("an error that a check failed for costs nothing more") {
  const Lab lab = small_lab();
  const auto losers_with = [&](std::size_t check, const FailedCase& in, const MergedFinding& finding) {
    std::vector<TestOutcome> outcomes = all_passed(lab);
    fail(outcomes[check], in);
    charge_errors(lab, {finding}, outcomes);
    return losers(lab, outcomes);
  };
  // By name, by its group, and by a result that it makes wrong.
  CHECK(losers_with(3, {"small", Why::finding, "shared-race"}, found("shared-race", {"small"})) == Ids{"races"});
  CHECK(losers_with(3, {"small", Why::finding, "global-race"}, found("shared-race", {"empty"})) == Ids{"races"});
  CHECK(losers_with(1, {"small", Why::symptom}, found("invalid-launch", {"small", "empty"})) == Ids{"right"});
  // What failed elsewhere, or for something else, does not pay for it.
  CHECK(losers_with(1, {"small", Why::symptom}, found("invalid-launch", {"empty"})) == Ids{"right", "none"});
  CHECK(losers_with(3, {"empty", Why::finding, "shared-race"}, found("invalid-launch", {"empty"})) ==
        Ids{"none", "races"});
}

TEST_CASE("checks that nobody asked for are charged nothing") {
  const Lab lab = small_lab();
  std::vector<TestOutcome> outcomes{{test_of("races"), 1, {}, {}}};
  charge_errors(lab, {found("invalid-launch", {"empty"})}, outcomes);
  CHECK(outcomes[0].failures.empty());
}
