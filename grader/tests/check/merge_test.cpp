// Merging the findings of many cases.
#include "check/merge.h"

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

Finding counted(Finding made, std::uint64_t count) {
  made.count = count;
  return made;
}

}  // namespace

TEST_CASE("the same bug in several cases is one finding") {
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_finding("small", {counted(finding("shared-race", 12), 3)}),
                              right_case_run("clean"),
                              case_run_finding("wide", {counted(finding("shared-race", 12), 4)})};
  const auto findings = merge_findings(submission_run);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 7);
  CHECK(findings[0].note == "in 2 cases: `small` and `wide`");
}

TEST_CASE("what ended several runs says once in which cases") {
  SubmissionRun submission_run;
  submission_run.case_runs = {unfinished_case_run("small", RunEnd::crashed, ""),
                              unfinished_case_run("wide", RunEnd::crashed, "")};
  CHECK(merge_findings(submission_run)[0].note == "in 2 cases: `small` and `wide`");
  submission_run.case_runs.pop_back();
  CHECK(merge_findings(submission_run)[0].note == "in case `small`");
}

TEST_CASE("a race that some case shows between blocks is told as one between blocks") {
  const auto race = [](std::uint32_t other_block, const std::string& help) {
    Finding made = finding("global-race", 12);
    made.block = Index3{0, 0, 0};
    made.other = OtherPlace{"the other thread's write is here", made.where, Index3{other_block, 0, 0}, {}};
    made.help = help;
    return made;
  };
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_finding("small", {race(0, "within")}),
                              case_run_finding("wide", {race(1, "between")})};
  const auto findings = merge_findings(submission_run);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].help == "between");
  CHECK(findings[0].note == "in 2 cases: `small` and `wide`");
}

TEST_CASE("what is refused after the device was reset follows from that") {
  CaseRun case_run = unfinished_case_run("small", RunEnd::device_reset, "");
  case_run.observed.refused = {"cudaMemcpy", 1, {"sum.cu", 13, 0}};
  case_run.observed.refused_before_launch = true;
  SubmissionRun submission_run;
  submission_run.build.ok = true;
  submission_run.case_runs = {judged(case_run)};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"device-reset"});
}

TEST_CASE("a case that was hurried after another one has no finding of its own") {
  const auto ended = [](const std::string& name, const std::string& detail, const std::string& after) {
    CaseRun case_run = right_case_run(name);
    case_run.observed.end = RunEnd::cpu_limit;
    case_run.observed.outputs.clear();
    case_run.observed.detail = detail;
    case_run.observed.after = after;
    return judged(std::move(case_run));
  };
  SubmissionRun submission_run;
  submission_run.case_runs = {ended("small", "used more than 5 s", ""), ended("wide", "used more than 2 s", "small")};
  const auto findings = merge_findings(submission_run);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0].message, contains_text("5 s"));
  submission_run.case_runs[1] = ended("wide", "used more than 2 s", "");
  CHECK(merge_findings(submission_run).size() == 2);
}

TEST_CASE("a kernel that was stopped early after another case is not blamed, unless it was in that case, too") {
  CaseRun endless = right_case_run("small");
  endless.observed.end = RunEnd::cpu_limit;
  endless.observed.outputs.clear();
  CaseRun hurried = case_run_finding("wide", {finding("timed-out", 12)});
  hurried.observed.after = "small";
  SubmissionRun submission_run;
  submission_run.case_runs = {judged(endless), hurried};
  const auto findings = merge_findings(submission_run);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].where.line != 12);
  submission_run.case_runs[0] = case_run_finding("small", {finding("timed-out", 12)});
  REQUIRE(merge_findings(submission_run).size() == 1);
  CHECK(merge_findings(submission_run)[0].where.line == 12);
  submission_run.case_runs[1].observed.after.clear();
  CHECK(merge_findings(submission_run).size() == 1);
}

TEST_CASE("many cases are counted, and the first few named") {
  SubmissionRun submission_run;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    submission_run.case_runs.push_back(case_run_finding(name, {finding("shared-race", 12)}));
  }
  CHECK(merge_findings(submission_run)[0].note == "in 7 cases: `a`, `b`, `c`, `d` and 3 more");
}

