#include "grading/patch_report.h"

#include <catch2/catch.hpp>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_patch_report {
namespace {

CheckResult check(std::string id, Category category, CheckStatus status) {
  CheckResult result;
  result.id = std::move(id);
  result.category = category;
  result.status = status;
  return result;
}

Finding mismatch(Help help) {
  Finding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"sum.cu", 12, 3};
  finding.help = std::move(help);
  return finding;
}

/// `edges` fails because of the only finding.
Report wrong_report(Help help) {
  Report report;
  report.submission = "sum.cu";
  report.checks = {check("compiles", Category::build, CheckStatus::passed),
                   check("edges", Category::correctness, CheckStatus::failed),
                   check("speed", Category::speed, CheckStatus::skipped)};
  report.checks[1].because = {1};
  report.findings = {mismatch(std::move(help))};
  return report;
}

HelpfulPatch helpful_patch(std::uint32_t line, std::vector<std::string> failing = {}) {
  return {.patch = {patch::PatchKind::connective, 0, 2, "||", "`||` in place of `&&`"},
          .where = {"sum.cu", line, 7},
          .failing = std::move(failing)};
}

Help general(Help help) {
  help.scope = HelpScope::general;
  return help;
}

/// General help, of a finding of this id.
Report report_of(std::string_view id, Help help) {
  Report report = wrong_report(general(std::move(help)));
  report.findings.front().id = id;
  return report;
}

TEST_CASE("changes are tried where a result is wrong and the help only says where to look") {
  CHECK(is_worth_patches(wrong_report(Help::where_to_look("look at the guard of the store"))));
  CHECK_FALSE(is_worth_patches(wrong_report("copy `n * sizeof(float)` bytes")));
}

TEST_CASE("changes are tried where the help is general and leaves open what to change") {
  CHECK(is_worth_patches(report_of(finding_ids::kResultMismatch, "compute the first wrong element")));
  CHECK(is_worth_patches(report_of(finding_ids::kInvalidLaunch, Advice::check_grid_division)));
  CHECK(is_worth_patches(report_of(finding_ids::kRuntimeError, "copy fewer")));
  CHECK(is_worth_patches(report_of(finding_ids::kSharedRace, {Advice::which_work, "look at the condition"})));
  // It says where the barrier is to be.
  CHECK_FALSE(is_worth_patches(report_of(finding_ids::kSharedRace, {Advice::block_barrier, "put it after line 3"})));
  CHECK_FALSE(is_worth_patches(report_of(finding_ids::kBarrierDivergence, "move it out of the `if`")));
  CHECK_FALSE(is_worth_patches(report_of(finding_ids::kTimedOut, "look for a loop without end")));
  CHECK_FALSE(is_worth_patches(report_of(finding_ids::kUnsupportedCall, "use another one")));
}

TEST_CASE("changes are tried where the help proposes what has not been tried") {
  CHECK(is_worth_patches(wrong_report("exchange `a` and `b` in line 3"), true));
  Report right = wrong_report("exchange `a` and `b` in line 3");
  right.checks[1].status = CheckStatus::passed;
  CHECK_FALSE(is_worth_patches(right, true));
}

TEST_CASE("changes are not tried for a submission that is right, slow or does not compile") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  report.checks[1].status = CheckStatus::passed;
  CHECK_FALSE(is_worth_patches(report));
  report.checks[2].status = CheckStatus::failed;
  CHECK_FALSE(is_worth_patches(report));
  report = wrong_report(Help::where_to_look("look at the guard"));
  report.checks[0].status = CheckStatus::failed;
  CHECK_FALSE(is_worth_patches(report));
  report = wrong_report(Help::where_to_look("look at the guard"));
  report.checks[2].status = CheckStatus::error;
  CHECK_FALSE(is_worth_patches(report));
}

TEST_CASE("changes are tried for a check on results that no finding explains") {
  Report report = wrong_report("");
  report.findings.clear();
  report.checks[1].because.clear();
  report.first_check = "edges";
  CHECK(is_worth_patches(report));
  report.first_check = "speed";
  CHECK_FALSE(is_worth_patches(report));
}

