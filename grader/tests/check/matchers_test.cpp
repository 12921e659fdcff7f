// The matchers of labs' checks: what passes, what does not, and what a student is told.
#include "check/matchers.h"

#include <limits>
#include <stdexcept>

#include "check/award.h"
#include "check/failed_cases.h"
#include "check/nothing_seen.h"
#include "check/unseen.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

Cases of(const std::vector<CaseRun>& case_runs) {
  Cases made;
  for (const CaseRun& case_run : case_runs) made.case_runs.push_back(&case_run);
  return made;
}

template <typename Matcher>
std::string objection(const Matcher& matcher, const std::vector<CaseRun>& case_runs) {
  return matcher.match(of(case_runs)) ? ""
                                      : Catch::StringMaker<Cases>::convert(of(case_runs)) + " " + matcher.describe();
}

CaseRun wrong_case_run(const std::string& name) {
  return case_run_with(name, expected_matrix(2, 2), float_matrix("c", 2, 2, [](auto, auto) { return 0.0; }));
}

CaseRun poisoned_case_run(const std::string& name) {
  datasets::Array output = float_matrix("c", 2, 2);
  poison(output, 0);
  return case_run_with(name, expected_matrix(2, 2), output);
}

SpeedResult speed_with(SpeedResult::Kind kind, double credit) {
  SpeedResult result;
  result.kind = kind;
  result.baseline = "a copy within the device";
  result.credit = credit;
  result.none = 0.3;
  result.full = 0.7;
  return result;
}

CaseRun with_finding(CaseRun case_run, const Finding& found) {
  case_run.observed.findings.push_back(found);
  return judged(std::move(case_run));
}

}  // namespace

TEST_CASE("right results pass") {
  CHECK(objection(give_right_results(), {right_case_run("a"), right_case_run("b")}).empty());
}

TEST_CASE("a result that a race had a part in is not right") {
  const CaseRun raced = with_finding(right_case_run("a"), finding("shared-race", 3));
  CHECK_THAT(objection(give_right_results(), {raced}), contains_text("follows from the shared-race at matmul.cu:3"));
  CHECK_THAT(objection(give_right("c"), {raced}), contains_text("follows from the shared-race"));
  CHECK_FALSE(objection(give_right_results(), {with_finding(right_case_run("a"), finding("global-race", 3))}).empty());
  // What is wrong says more than why it is.
  CHECK_THAT(objection(give_right_results(), {with_finding(wrong_case_run("a"), finding("shared-race", 3))}),
             contains_text("`c` is wrong"));
  // Warnings, other findings, and races that another finding explains change nothing.
  CHECK(
      objection(give_right_results(), {with_finding(right_case_run("a"), finding("shared-race", 3, Severity::warning))})
          .empty());
  CHECK(objection(give_right_results(), {with_finding(right_case_run("a"), finding("memory-leak", 3))}).empty());
  CaseRun explained = right_case_run("a");
  explained.observed.findings = {finding("global-out-of-bounds", 7), finding("global-race", 7)};
  CHECK(objection(give_right_results(), {judged(explained)}).empty());
}

TEST_CASE("a result behind a barrier that only some threads reach is not right") {
  for (const char* id : {"barrier-divergence", "shuffle-from-inactive-lane"}) {
    const CaseRun diverged = with_finding(right_case_run("a"), finding(id, 3));
    CHECK_THAT(objection(give_right_results(), {diverged}),
               contains_text("a GPU may hang here or give something else: follows from the " + std::string(id) +
                             " at matmul.cu:3"));
    CHECK_THAT(objection(give_right("c"), {diverged}), contains_text("a GPU may hang"));
  }
  CHECK(objection(give_right_results(),
                  {with_finding(right_case_run("a"), finding("barrier-divergence", 3, Severity::warning))})
            .empty());
}

TEST_CASE("of several outputs one can be asked for") {
  CHECK(objection(give_right("c"), {right_case_run("a")}).empty());
  CHECK_THAT(objection(give_right("c"), {wrong_case_run("a")}), contains_text("`c` is wrong"));
  CHECK(objection(give_right("d"), {wrong_case_run("a")}).empty());
  CHECK_FALSE(objection(give_right("d"), {unfinished_case_run("a", RunEnd::crashed, "killed by SIGSEGV")}).empty());
}

