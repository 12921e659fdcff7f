// From outcomes to points: what earns them, and what must never.
#include "score/score.h"

#include "catch.h"

using namespace cudalabs;

namespace {

Check check(const std::string& id, double points, std::vector<std::string> needs = {}) {
  return {id, "title of " + id, Category::correctness, points, std::move(needs), "help for " + id};
}

Lab lab_of(std::vector<Check> checks) {
  Lab lab;
  lab.id = "lab9";
  lab.checks = std::move(checks);
  return lab;
}

TestCase test_of(const std::string& check) {
  return {"lab9: " + check, {"lab9", check}};
}

TestOutcome passed(const std::string& check) {
  return {test_of(check), 1, {}, {}};
}
TestOutcome failed(const std::string& check) {
  return {test_of(check), 1, {"because of " + check}, {}};
}
TestOutcome saw_fault(const std::string& check) {
  TestOutcome outcome = failed(check);
  outcome.saw_fault = true;
  return outcome;
}
TestOutcome with_credit(TestOutcome outcome, double credit) {
  outcome.credit = credit;
  return outcome;
}
TestOutcome broken(const std::string& check) {
  return {test_of(check), 1, {}, {"no such file"}};
}

std::vector<CheckStatus> statuses(const std::vector<CheckResult>& results) {
  std::vector<CheckStatus> found;
  for (const CheckResult& result : results) found.push_back(result.status);
  return found;
}

}  // namespace

TEST_CASE("a check that passed says what it did not see") {
  TestOutcome outcome = passed("a");
  outcome.unseen = "not known in `b`";
  const auto results = score(lab_of({check("a", 3)}), {test_of("a")}, {outcome});
  CHECK(results[0].status == CheckStatus::passed);
  CHECK(results[0].points == 3);
  CHECK(results[0].message == "not known in `b`");
}

TEST_CASE("a passed check earns its points, a failed one none") {
  const Lab lab = lab_of({check("a", 3), check("b", 4)});
  const auto results = score(lab, {test_of("a"), test_of("b")}, {passed("a"), failed("b")});
  CHECK(statuses(results) == std::vector{CheckStatus::passed, CheckStatus::failed});
  CHECK(results[0].points == 3);
  CHECK(results[0].help.empty());
  CHECK(results[1].points == 0);
  CHECK(results[1].max == 4);
  CHECK(results[1].message == "because of b");
  CHECK(results[1].help == "help for b");
  CHECK(total(results).points == 3);
  CHECK(total(results).max == 7);
}

TEST_CASE("a failed check earns the share that it was awarded") {
  const Lab lab = lab_of({check("a", 4), check("b", 5), check("c", 6)});
  const auto results =
      score(lab, {test_of("a"), test_of("b"), test_of("c")},
            {with_credit(failed("a"), 0.25), with_credit(failed("b"), 1), with_credit(failed("c"), 0)});
  CHECK(statuses(results) == std::vector(3, CheckStatus::failed));
  CHECK(results[0].points == 1);
  CHECK(results[0].max == 4);
  CHECK(results[0].help == "help for a");
  TestOutcome explained = failed("a");
  explained.explained = true;
  CHECK(score(lab_of({check("a", 4)}), {test_of("a")}, {explained})[0].help.empty());
  CHECK(results[1].points == 5);
  CHECK(results[2].points == 0);
  CHECK(total(results).points == 6);
  CHECK_FALSE(total(results).full());
}

TEST_CASE("a check that passed earns everything, whatever it was awarded") {
  const Lab lab = lab_of({check("a", 4)});
  for (const double credit : {0.0, 0.25, 1.0}) {
    const auto results = score(lab, {test_of("a")}, {with_credit(passed("a"), credit)});
    CHECK(results[0].status == CheckStatus::passed);
    CHECK(results[0].points == 4);
  }
}

TEST_CASE("a check that is skipped or broke earns nothing, whatever it was awarded") {
  const Lab lab = lab_of({check("a", 4), check("b", 5, {"a"}), check("c", 6, {"b"}), check("d", 7)});
  const auto results =
      score(lab, {test_of("a"), test_of("b"), test_of("c"), test_of("d")},
            {failed("a"), with_credit(failed("b"), 0.5), with_credit(passed("c"), 0.5), with_credit(broken("d"), 0.5)});
  CHECK(statuses(results) ==
        std::vector{CheckStatus::failed, CheckStatus::skipped, CheckStatus::skipped, CheckStatus::error});
  CHECK(total(results).points == 0);
}

TEST_CASE("a check that earned a part did not pass, for those who need it") {
  const Lab lab = lab_of({check("a", 4), check("b", 5, {"a"})});
  const auto results = score(lab, {test_of("a"), test_of("b")}, {with_credit(failed("a"), 0.5), passed("b")});
  CHECK(results[0].points == 2);
  CHECK(results[1].status == CheckStatus::skipped);
}

