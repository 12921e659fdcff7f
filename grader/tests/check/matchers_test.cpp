// The matchers of labs' checks: what passes, what does not, and what a student is told.
#include "check/matchers.h"

#include <limits>
#include <stdexcept>

#include "check/award.h"
#include "check/nothing_seen.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

Cases of(const std::vector<Trial>& trials) {
  Cases made;
  for (const Trial& trial : trials) made.trials.push_back(&trial);
  return made;
}

template <typename Matcher>
std::string objection(const Matcher& matcher, const std::vector<Trial>& trials) {
  return matcher.match(of(trials)) ? "" : Catch::StringMaker<Cases>::convert(of(trials)) + " " + matcher.describe();
}

Trial wrong_trial(const std::string& name) {
  return trial_with(name, expected_matrix(2, 2), float_matrix("c", 2, 2, [](auto, auto) { return 0.0; }));
}

Trial poisoned_trial(const std::string& name) {
  datasets::Array output = float_matrix("c", 2, 2);
  poison(output, 0);
  return trial_with(name, expected_matrix(2, 2), output);
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

Trial with_finding(Trial trial, const Finding& found) {
  trial.observed.findings.push_back(found);
  return judged(std::move(trial));
}

}  // namespace

TEST_CASE("right results pass") {
  CHECK(objection(give_right_results(), {right_trial("a"), right_trial("b")}).empty());
}

TEST_CASE("a result that a race had a part in is not right") {
  const Trial raced = with_finding(right_trial("a"), finding("shared-race", 3));
  CHECK_THAT(objection(give_right_results(), {raced}), contains_text("follows from the shared-race at matmul.cu:3"));
  CHECK_THAT(objection(give_right("c"), {raced}), contains_text("follows from the shared-race"));
  CHECK_FALSE(objection(give_right_results(), {with_finding(right_trial("a"), finding("global-race", 3))}).empty());
  // What is wrong says more than why it is.
  CHECK_THAT(objection(give_right_results(), {with_finding(wrong_trial("a"), finding("shared-race", 3))}),
             contains_text("`c` is wrong"));
  // Warnings, other findings, and races that another finding explains change nothing.
  CHECK(objection(give_right_results(), {with_finding(right_trial("a"), finding("shared-race", 3, Severity::warning))})
            .empty());
  CHECK(objection(give_right_results(), {with_finding(right_trial("a"), finding("memory-leak", 3))}).empty());
  Trial explained = right_trial("a");
  explained.observed.findings = {finding("global-out-of-bounds", 7), finding("global-race", 7)};
  CHECK(objection(give_right_results(), {judged(explained)}).empty());
}

TEST_CASE("of several outputs one can be asked for") {
  CHECK(objection(give_right("c"), {right_trial("a")}).empty());
  CHECK_THAT(objection(give_right("c"), {wrong_trial("a")}), contains_text("`c` is wrong"));
  CHECK(objection(give_right("d"), {wrong_trial("a")}).empty());
  CHECK_FALSE(objection(give_right("d"), {unfinished_trial("a", RunEnd::crashed, "killed by SIGSEGV")}).empty());
}

TEST_CASE("a wrong result is told with its case and pattern") {
  CHECK(objection(give_right_results(), {right_trial("a"), wrong_trial("b")}) ==
        "of 2 cases 1 did not give the right result:\ncase `b` (the case of b): `c` is wrong everywhere; every wrong "
        "element is 0 (4 of 4 elements)");
}

TEST_CASE("of many failing cases the first are told and the rest named") {
  const std::string text = objection(
      give_right_results(), {wrong_trial("a"), wrong_trial("b"), wrong_trial("c"), wrong_trial("d"), wrong_trial("e")});
  CHECK_THAT(text, contains_text("5 did not give"));
  CHECK_THAT(text, contains_text("and `d` and `e`"));
}

TEST_CASE("an unwritten or unfinished output is no right result") {
  CHECK_THAT(objection(give_right_results(), {poisoned_trial("a")}), contains_text("was never written"));
  CHECK_THAT(objection(give_right_results(), {unfinished_trial("a", RunEnd::crashed, "killed by SIGSEGV")}),
             contains_text("the host code crashed: killed by SIGSEGV"));
  CHECK_THAT(
      objection(give_right_results(), {unfinished_trial("a", RunEnd::runtime_error, "", {finding("global-race", 7)})}),
      contains_text("stopped by global-race at matmul.cu:7"));
}

TEST_CASE("writing everything allows wrong values but nothing left out") {
  CHECK(objection(write_everything(), {wrong_trial("a")}).empty());
  CHECK_FALSE(objection(write_everything(), {poisoned_trial("a")}).empty());
  CHECK_FALSE(objection(write_everything(), {unfinished_trial("a", RunEnd::crashed, "")}).empty());
  const Trial infinite =
      trial_with("a", expected_matrix(2, 2),
                 float_matrix("c", 2, 2, [](auto, auto) { return std::numeric_limits<double>::infinity(); }));
  CHECK_FALSE(objection(write_everything(), {infinite}).empty());
}

TEST_CASE("a finding with one of the ids is told with its place") {
  CHECK(objection(have_no_errors({"shared-race"}), {right_trial("a")}).empty());
  CHECK(
      objection(have_no_errors({"shared-race"}), {with_finding(right_trial("a"), finding("global-race", 3))}).empty());
  CHECK_THAT(objection(have_no_errors({"global-race", "shared-race"}),
                       {with_finding(right_trial("a"), finding("shared-race", 3))}),
             contains_text("case `a` (the case of a): shared-race at matmul.cu:3"));
}