TEST_CASE("a wrong result is told with its case and pattern") {
  CHECK(objection(give_right_results(), {right_case_run("a"), wrong_case_run("b")}) ==
        "of 2 cases 1 did not give the right result:\ncase `b` (the case of b): `c` is wrong everywhere; every wrong "
        "element is 0 (4 of 4 elements)");
}

TEST_CASE("of many failing cases the first are told and the rest named") {
  std::vector<CaseRun> ended;
  for (const std::string name : {"a", "b", "c", "d", "e"})
    ended.push_back(unfinished_case_run(name, RunEnd::crashed, "killed in " + name));
  const std::string text = objection(give_right_results(), ended);
  CHECK_THAT(text, contains_text("5 did not give"));
  CHECK_THAT(text, contains_text("killed in c"));
  CHECK_THAT(text, contains_text("\nand `d` and `e`"));
}

TEST_CASE("what is wrong in the same way in other cases is told once") {
  const std::string text = objection(
      give_right_results(), {wrong_case_run("a"), unfinished_case_run("b", RunEnd::crashed, "killed by SIGSEGV"),
                             wrong_case_run("c"), wrong_case_run("d"), right_case_run("e")});
  CHECK(text ==
        "of 5 cases 4 did not give the right result:\ncase `a` (the case of a): `c` is wrong everywhere; every wrong "
        "element is 0 (4 of 4 elements)\nthe same in `c` and `d`\ncase `b`: the host code crashed: "
        "killed by SIGSEGV");
}

TEST_CASE("cases that were not run any more are counted") {
  const CaseRun wrong = wrong_case_run("a");
  Cases subject{true, {&wrong}, 2};
  const GiveRightResults matcher = give_right_results();
  CHECK_FALSE(matcher.match(subject));
  CHECK_THAT(matcher.describe(), contains_text("2 more cases were not run"));
  subject.left_out = 0;
  CHECK_FALSE(matcher.match(subject));
  CHECK_THAT(matcher.describe(), !contains_text("not run"));
}

TEST_CASE("an unwritten or unfinished output is no right result") {
  CHECK_THAT(objection(give_right_results(), {poisoned_case_run("a")}), contains_text("was never written"));
  CHECK_THAT(objection(give_right_results(), {unfinished_case_run("a", RunEnd::crashed, "killed by SIGSEGV")}),
             contains_text("the host code crashed: killed by SIGSEGV"));
  CHECK_THAT(objection(give_right_results(),
                       {unfinished_case_run("a", RunEnd::runtime_error, "", {finding("global-race", 7)})}),
             contains_text("stopped by global-race at matmul.cu:7"));
}

TEST_CASE("writing everything allows wrong values but nothing left out") {
  CHECK(objection(write_everything(), {wrong_case_run("a")}).empty());
  CHECK_FALSE(objection(write_everything(), {poisoned_case_run("a")}).empty());
  CHECK_FALSE(objection(write_everything(), {unfinished_case_run("a", RunEnd::crashed, "")}).empty());
  const CaseRun infinite =
      case_run_with("a", expected_matrix(2, 2),
                    float_matrix("c", 2, 2, [](auto, auto) { return std::numeric_limits<double>::infinity(); }));
  CHECK_FALSE(objection(write_everything(), {infinite}).empty());
}

TEST_CASE("a finding with one of the ids is told with its place") {
  CHECK(objection(have_none({"shared-race"}), {right_case_run("a")}).empty());
  CHECK(objection(have_none({"shared-race"}), {with_finding(right_case_run("a"), finding("global-race", 3))}).empty());
  CHECK_THAT(objection(have_none({"global-race", "shared-race"}),
                       {with_finding(right_case_run("a"), finding("shared-race", 3))}),
             contains_text("case `a` (the case of a): shared-race at matmul.cu:3"));
}

TEST_CASE("a name that no finding and no group has is the check's own fault") {
  CHECK_THROWS_AS(have_none({"race"}), std::logic_error);
  CHECK_THROWS_AS(have_none({"races", ""}), std::logic_error);
}

TEST_CASE("a warning counts only where warnings count, advice nowhere") {
  const CaseRun warned = with_finding(right_case_run("a"), finding("memory-leak", 3, Severity::warning));
  const CaseRun harmless = with_finding(right_case_run("a"), finding("global-race", 3, Severity::warning));
  CHECK(objection(have_none({"races"}), {harmless}).empty());
  CHECK_FALSE(objection(have_none({"memory-leak"}), {warned}).empty());
  const CaseRun advised = with_finding(right_case_run("a"), finding("memory-leak", 3, Severity::advice));
  CHECK(objection(have_none({"memory-leak"}), {advised}).empty());
}