TEST_CASE("another line, kernel, severity or id is another bug") {
  const Finding base = finding("shared-race", 12);
  Finding line = base, kernel = base, severity = base, id = base;
  line.where.line = 13;
  kernel.kernel = "second";
  severity.severity = Severity::warning;
  id.id = "global-race";
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_finding("small", {base, line, kernel, severity, id})};
  CHECK(merge_findings(submission_run).size() == 5);
}

TEST_CASE("operands of one statement, and other accesses that it races with, are one bug") {
  Finding base = finding("shared-race", 12);
  base.other = OtherPlace{"earlier write", {"matmul.cu", 10, 3}, {}, {}};
  Finding column = base, later = base, other = base, alone = base;
  column.where.column = 59;
  later.where.column = 15;
  other.other->place.line = 11;
  alone.other.reset();
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_finding("small", {base, column, later, other, alone})};
  const auto findings = merge_findings(submission_run);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].count == 5);
  CHECK(findings[0].note == "and at columns 15, 59 of this line\nin case `small` (the case of small)");
}

TEST_CASE("instances of one template are one kernel, and the host's line has none") {
  Finding floats = finding("shared-race", 12), ints = floats, host = finding("unchecked-launch", 20);
  floats.kernel = "sum<float>";
  ints.kernel = "sum<int>";
  Finding launched = host;
  host.kernel.clear();
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_finding("small", {floats, ints, host, launched})};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"shared-race", "unchecked-launch"});
}

TEST_CASE("a case in which only a follower was seen is a case of its cause") {
  Finding read = finding("uninitialized-read", 12);
  SubmissionRun submission_run;
  submission_run.case_runs = {right_case_run("small"), right_case_run("wide"), right_case_run("clean")};
  submission_run.case_runs[0].observed.findings = {read};
  submission_run.case_runs[1].observed.findings = {finding("shared-race", 12)};
  judge(submission_run.case_runs);
  const auto findings = merge_findings(submission_run);
  REQUIRE(ids(findings) == std::vector<std::string>{"shared-race"});
  CHECK(findings[0].cases == std::vector<std::string>{"wide", "small"});
}

TEST_CASE("what is never freed because the function never returned is no bug of its own") {
  SubmissionRun submission_run;
  const Finding leak = finding("memory-leak", 4, Severity::warning);
  submission_run.case_runs = {unfinished_case_run("small", RunEnd::exited_early, "", {leak})};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"runner-crashed"});
  submission_run.case_runs = {unfinished_case_run("small", RunEnd::runtime_error, "", {leak})};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"runtime-error", "memory-leak"});
}

TEST_CASE("without a place the words tell bugs apart") {
  Finding leak = finding("memory-leak", 0), other = leak;
  leak.message = "4 bytes were never freed";
  other.message = "8 bytes were never freed";
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_finding("small", {leak, other}), case_run_finding("wide", {leak})};
  CHECK(merge_findings(submission_run).size() == 2);
}

TEST_CASE("what follows from a finding of the device is left out") {
  SubmissionRun submission_run;
  CaseRun wrong =
      case_run_with("wrong", expected_matrix(2, 2), float_matrix("c", 2, 2, [](auto, auto) { return -99.0; }));
  wrong.observed.findings = {finding("shared-race", 20), finding("uninitialized-read", 20)};
  submission_run.case_runs = {judged(wrong)};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"shared-race"});
}

TEST_CASE("a case that was not judged is a mistake of the grader") {
  SubmissionRun submission_run;
  submission_run.case_runs.emplace_back();
  CHECK_THROWS_AS(merge_findings(submission_run), std::logic_error);
}

TEST_CASE("the findings of a failed build are the first") {
  SubmissionRun submission_run;
  submission_run.build.findings = {finding("build-failed", 3)};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"build-failed"});
}