TEST_CASE("a warning counts only where warnings count, advice nowhere") {
  const Trial warned = with_finding(right_trial("a"), finding("memory-leak", 3, Severity::warning));
  CHECK(objection(have_no_errors({"memory-leak"}), {warned}).empty());
  CHECK_FALSE(objection(have_no_warnings({"memory-leak"}), {warned}).empty());
  const Trial advised = with_finding(right_trial("a"), finding("memory-leak", 3, Severity::advice));
  CHECK(objection(have_no_warnings({"memory-leak"}), {advised}).empty());
}

TEST_CASE("no finding says nothing when the kernels did not run") {
  CHECK_FALSE(objection(have_no_errors({"shared-race"}), {unfinished_trial("a", RunEnd::exited_early, "")}).empty());
  CHECK_FALSE(objection(have_no_errors({"shared-race"}), {unfinished_trial("a", RunEnd::runtime_error, "")}).empty());
  CHECK(objection(have_no_errors({"shared-race"}),
                  {unfinished_trial("a", RunEnd::runtime_error, "", {finding("global-out-of-bounds", 3)})})
            .empty());
}

TEST_CASE("a matcher that fails says when nothing was seen") {
  const Trial right = right_trial("a"), raced = with_finding(right_trial("b"), finding("shared-race", 3));
  const Trial early = unfinished_trial("c", RunEnd::exited_early, "");
  const auto fails_blind = [](const auto& matcher, const Cases& subject) {
    CHECK_FALSE(matcher.match(subject));
    return take_nothing_seen();
  };
  CHECK_FALSE(fails_blind(have_no_errors({"shared-race"}), of({right, raced})));
  CHECK_FALSE(fails_blind(have_no_errors({"shared-race"}), of({raced, early})));
  CHECK(fails_blind(have_no_errors({"shared-race"}), of({right, early})));
  CHECK(fails_blind(have_no_errors({"shared-race"}), Cases{false, {}}));
  CHECK_FALSE(fails_blind(give_right_results(), of({wrong_trial("a")})));
  CHECK(have_no_errors({"shared-race"}).match(of({right})));
  CHECK_FALSE(take_nothing_seen());
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
  Evidence made;
  made.build.ok = true;
  made.trials = {right_trial("a", {"edges"}), right_trial("b"), right_trial("c", {"edges", "other"})};
  set_evidence(&made);
  CHECK(cases("edges").trials == std::vector<const Trial*>{&made.trials[0], &made.trials[2]});
  CHECK(all_cases().trials.size() == 3);
  CHECK_THROWS_AS(cases("missing"), std::logic_error);
  made.trials.clear();
  CHECK_THROWS_AS(all_cases(), std::logic_error);
  made.build.ok = false;
  CHECK_FALSE(give_right_results().match(all_cases()));
  CHECK_FALSE(have_no_errors({"shared-race"}).match(cases("edges")));
  set_evidence(nullptr);
  CHECK_THROWS_AS(evidence(), std::logic_error);
}

TEST_CASE("counters are summed over launches, and asking where none were taken is the lab's fault") {
  Trial trial = right_trial("a");
  CHECK_THROWS_AS(total_of(trial, "global_load_bytes"), std::logic_error);
  trial.fast = trial.observed;
  trial.fast->launches.resize(2);
  trial.fast->launches[0].values["global_load_bytes"] = 3;
  trial.fast->launches[1].values["global_load_bytes"] = 4;
  CHECK(total_of(trial, "global_load_bytes") == 7);
  CHECK(total_of(trial, "unknown") == 0);
  trial.fast->outputs.clear();
  CHECK(total_of(trial, "global_load_bytes") == std::nullopt);
  CHECK(why_uncounted(trial) == "gives a wrong result when compiled with optimisation");
  const Trial wrong = wrong_trial("b");
  CHECK(total_of(wrong, "global_load_bytes") == std::nullopt);
  CHECK(why_uncounted(wrong) == "gives a wrong result");
}

TEST_CASE("counters are looked at where the result is right, or nowhere") {
  const Trial right = right_trial("a"), wrong = wrong_trial("b");
  CHECK(counted(of({right, wrong})).trials.size() == 1);
  CHECK(counted(of({wrong})).trials.size() == 1);
}

TEST_CASE("a right result without a kernel is not right, but where there is nothing to compute") {
  Trial trial = right_trial("a");
  trial.test.inputs.push_back(float_matrix("a", 2, 2));
  trial.observed.launches.emplace_back();
  CHECK(objection(give_right_results(), {judged(trial)}).empty());
  trial.observed.launches.clear();
  CHECK_THAT(objection(give_right_results(), {judged(trial)}), contains_text("no kernel was launched"));
  CHECK(judged(trial).is_wrong());
  trial.test.inputs.clear();
  CHECK(objection(give_right_results(), {judged(trial)}).empty());
}

TEST_CASE("only a finished run with right outputs gives the right result") {
  const Trial right = right_trial("a"), wrong = wrong_trial("b");
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
  Trial trial = right_trial("a");
  trial.observed.findings = {finding("global-out-of-bounds", 7), finding("global-race", 7)};
  trial = judged(std::move(trial));
  CHECK(objection(have_no_errors({"global-race"}), {trial}).empty());
  CHECK_FALSE(objection(have_no_errors({"global-out-of-bounds"}), {trial}).empty());
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

TEST_CASE("a share that is no number is the grader's fault, and never passes") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(is_fast_enough().match(speed_with(SpeedResult::Kind::measured, nan)), std::logic_error);
  CHECK_FALSE(take_award());
}