TEST_CASE("no finding says nothing when the kernels did not run") {
  CHECK_FALSE(objection(have_none({"shared-race"}), {unfinished_case_run("a", RunEnd::exited_early, "")}).empty());
  CHECK_FALSE(objection(have_none({"shared-race"}), {unfinished_case_run("a", RunEnd::runtime_error, "")}).empty());
  CHECK(objection(have_none({"shared-race"}),
                  {unfinished_case_run("a", RunEnd::runtime_error, "", {finding("global-out-of-bounds", 3)})})
            .empty());
}

TEST_CASE("a matcher that fails says when nothing was seen") {
  const CaseRun right = right_case_run("a"), raced = with_finding(right_case_run("b"), finding("shared-race", 3));
  const CaseRun early = unfinished_case_run("c", RunEnd::exited_early, "");
  const auto fails_blind = [](const auto& matcher, const Cases& subject) {
    CHECK_FALSE(matcher.match(subject));
    return take_nothing_seen();
  };
  CHECK_FALSE(fails_blind(have_none({"shared-race"}), of({right, raced})));
  CHECK_FALSE(fails_blind(have_none({"shared-race"}), of({raced, early})));
  CHECK(fails_blind(have_none({"shared-race"}), of({right, early})));
  CHECK(fails_blind(have_none({"shared-race"}), Cases{false, {}}));
  CHECK_FALSE(fails_blind(give_right_results(), of({wrong_case_run("a")})));
  CHECK(have_none({"shared-race"}).match(of({right})));
  CHECK_FALSE(take_nothing_seen());
}

/// Objects to each case; says what to do in those of one name.
class Explains : public CaseMatcher {
 public:
  explicit Explains(std::string name) : name_(std::move(name)) {}

 private:
  std::string objection(const CaseRun&) const override { return "is wrong"; }
  bool says_what_to_do(const CaseRun& case_run) const override { return case_run.test.spec.name == name_; }
  std::string_view property() const override { return "are wrong"; }

  std::string name_;
};

TEST_CASE("a matcher that fails says whether it explains every case") {
  const CaseRun one = right_case_run("a"), other = right_case_run("b");
  const auto explained = [](const CaseMatcher& matcher, const Cases& subject) {
    CHECK_FALSE(matcher.match(subject));
    return take_explained();
  };
  CHECK(explained(Explains("a"), of({one})));
  CHECK_FALSE(explained(Explains("a"), of({one, other})));
  CHECK_FALSE(explained(give_right_results(), of({wrong_case_run("a")})));
  CHECK_FALSE(take_explained());
}

TEST_CASE("a build passes or is explained") {
  BuildResult build;
  build.ok = true;
  CHECK(is_built().match(build));
  build.ok = false;
  build.findings = {finding("build-failed", 12)};
  const IsBuilt matcher = is_built();
  CHECK_FALSE(matcher.match(build));
  CHECK(matcher.describe() == "does not compile: something about build-failed at matmul.cu:12");
}

TEST_CASE("cases are found by tag, and a tag without cases is the lab's fault") {
  SubmissionRun made;
  made.build.ok = true;
  made.case_runs = {right_case_run("a", {"edges"}), right_case_run("b"), right_case_run("c", {"edges", "other"})};
  set_submission_run(&made);
  CHECK(cases("edges").case_runs == std::vector<const CaseRun*>{&made.case_runs[0], &made.case_runs[2]});
  CHECK(all_cases().case_runs.size() == 3);
  CHECK_THROWS_AS(cases("missing"), std::logic_error);
  made.case_runs.clear();
  CHECK_THROWS_AS(all_cases(), std::logic_error);
  made.build.ok = false;
  CHECK_FALSE(give_right_results().match(all_cases()));
  CHECK_FALSE(have_none({"shared-race"}).match(cases("edges")));
  set_submission_run(nullptr);
  CHECK_THROWS_AS(submission_run(), std::logic_error);
}

