// Merging the findings of many cases.
#include "check/merge.h"

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

Trial trial_finding(const std::string& name, std::vector<Finding> findings) {
  Trial trial = right_trial(name);
  trial.observed.findings = std::move(findings);
  return judged(std::move(trial));
}

Finding counted(Finding made, std::uint64_t count) {
  made.count = count;
  return made;
}

std::vector<std::string> ids(const std::vector<Finding>& findings) {
  std::vector<std::string> names;
  for (const Finding& one : findings) names.push_back(one.id);
  return names;
}

}  // namespace

TEST_CASE("the same bug in several cases is one finding") {
  Evidence evidence;
  evidence.trials = {trial_finding("small", {counted(finding("shared-race", 12), 3)}), right_trial("clean"),
                     trial_finding("wide", {counted(finding("shared-race", 12), 4)})};
  const auto findings = merge_findings(evidence);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 7);
  CHECK(findings[0].note == "in 2 cases: `small` and `wide`");
}

TEST_CASE("a race that some case shows between blocks is told as one between blocks") {
  const auto race = [](std::uint32_t other_block, const std::string& help) {
    Finding made = finding("global-race", 12);
    made.block = Index3{0, 0, 0};
    made.other = OtherPlace{"the other thread's write is here", made.where, Index3{other_block, 0, 0}, {}};
    made.help = help;
    return made;
  };
  Evidence evidence;
  evidence.trials = {trial_finding("small", {race(0, "within")}), trial_finding("wide", {race(1, "between")})};
  const auto findings = merge_findings(evidence);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].help == "between");
  CHECK(findings[0].note == "in 2 cases: `small` and `wide`");
}

TEST_CASE("a call that failed stands before what may follow from it") {
  Trial trial = right_trial("small");
  trial.observed.findings = {finding("global-out-of-bounds", 3)};
  trial.observed.refused = {"cudaMemcpy", 1, {"sum.cu", 13, 0}};
  trial.observed.refused_before_launch = true;
  Evidence evidence;
  evidence.trials = {judged(trial)};
  CHECK(ids(merge_findings(evidence)) == std::vector<std::string>{"runtime-error", "global-out-of-bounds"});
  // What kernels did wrong before it failed does not follow from it, but may be why it failed.
  trial.observed.refused_before_launch = false;
  evidence.trials = {judged(trial)};
  CHECK(ids(merge_findings(evidence)) == std::vector<std::string>{"global-out-of-bounds"});
  // Where nothing is wrong, a program may try a call that fails.
  trial.observed.findings.clear();
  evidence.trials = {judged(trial)};
  CHECK(merge_findings(evidence).empty());
}

TEST_CASE("a case that was hurried after another one has no finding of its own") {
  const auto ended = [](const std::string& name, const std::string& detail, const std::string& after) {
    Trial trial = right_trial(name);
    trial.observed.end = RunEnd::cpu_limit;
    trial.observed.outputs.clear();
    trial.observed.detail = detail;
    trial.observed.after = after;
    return judged(std::move(trial));
  };
  Evidence evidence;
  evidence.trials = {ended("small", "used more than 5 s", ""), ended("wide", "used more than 2 s", "small")};
  const auto findings = merge_findings(evidence);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].message, contains_text("5 s"));
  evidence.trials[1] = ended("wide", "used more than 2 s", "");
  CHECK(merge_findings(evidence).size() == 2);
}

TEST_CASE("many cases are counted, and the first few named") {
  Evidence evidence;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    evidence.trials.push_back(trial_finding(name, {finding("shared-race", 12)}));
  }
  CHECK(merge_findings(evidence)[0].note == "in 7 cases: `a`, `b`, `c`, `d` and 3 more");
}

TEST_CASE("another line, kernel, column, other place or id is another bug") {
  Finding base = finding("shared-race", 12);
  base.other = OtherPlace{"earlier write", {"matmul.cu", 10, 3}, {}, {}};
  Finding line = base, kernel = base, column = base, other = base, id = base, alone = base;
  line.where.line = 13;
  kernel.kernel = "second";
  column.where.column = 9;
  other.other->place.line = 11;
  id.id = "global-race";
  alone.other.reset();
  Evidence evidence;
  evidence.trials = {trial_finding("small", {base, line, kernel, column, other, id, alone})};
  CHECK(merge_findings(evidence).size() == 7);
}

TEST_CASE("without a place the words tell bugs apart") {
  Finding leak = finding("memory-leak", 0), other = leak;
  leak.message = "4 bytes were never freed";
  other.message = "8 bytes were never freed";
  Evidence evidence;
  evidence.trials = {trial_finding("small", {leak, other}), trial_finding("wide", {leak})};
  CHECK(merge_findings(evidence).size() == 2);
}