TEST_CASE("a broken check is an error, never a failure, and earns nothing") {
  const Lab lab = lab_of({check("a", 3)});
  TestOutcome both = broken("a");
  both.failures = {"something"};
  for (const TestOutcome& outcome : {broken("a"), both}) {
    const auto results = score(lab, {test_of("a")}, {outcome});
    CHECK(results[0].status == CheckStatus::error);
    CHECK(results[0].points == 0);
    CHECK(results[0].message == "no such file");
  }
}

TEST_CASE("a check without its one test case is an error") {
  const Lab lab = lab_of({check("a", 3)});
  CHECK(score(lab, {}, {})[0].status == CheckStatus::error);
  CHECK(score(lab, {test_of("a"), test_of("a")}, {passed("a"), passed("a")})[0].status == CheckStatus::error);
  const TestCase of_other_lab{"lab8: a", {"lab8", "a"}};
  CHECK(score(lab, {of_other_lab}, {{of_other_lab, 1, {}, {}}})[0].status == CheckStatus::error);
}

TEST_CASE("a check whose need did not pass is skipped, whatever its own outcome") {
  const Lab lab = lab_of({check("a", 1), check("b", 1, {"a"}), check("c", 1, {"a"})});
  const auto results = score(lab, {test_of("a"), test_of("b"), test_of("c")}, {failed("a"), passed("b"), failed("c")});
  CHECK(statuses(results) == std::vector{CheckStatus::failed, CheckStatus::skipped, CheckStatus::skipped});
  CHECK(results[1].message == "needs `a` to pass first");
  CHECK(results[2].help.empty());
  CHECK(total(results).points == 0);
}

TEST_CASE("a check on synchronisation that saw a fault stays failed where its need did not pass") {
  Lab lab = lab_of({check("a", 1), check("b", 1, {"a"}), check("c", 1, {"b"}), check("d", 1, {"a"})});
  lab.checks[1].category = lab.checks[2].category = Category::sync;
  const auto results = score(lab, {test_of("a"), test_of("b"), test_of("c"), test_of("d")},
                             {failed("a"), saw_fault("b"), saw_fault("c"), saw_fault("d")});
  CHECK(statuses(results) ==
        std::vector{CheckStatus::failed, CheckStatus::failed, CheckStatus::failed, CheckStatus::skipped});
  CHECK(results[1].message == "because of b");
  CHECK(results[1].help == "help for b");
  CHECK(total(results).points == 0);
}

TEST_CASE("a check on synchronisation that had nothing to look at, or would have passed, is skipped") {
  Lab lab = lab_of({check("a", 1), check("b", 1, {"a"}), check("c", 1, {"a"})});
  lab.checks[1].category = lab.checks[2].category = Category::sync;
  const auto results = score(lab, {test_of("a"), test_of("b"), test_of("c")}, {failed("a"), failed("b"), passed("c")});
  CHECK(statuses(results) == std::vector{CheckStatus::failed, CheckStatus::skipped, CheckStatus::skipped});
  CHECK(total(results).points == 0);
}

TEST_CASE("skipping goes on through checks that need skipped ones, in any order") {
  const Lab lab = lab_of({check("c", 1, {"b"}), check("b", 1, {"a"}), check("a", 1)});
  const auto results = score(lab, {test_of("a"), test_of("b"), test_of("c")}, {failed("a"), passed("b"), passed("c")});
  CHECK(statuses(results) == std::vector{CheckStatus::skipped, CheckStatus::skipped, CheckStatus::failed});
}

TEST_CASE("an error stays an error even where a need did not pass") {
  const Lab lab = lab_of({check("a", 1), check("b", 1, {"a"})});
  const auto results = score(lab, {test_of("a"), test_of("b")}, {failed("a"), broken("b")});
  CHECK(results[1].status == CheckStatus::error);
}

TEST_CASE("a need that is an error skips those who need it") {
  const Lab lab = lab_of({check("a", 1), check("b", 1, {"a"})});
  const auto results = score(lab, {test_of("a"), test_of("b")}, {broken("a"), passed("b")});
  CHECK(results[1].status == CheckStatus::skipped);
}

TEST_CASE("a test case that did not run was not selected") {
  const Lab lab = lab_of({check("a", 1)});
  const auto results = score(lab, {test_of("a")}, {});
  CHECK(results[0].status == CheckStatus::skipped);
  CHECK(results[0].message == "not selected");
}

TEST_CASE("a need that was not selected stands in nobody's way") {
  const Lab lab = lab_of({check("a", 1), check("b", 1, {"a"})});
  const auto results = score(lab, {test_of("a"), test_of("b")}, {passed("b")});
  CHECK(statuses(results) == std::vector{CheckStatus::skipped, CheckStatus::passed});
}

TEST_CASE("a grading that broke earns nothing") {
  const auto results = score_of_broken(lab_of({check("a", 1), check("b", 1)}), "the sandbox is gone");
  CHECK(statuses(results) == std::vector{CheckStatus::error, CheckStatus::error});
  CHECK(total(results).points == 0);
  CHECK(results[1].message == "the sandbox is gone");
}