TEST_CASE("counters are summed over launches, and asking where none were taken is the lab's fault") {
  CaseRun case_run = right_case_run("a");
  CHECK_THROWS_AS(total_of(case_run, "global_load_bytes"), std::logic_error);
  case_run.fast = case_run.observed;
  case_run.fast->launches.resize(2);
  case_run.fast->launches[0].values["global_load_bytes"] = 3;
  case_run.fast->launches[1].values["global_load_bytes"] = 4;
  CHECK(total_of(case_run, "global_load_bytes") == 7);
  CHECK(total_of(case_run, "unknown") == 0);
  case_run.fast->outputs.clear();
  CHECK(total_of(case_run, "global_load_bytes") == std::nullopt);
  CHECK(why_uncounted(case_run) == "gives a wrong result when compiled with optimisation");
  const CaseRun wrong = wrong_case_run("b");
  CHECK(total_of(wrong, "global_load_bytes") == std::nullopt);
  CHECK(why_uncounted(wrong) == "gives a wrong result");
}

TEST_CASE("counters are looked at where the result is right, or nowhere") {
  const CaseRun right = right_case_run("a"), wrong = wrong_case_run("b");
  CHECK(counted(of({right, wrong})).case_runs.size() == 1);
  CHECK(counted(of({wrong})).case_runs.size() == 1);
}

TEST_CASE("a right result without a kernel is not right, but where there is nothing to compute") {
  CaseRun case_run = right_case_run("a");
  case_run.test.inputs.push_back(float_matrix("a", 2, 2));
  case_run.observed.launches.emplace_back();
  CHECK(objection(give_right_results(), {judged(case_run)}).empty());
  case_run.observed.launches.clear();
  CHECK_THAT(objection(give_right_results(), {judged(case_run)}), contains_text("no kernel was launched"));
  CHECK(judged(case_run).is_wrong());
  case_run.test.inputs.clear();
  CHECK(objection(give_right_results(), {judged(case_run)}).empty());
}

TEST_CASE("only a finished run with right outputs gives the right result") {
  const CaseRun right = right_case_run("a"), wrong = wrong_case_run("b");
  CHECK(gives_right_outputs(right.observed, right.test));
  CHECK_FALSE(gives_right_outputs(wrong.observed, wrong.test));
  Observation stopped = right.observed;
  stopped.end = RunEnd::wall_limit;
  CHECK_FALSE(gives_right_outputs(stopped, right.test));
  Observation without = right.observed;
  without.outputs.clear();
  CHECK_FALSE(gives_right_outputs(without, right.test));
}

TEST_CASE("what only follows from another finding fails no check of its own") {
  CaseRun case_run = right_case_run("a");
  case_run.observed.findings = {finding("global-out-of-bounds", 7), finding("global-race", 7)};
  case_run = judged(std::move(case_run));
  CHECK(objection(have_none({"global-race"}), {case_run}).empty());
  CHECK_FALSE(objection(have_none({"global-out-of-bounds"}), {case_run}).empty());
}

TEST_CASE("a speed that nobody could tell passes and awards nothing") {
  take_award();
  CHECK(is_fast_enough().match(SpeedResult{}));
  CHECK_FALSE(take_award());
}

TEST_CASE("a speed short of full points is awarded its share, and told the thresholds") {
  for (const auto kind : {SpeedResult::Kind::measured, SpeedResult::Kind::modelled}) {
    for (const double credit : {0.0, 0.4, 0.999}) {
      const BeFastEnough matcher = is_fast_enough();
      CHECK_FALSE(matcher.match(speed_with(kind, credit)));
      CHECK(take_award() == credit);
      CHECK(matcher.describe() ==
            "is too slow for full points, which begin at 0.7 times the speed of a copy within the device; there are "
            "none up to 0.3");
    }
    CHECK(is_fast_enough().match(speed_with(kind, 1)));
    CHECK(take_award() == 1);
  }
}

TEST_CASE("what went wrong while calls were timed fails, says so, and is awarded nothing") {
  for (const double credit : {0.0, 1.0}) {
    SpeedResult result = speed_with(SpeedResult::Kind::measured, credit);
    result.finding = finding("wrong-when-timed", 0);
    const BeFastEnough matcher = is_fast_enough();
    CHECK_FALSE(matcher.match(result));
    CHECK(take_award() == 0);
    CHECK(matcher.describe() == "cannot be timed: something about wrong-when-timed");
  }
}