TEST_CASE("changes are tried for memory that is not freed, by the check that it fails") {
  Report report = wrong_report("");
  report.checks.push_back(check("no_leaks", Category::quality, CheckStatus::failed));
  report.checks.back().because = {1};
  report.checks[1].status = CheckStatus::passed;
  report.findings.front().id = finding_ids::kMemoryLeak;
  report.findings.front().severity = Severity::warning;
  report.findings.front().help = Advice::free_each;
  CHECK(check_of_changes(report) == "no_leaks");
  CHECK(is_worth_patches(report));
  // It fails because of another finding.
  report.checks.back().because = {2};
  CHECK(check_of_changes(report).empty());
  CHECK_FALSE(is_worth_patches(report));
  // The help says more than where memory is missed.
  report.checks.back().because = {1};
  report.findings.front().help = "call `cudaFree(a)` before line 7";
  CHECK(check_of_changes(report).empty());
  CHECK_FALSE(is_worth_patches(report));
  // A check that is told first comes before it.
  report.first_check = "edges";
  CHECK(check_of_changes(report) == "edges");
}

TEST_CASE("changes are not tried for a skeleton that is not filled in") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  report.findings.front().id = finding_ids::kUnfinished;
  CHECK_FALSE(is_worth_patches(report));
}

TEST_CASE("the change takes the place of the help, and its line is shown beside the finding's") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  show_patch(report, helpful_patch(9));
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings.front();
  CHECK(finding.help == "with `||` in place of `&&` in line 9, the program passes every check");
  CHECK(finding.where.line == 12);
  REQUIRE(finding.other);
  CHECK(finding.other->place == SourcePlace{"sum.cu", 9, 7});
}

TEST_CASE("a change in the finding's own line needs no other place") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  show_patch(report, helpful_patch(12));
  CHECK_FALSE(report.findings.front().other);
  CHECK(report.findings.front().help == "with `||` in place of `&&` in this line, the program passes every check");
}

TEST_CASE("checks that fail all the same are named") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  show_patch(report, helpful_patch(9, {"speed", "few_reads"}));
  CHECK(report.findings.front().help ==
        "with `||` in place of `&&` in line 9, the program passes every check but `speed` and `few_reads`");
}

TEST_CASE("a check on speed fails by an error where the program is wrong at the size that is timed") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  CheckResult& speed = report.checks[2];
  CheckResult& edges = report.checks[1];
  speed.status = CheckStatus::failed;
  report.findings.front().id = finding_ids::kWrongWhenTimed;
  report.findings.front().severity = Severity::error;
  CHECK_FALSE(fails_by_error(report, speed));  // slow alone
  CHECK_FALSE(fails_by_error(report, edges));  // not on speed
  speed.because = {1};
  CHECK(fails_by_error(report, speed));
  report.findings.front().severity = Severity::advice;
  CHECK_FALSE(fails_by_error(report, speed));
  speed.because = {2};
  CHECK_FALSE(fails_by_error(report, speed));
}

TEST_CASE("other lines in which the same change helps are named") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  HelpfulPatch helpful = helpful_patch(9);
  helpful.also = {14};
  show_patch(report, helpful);
  CHECK(report.findings.front().help ==
        "with `||` in place of `&&` in line 9, or else in line 14, the program passes every check");
}

TEST_CASE("a finding without a place gets that of the change") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  report.findings.front().where = {};
  show_patch(report, helpful_patch(9));
  CHECK(report.findings.front().where == SourcePlace{"sum.cu", 9, 7});
  CHECK_FALSE(report.findings.front().other);
}

TEST_CASE("of a check without a finding the line of the change becomes the first finding") {
  Report report = wrong_report("free it");
  report.findings.front().severity = Severity::warning;
  report.checks[1].because.clear();
  report.checks[1].message = "of 2 cases 2 kept silent:\ncase `first`: prints nothing\ncase `second`: prints nothing";
  report.checks[2].because = {1};
  report.first_check = "edges";
  show_patch(report, helpful_patch(9));
  REQUIRE(report.findings.size() == 2);
  const Finding& finding = report.findings.front();
  CHECK(finding.id == finding_ids::kLikelyCause);
  CHECK(finding.message == "this line is why `edges` fails");
  CHECK(finding.note == "of 2 cases 2 kept silent: case `first`: prints nothing");
  CHECK(finding.where == SourcePlace{"sum.cu", 9, 7});
  CHECK(report.checks[1].because == std::vector<std::size_t>{1});
  CHECK(report.checks[2].because == std::vector<std::size_t>{2});
  CHECK(report.first_check.empty());
}

TEST_CASE("a change that leaves something out is told as it is") {
  Report report = wrong_report(Help::where_to_look("look at the guard"));
  HelpfulPatch helpful = helpful_patch(9);
  helpful.patch.words = "without `err =`";
  show_patch(report, helpful);
  CHECK(report.findings.front().help == "without `err =` in line 9, the program passes every check");
}

}  // namespace
}  // namespace cudalabs::test::of_patch_report