TEST_CASE("of many mismatches the clearest is shown, and the others are named") {
  SubmissionRun submission_run;
  const auto scrambled = [](auto row, auto column) { return 500.0 + static_cast<double>((row * 7 + column * 5) % 11); };
  const auto zero_row = [](auto row, auto column) { return row == 1 ? 0.0 : reference_value(row, column); };
  CaseRun hidden = case_run_with("hidden", expected_matrix(5, 5), float_matrix("c", 5, 5, zero_row));
  hidden.test.spec.hidden = true;
  submission_run.case_runs = {judged(hidden),
                              case_run_with("everything", expected_matrix(5, 5), float_matrix("c", 5, 5, scrambled)),
                              case_run_with("large", expected_matrix(9, 9), float_matrix("c", 9, 9, zero_row)),
                              case_run_with("clear", expected_matrix(6, 6), float_matrix("c", 6, 6, zero_row))};
  const auto findings = merge_findings(submission_run);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message == "`c` is wrong in row 1; every wrong element is 0");
  CHECK(findings[0].count == 5 + 25 + 9 + 6);
  CHECK_THAT(findings[0].note, contains_text("case `clear`"));
  CHECK_THAT(findings[0].note, contains_text("also in 3 cases: `hidden`, `everything` and `large`"));
}

TEST_CASE("what zeros say of a sum is said only where all wrong cases have zeros") {
  const auto zero = [](auto, auto) { return 0.0; };
  const auto scrambled = [](auto row, auto column) { return 500.0 + static_cast<double>((row * 7 + column * 5) % 11); };
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_with("zeros", expected_matrix(5, 5), float_matrix("c", 5, 5, zero)),
                              case_run_with("more", expected_matrix(6, 6), float_matrix("c", 6, 6, zero))};
  CHECK_THAT(merge_findings(submission_run)[0].help, contains_text("stayed 0"));
  CHECK(merge_findings(submission_run)[0].shown == "zeros");
  submission_run.case_runs.push_back(case_run_with("one", expected_matrix(1, 1), float_matrix("c", 1, 1, zero)));
  CHECK_THAT(merge_findings(submission_run)[0].help, contains_text("stayed 0"));
  submission_run.case_runs.push_back(
      case_run_with("others", expected_matrix(7, 7), float_matrix("c", 7, 7, scrambled)));
  CHECK(merge_findings(submission_run)[0].help.starts_with("in case `others` wrong elements are not 0"));
}

TEST_CASE("a single row, column or element is shown only where there is no other case") {
  const auto zero = [](auto, auto) { return 0.0; };
  const auto scrambled = [](auto row, auto column) { return 500.0 + static_cast<double>((row * 7 + column * 5) % 11); };
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_with("row", expected_matrix(1, 9), float_matrix("c", 1, 9, zero)),
                              case_run_with("column", expected_matrix(5, 1), float_matrix("c", 5, 1, zero))};
  CHECK_THAT(merge_findings(submission_run)[0].note, contains_text("case `column`"));
  CaseRun outer = case_run_with("outer", expected_matrix(6, 6), float_matrix("c", 6, 6, zero));
  outer.test.inputs = {float_matrix("a", 6, 1)};
  submission_run.case_runs.push_back(outer);
  submission_run.case_runs.push_back(
      case_run_with("ordinary", expected_matrix(8, 8), float_matrix("c", 8, 8, scrambled)));
  CHECK(merge_findings(submission_run)[0].note.starts_with("case `ordinary`"));
}

TEST_CASE("of the device's findings, too, an ordinary case speaks first") {
  const auto found = [](const std::string& name, std::int64_t rows, std::uint32_t thread) {
    CaseRun case_run = case_run_with(name, expected_matrix(rows, 4), float_matrix("c", rows, 4));
    Finding made = finding("global-out-of-bounds", 12);
    made.thread = Index3{thread, 0, 0};
    case_run.observed.findings = {made};
    return judged(std::move(case_run));
  };
  SubmissionRun submission_run;
  submission_run.case_runs = {found("row", 1, 1)};
  CHECK(merge_findings(submission_run)[0].thread == Index3{1, 0, 0});
  submission_run.case_runs = {found("row", 1, 1), found("small", 2, 2), found("large", 3, 3)};
  CHECK(merge_findings(submission_run)[0].thread == Index3{2, 0, 0});
}