TEST_CASE("what failed is told on stderr") {
  CaseRun fails = right_case_run("a");
  CHECK(objection(say_what_failed(), {fails}).empty());
  fails.test.spec.faults.allocation = 1;
  CHECK_THAT(objection(say_what_failed(), {fails}), contains_text("prints nothing when a call fails"));
  fails.observed.console = "no memory\n";
  CHECK_THAT(objection(say_what_failed(), {fails}), contains_text("prints its message on stdout"));
  fails.observed.errors = "no memory\n";
  CHECK(objection(say_what_failed(), {fails}).empty());
  fails.observed.errors = "vector_add: no error\n";
  CHECK_THAT(objection(say_what_failed(), {fails}), contains_text("prints `no error` when a call fails"));
  fails.observed.errors = "no error in the launch, but cudaMalloc: out of memory\n";
  CHECK(objection(say_what_failed(), {fails}).empty());
}

TEST_CASE("who makes no copy says nothing of one that fails") {
  CaseRun fails = right_case_run("a");
  fails.test.spec.faults.copy = 1;
  CHECK(objection(say_what_failed(), {fails}).empty());
  fails.observed.made_to_fail = FailedCall{{"vector_add.cu", 42, 0}, {}};
  CHECK_THAT(objection(say_what_failed(), {fails}), contains_text("prints nothing when the call"));
  CHECK_THAT(objection(say_what_failed(), {fails}), contains_text("vector_add.cu:42"));
}

TEST_CASE("a share that is no number is the grader's fault, and never passes") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(is_fast_enough().match(speed_with(SpeedResult::Kind::measured, nan)), std::logic_error);
  CHECK_FALSE(take_award());
}

TEST_CASE("a check that fails says in which cases, and for what") {
  const auto failed_in = [](const auto& matcher, const std::vector<CaseRun>& case_runs) {
    CHECK_FALSE(matcher.match(of(case_runs)));
    return take_failed_cases();
  };
  const std::vector<CaseRun> case_runs{with_finding(right_case_run("a"), finding("shared-race", 3)),
                                       right_case_run("b"), unfinished_case_run("c", RunEnd::crashed, "")};
  const auto races = failed_in(have_none({"shared-race"}), case_runs);
  REQUIRE(races.size() == 2);
  CHECK(races[0].name == "a");
  CHECK(races[0].why == FailedCase::Why::finding);
  CHECK(races[0].id == "shared-race");
  CHECK(races[0].where.line == 3);
  CHECK(races[1].name == "c");
  CHECK(races[1].why == FailedCase::Why::symptom);
  const auto results = failed_in(give_right_results(), {wrong_case_run("d")});
  REQUIRE(results.size() == 1);
  CHECK(results[0].why == FailedCase::Why::symptom);
  CHECK(take_failed_cases().empty());
}

TEST_CASE("a case that was not run costs no points where its other cases pass and a finding says why") {
  const auto over_budget = [](const std::string& name, const std::string& after, std::vector<Finding> findings = {}) {
    CaseRun case_run = unfinished_case_run(name, RunEnd::over_budget, "all was used up", std::move(findings));
    case_run.observed.after = after;
    return case_run;
  };
  const auto judged_together = [](std::vector<CaseRun> case_runs) {
    judge(case_runs);
    return case_runs;
  };
  const CaseRun endless = over_budget("endless", "", {finding("timed-out", 3)});
  const std::vector<CaseRun> known = judged_together({right_case_run("a"), endless, over_budget("b", "endless")});
  const auto without_cause = [](std::vector<CaseRun> case_runs) {
    std::erase_if(case_runs, [](const CaseRun& case_run) { return case_run.test.spec.name == "endless"; });
    return case_runs;
  };
  take_unseen();
  CHECK(objection(give_right_results(), without_cause(known)).empty());
  CHECK(take_unseen() == "not known in `b`: all the time was used up in case `endless`");
  CHECK(objection(have_none({"races"}), without_cause(known)).empty());
  CHECK_THAT(objection(give_right_results(), known), contains_text("endless"));
  CHECK_THAT(objection(give_right_results(), known), !contains_text("b:"));
  // Nothing is known of a check of which no case was run.
  CHECK_FALSE(objection(give_right_results(), {known[2]}).empty());
  // Nor is anything excused where nobody knows what took the time.
  const std::vector<CaseRun> unexplained =
      judged_together({right_case_run("a"), over_budget("endless", ""), over_budget("b", "endless")});
  CHECK_FALSE(objection(give_right_results(), without_cause(unexplained)).empty());
}