TEST_CASE("errors come first, then warnings, then advice; causes before symptoms") {
  Evidence evidence;
  const Trial wrong =
      trial_with("wrong", expected_matrix(2, 2), float_matrix("c", 2, 2, [](auto, auto) { return -99.0; }));
  evidence.trials = {
      wrong, unfinished_trial("crash", RunEnd::crashed, ""),
      trial_finding("device", {finding("some-advice", 3, Severity::advice), finding("shared-race", 5),
                               finding("memory-leak", 1, Severity::warning), finding("global-out-of-bounds", 20),
                               finding("global-out-of-bounds", 10)})};
  const auto findings = merge_findings(evidence);
  CHECK(ids(findings) == std::vector<std::string>{"global-out-of-bounds", "global-out-of-bounds", "shared-race",
                                                  "runner-crashed", "result-mismatch", "memory-leak", "some-advice"});
  CHECK(findings[0].where.line == 10);
}

TEST_CASE("what only goes wrong where a call was made to fail comes after the rest") {
  Evidence evidence;
  Trial fails = trial_finding("fails", {finding("invalid-launch", 3), finding("shared-race", 5)});
  fails.test.spec.faults.allocation = 1;
  evidence.trials = {fails, trial_finding("small", {finding("shared-race", 5)}),
                     unfinished_trial("crash", RunEnd::crashed, "")};
  CHECK(ids(merge_findings(evidence)) == std::vector<std::string>{"shared-race", "runner-crashed", "invalid-launch"});
}

TEST_CASE("what follows from a finding of the device is left out") {
  Evidence evidence;
  Trial wrong = trial_with("wrong", expected_matrix(2, 2), float_matrix("c", 2, 2, [](auto, auto) { return -99.0; }));
  wrong.observed.findings = {finding("shared-race", 20), finding("uninitialized-read", 20)};
  evidence.trials = {judged(wrong)};
  CHECK(ids(merge_findings(evidence)) == std::vector<std::string>{"shared-race"});
}

TEST_CASE("a case that was not judged is a mistake of the grader") {
  Evidence evidence;
  evidence.trials.emplace_back();
  CHECK_THROWS_AS(merge_findings(evidence), std::logic_error);
}

TEST_CASE("the findings of a failed build are the first") {
  Evidence evidence;
  evidence.build.findings = {finding("build-failed", 3)};
  CHECK(ids(merge_findings(evidence)) == std::vector<std::string>{"build-failed"});
}

TEST_CASE("of many mismatches the clearest is shown, and the others are named") {
  Evidence evidence;
  const auto scrambled = [](auto row, auto column) { return 500.0 + static_cast<double>((row * 7 + column * 5) % 11); };
  const auto zero_row = [](auto row, auto column) { return row == 1 ? 0.0 : reference_value(row, column); };
  Trial hidden = trial_with("hidden", expected_matrix(5, 5), float_matrix("c", 5, 5, zero_row));
  hidden.test.spec.hidden = true;
  evidence.trials = {judged(hidden),
                     trial_with("everything", expected_matrix(5, 5), float_matrix("c", 5, 5, scrambled)),
                     trial_with("large", expected_matrix(9, 9), float_matrix("c", 9, 9, zero_row)),
                     trial_with("clear", expected_matrix(6, 6), float_matrix("c", 6, 6, zero_row))};
  const auto findings = merge_findings(evidence);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message == "`c` is wrong in row 1; every wrong element is 0");
  CHECK(findings[0].count == 5 + 25 + 9 + 6);
  CHECK_THAT(findings[0].note, contains_text("case `clear`"));
  CHECK_THAT(findings[0].note, contains_text("also in 3 cases: `hidden`, `everything` and `large`"));
}

namespace {

/// A trial whose block executed the barriers of lines 11 and 15, of which it needed those of `needs`.
Trial trial_with_barriers(const std::string& name, const std::vector<std::vector<std::uint32_t>>& needs) {
  Trial trial = right_trial(name);
  trial.observed.barriers.sites = {{"kernel", {"matmul.cu", 11, 3}, 8}, {"kernel", {"matmul.cu", 15, 3}, 8}};
  trial.observed.barriers.needs = needs;
  trial.observed.findings = trial.observed.barriers.advice();
  return judged(std::move(trial));
}

}  // namespace

TEST_CASE("a barrier that no case needs is advised against once") {
  Evidence evidence;
  evidence.trials = {trial_with_barriers("small", {{0}}), trial_with_barriers("wide", {{0}}), right_trial("none")};
  const auto findings = merge_findings(evidence);
  REQUIRE(ids(findings) == std::vector<std::string>{"redundant-barrier"});
  CHECK(findings[0].where.line == 15);
}

TEST_CASE("a barrier that one case needs is left in peace") {
  Evidence evidence;
  evidence.trials = {trial_with_barriers("small", {{0}}), trial_with_barriers("wide", {{0}, {1}})};
  CHECK(merge_findings(evidence).empty());
}

TEST_CASE("where something is wrong no barrier is advised against") {
  Evidence evidence;
  evidence.trials = {trial_with_barriers("small", {{0}}), trial_finding("wide", {finding("shared-race", 12)})};
  CHECK(ids(merge_findings(evidence)) == std::vector<std::string>{"shared-race"});
}