TEST_CASE("where values elsewhere tell the cause, a time-out and an index outside an array say so") {
  CaseRun wrong = case_run_with("long", expected_matrix(4, 4), float_matrix("c", 4, 4, [](auto, auto) { return 0.0; }));
  Mismatch& mismatch = wrong.judgement->mismatches.at(0);
  mismatch.finding.kernel = "kernel";
  mismatch.cause = ValuePattern{ValueKind::known_to_the_lab, "the sums end early", "go on to the end"};
  SubmissionRun submission_run;
  for (const char* id : {"timed-out", "global-out-of-bounds", "barrier-divergence"}) {
    Finding other = finding(id, 12);
    other.note = "a fact";
    submission_run.case_runs = {wrong, case_run_finding("tall", {other})};
    const MergedFinding first = merge_findings(submission_run)[0];
    CHECK(first.id == id);
    const bool told = first.note ==
                      "in case `long` the sums end early\na fact\nin case `tall` (the case "
                      "of tall)";
    CHECK(told == (first.id != "barrier-divergence"));
    CHECK((first.help == "go on to the end") == told);
  }
  // Of another kernel it says nothing.
  Finding of_another = finding("timed-out", 12);
  of_another.kernel = "other";
  submission_run.case_runs = {wrong, case_run_finding("tall", {of_another})};
  CHECK(merge_findings(submission_run)[0].help.empty());
}

TEST_CASE("a kernel that takes too long and whose blocks store the same elements is told so") {
  Finding race = finding("global-race", 14);
  race.severity = Severity::warning;
  race.block = Index3{1, 0, 0};
  race.other = OtherPlace{"", {"matmul.cu", 14, 5}, Index3{0, 0, 0}, {}};
  const auto help = [](const Finding& of_race) {
    SubmissionRun submission_run;
    submission_run.case_runs = {case_run_finding("small", {of_race}),
                                case_run_finding("tall", {finding("timed-out", 8)})};
    const MergedFinding first = merge_findings(submission_run)[0];
    CHECK(first.id == "timed-out");
    return first.help;
  };
  CHECK_THAT(help(race), contains_text("the whole grid"));
  race.other->block = race.block;
  CHECK(help(race).empty());
}

TEST_CASE("of arrays with one axis, a single element is shown last") {
  const auto line = [](const std::string& name, std::int64_t elements) {
    datasets::ExpectedArray expected = expected_matrix(elements, 1);
    expected.shape = {elements};
    datasets::Array zeros = float_matrix("c", elements, 1, [](auto, auto) { return 0.0; });
    zeros.shape = {elements};
    return case_run_with(name, expected, zeros);
  };
  SubmissionRun submission_run;
  submission_run.case_runs = {line("one", 1), line("many", 9)};
  CHECK(merge_findings(submission_run)[0].note.starts_with("case `many`"));
}

namespace {

/// A case run whose block executed the barriers of lines 11 and 15, of which it needed those of `needs`.
CaseRun case_run_with_barriers(const std::string& name, const std::vector<std::vector<std::uint32_t>>& needs) {
  CaseRun case_run = right_case_run(name);
  case_run.observed.barriers.sites = {{"kernel", {"matmul.cu", 11, 3}, 8}, {"kernel", {"matmul.cu", 15, 3}, 8}};
  case_run.observed.barriers.needs = needs;
  case_run.observed.findings = case_run.observed.barriers.advice();
  return judged(std::move(case_run));
}

}  // namespace

TEST_CASE("a barrier that no case needs is advised against once") {
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_with_barriers("small", {{0}}), case_run_with_barriers("wide", {{0}}),
                              right_case_run("none")};
  const auto findings = merge_findings(submission_run);
  REQUIRE(ids(findings) == std::vector<std::string>{"redundant-barrier"});
  CHECK(findings[0].where.line == 15);
}

TEST_CASE("a barrier that one case needs is left in peace") {
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_with_barriers("small", {{0}}), case_run_with_barriers("wide", {{0}, {1}})};
  CHECK(merge_findings(submission_run).empty());
}

TEST_CASE("where something is wrong no barrier is advised against") {
  SubmissionRun submission_run;
  submission_run.case_runs = {case_run_with_barriers("small", {{0}}),
                              case_run_finding("wide", {finding("shared-race", 12)})};
  CHECK(ids(merge_findings(submission_run)) == std::vector<std::string>{"shared-race"});
}
