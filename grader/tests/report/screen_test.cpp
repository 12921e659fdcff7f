// The report for one look: it fits, and what has to be seen first is in it.
#include <algorithm>

#include "catch.h"
#include "golden.h"
#include "report/compact_finding.h"
#include "report/layout.h"
#include "report/number_text.h"
#include "report/printable.h"
#include "sample_reports.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

constexpr TerminalStyle kPlain{.color = false, .unicode = true, .width = 80};

std::string screen(const Report& report, TerminalStyle style = kPlain) {
  return render_screen(report, SampleSources(), style);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Everything that a report can have too much of.
Report crowded_report() {
  Report report = failing_report();
  report.submission = "/some/course/" + std::string(200, 'd') + "/matmul.cu";
  Finding first = report.findings[0];
  first.where.file = first.other->place.file = report.submission;
  for (std::string* text : {&first.message, &first.note, &first.help.words()}) {
    for (int i = 0; i < 40; ++i) *text += " and some more words";
  }
  report.findings[0] = first;
  for (int i = 0; i < 30; ++i) {
    report.checks.push_back({"check_" + std::to_string(i), "a check of which there are far too many for one screen",
                             Category::correctness, 0, 1, CheckStatus::failed, "because", ""});
    report.findings.push_back(first);
  }
  for (int i = 0; i < 30; ++i) report.console += "a line that the program printed\n";
  report.next_steps.push_back("a third thing to do, which is told in far more words than there is room for in a row");
  return report;
}

}  // namespace

TEST_CASE("reports on one screen") {
  for (const auto& [name, report] : all_reports()) check_golden(name + ".screen.txt", screen(report));
}

TEST_CASE("a report fits 24 rows of 80 columns and more, but for what a compiler says") {
  std::vector<NamedReport> reports = all_reports();
  reports.push_back({"crowded", crowded_report()});
  reports.push_back({"hostile that builds", hostile_report()});
  reports.back().report.checks[0].category = Category::sync;
  for (const auto& [name, report] : reports) {
    if (name == "build_failure" || name == "hostile") continue;  // they do not build
    for (const unsigned width : {80u, 100u, 120u}) {
      CAPTURE(name, width);
      const std::string text = screen(report, {.color = false, .unicode = true, .width = width});
      CHECK(rows_of(text, width) <= 24);
    }
  }
}

TEST_CASE("however much there is, the first finding keeps its place") {
  const std::string text = screen(crowded_report());
  CHECK(contains(text, "error[shared-race]: "));
  CHECK(contains(text, "/matmul.cu:12:33\n"));
  CHECK(contains(text, "--finding 2"));
  CHECK(contains(text, "--all"));
}

TEST_CASE("what to do next gives way last, but for its first and its last step") {
  Report report = crowded_report();
  const std::string path(70, 'd');
  report.next_steps = {"look at /" + path + "/pictures", "stuck? read /" + path + "/" + path + "/README.md"};
  std::string text = screen(report);
  CHECK(rows_of(text, 80) <= 24);
  CHECK(contains(text, "--finding 2"));
  CHECK(contains(text, "README.md"));
  report.next_steps.back() = "stuck? read";
  for (int i = 0; i < 12; ++i) report.next_steps.back() += " /" + path;
  text = screen(report);
  CHECK(contains(text, "stuck? read"));
  CHECK_FALSE(contains(text, "pictures"));
}

TEST_CASE("both accesses of a race are shown with their lines") {
  const std::string text = screen(failing_report());
  CHECK(contains(text, "12 |     for (int k = 0; k < TILE; ++k) sum += tile_a[ty][k] * tile_b[k][tx];\n"));
  CHECK(contains(text, "\n 9 |     tile_a[ty][tx] = a[row * n + k];\n"));
}

TEST_CASE("what follows from the first finding is one line, other checks have one each") {
  Report report = failing_report();
  report.checks[1].because = {1};
  report.checks[3].because = {1};
  report.checks[2].because = {2};
  const std::string text = screen(report);
  CHECK(contains(text, "✗ 2 checks fail because of this (20 points): edges, in_bounds\n"));
  CHECK(contains(text, "✗ no_races  0/10  no thread reads"));
  CHECK(contains(text, "(finding 2)\n"));
  CHECK(contains(text, "✓ 1 check passed: compiles\n"));
}

TEST_CASE("rows that are left name the checks that fail because of the first finding") {
  Report report = failing_report();
  const CheckResult failed = report.checks[1];
  report.checks.clear();
  report.console.clear();
  report.findings.resize(1);
  for (int i = 0; i < 12; ++i) {
    CheckResult check = failed;
    check.id = "check_number_" + std::to_string(i);
    check.because = {1};
    report.checks.push_back(check);
  }
  const std::string text = screen(report);
  CHECK(rows_of(text, 80) <= 24);
  CHECK(contains(text, "check_number_0"));
  CHECK(contains(text, "check_number_11"));
}

TEST_CASE("a check that no finding explains may be first") {
  Report report = failing_report();
  report.findings.clear();
  report.first_check = "edges";
  const std::string text = screen(report);
  CHECK(contains(text, "fix this first\n✗ edges  0/15  sizes that no tile divides are right\n"));
  CHECK(contains(text, "case `one_more` (one more than whole tiles"));
  CHECK(contains(text, "help: there are ceil(n / TILE) phases"));
}

TEST_CASE("what the compiler says is never cut, and checks that could not run are not listed") {
  Report report = build_failure_report();
  report.build_output.clear();
  for (int i = 0; i < 60; ++i) report.build_output += std::string(200, 'x') + "\n";
  report.build_output += "did you mean `tile_a`?\n";
  const std::string text = screen(report);
  CHECK(contains(text, "| did you mean `tile_a`?\n"));
  CHECK(contains(text, std::string(200, 'x')));
  CHECK(rows_of(text, 80) > 120);
  CHECK_FALSE(contains(text, "edges"));
  CHECK(contains(screen(build_failure_report()), "error: expected ';' after expression"));
}

TEST_CASE("a line of the compiler ends somewhere") {
  Report report = build_failure_report();
  report.build_output = std::string(1 << 20, 'x');
  CHECK(screen(report).size() < 10'000);
}

TEST_CASE("what the program printed is shown where there is room, and counted where there is none") {
  Report report = failing_report();
  report.findings.resize(1);
  report.console = "hello\n";
  CHECK(contains(screen(report), "the program printed\n| hello\n"));
  report.console.clear();
  for (int i = 0; i < 30; ++i) report.console += "again\n";
  CHECK(contains(screen(report), "the program printed 30 lines: --all shows them\n"));
}

TEST_CASE("a failure of the grader is told once") {
  const std::string text = screen(broken_report());
  CHECK(contains(text, "the grader failed: cannot make a pipe: Too many open files\n"));
  CHECK(text.find("cannot make a pipe") == text.rfind("cannot make a pipe"));
}

TEST_CASE("no hostile byte reaches the screen, and nothing foreign starts a line") {
  Report report = hostile_report();
  std::string text = screen(report);
  CHECK(printable(text) == text);
  report.checks[0].category = Category::sync;
  report.console = "lab4: full marks\n";
  text = screen(report);
  CHECK(printable(text) == text);
  CHECK_FALSE(contains(text, "\nlab4: full marks"));
}

TEST_CASE("colour changes no word of a screen") {
  std::string text = screen(failing_report(), {.color = true, .unicode = true, .width = 80});
  CHECK(text != screen(failing_report()));
  for (std::size_t at; (at = text.find("\x1b[")) != std::string::npos;) text.erase(at, text.find('m', at) + 1 - at);
  CHECK(text == screen(failing_report()));
}

TEST_CASE("without UTF-8 a screen has no sign of its own beyond ASCII") {
  Report report = failing_report();
  report.findings.resize(1);
  const std::string text = screen(report, {.color = false, .unicode = false, .width = 80});
  CHECK(std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }));
}

TEST_CASE("one check is shown with the findings that it failed for, one finding by its number") {
  Report report = failing_report();
  report.checks[2].because = {1};
  const std::string check = render_check(report, "no_races", SampleSources(), kPlain);
  CHECK(contains(check, "of 17 cases 17 did not pass:"));
  CHECK(contains(check, "finding 1 of 3\nerror[shared-race]"));
  CHECK_FALSE(contains(check, "result-mismatch"));
  CHECK(render_check(report, "unknown", SampleSources(), kPlain).empty());
  CHECK(render_finding_of(report, 2, SampleSources(), kPlain).starts_with("finding 2 of 3\nerror[result-mismatch]"));
  CHECK(render_finding_of(report, 0, SampleSources(), kPlain).empty());
  CHECK(render_finding_of(report, 4, SampleSources(), kPlain).empty());
}

TEST_CASE("a place far to the right is shown with what stands around it") {
  Finding finding = failing_report().findings[0];
  finding.where = {"matmul.cu", 4, 400};
  finding.other.reset();
  const auto lines = compact_finding(finding, SampleSources(), kPlain, {});
  const auto source = std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("4 |"); });
  REQUIRE(source != lines.end());
  CHECK(source->find("...") != std::string::npos);
  CHECK((source + 1)->find('^') < 80);
  CHECK(std::ranges::all_of(lines, [](const auto& line) { return display_width(line) <= 80; }));
}

TEST_CASE("of a note that is cut, what was launched stays") {
  Finding finding;
  finding.id = "unwritten-output";
  finding.message = "`c` was never written in row 5";
  finding.note =
      "case `wide`: 16 of 96 elements, which is a line longer than a screen is wide, so that it is two\n"
      "launch: <<<1, 80>>>, 80 threads for 96 elements\nfirst: c[80]";
  const auto shown = [&](std::size_t rows) {
    const auto lines = compact_finding(finding, SampleSources(), kPlain, {3, rows, 4});
    return std::vector<std::string>(lines.begin() + 1, lines.end());
  };
  const std::string launch = "    launch: <<<1, 80>>>, 80 threads for 96 elements";
  CHECK(shown(4).back() == "    first: c[80]");
  for (const std::size_t rows : {1, 2}) {
    REQUIRE(shown(rows).size() == 2);
    CHECK(shown(rows)[0].ends_with("..."));
    CHECK(shown(rows)[1] == launch);
  }
  CHECK(shown(3)[1].ends_with("..."));
  CHECK(shown(3)[2] == launch);
  CHECK(shown(0).empty());
}

TEST_CASE("points and counts as people write them") {
  CHECK(points_text(97.3603, 100) == "97.4 of 100 points");
  CHECK(points_text(15, 100) == "15 of 100 points");
  CHECK(points_text(99.97, 100) == "99.9 of 100 points");
  CHECK(points_text(100, 100) == "100 of 100 points");
  CHECK(points_of(2.5, 5) == "2.5");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1014) == "1,014");
  CHECK(count_text(1, "launch", "launches") == "1 launch");
  CHECK(count_text(1014, "launch", "launches") == "1,014 launches");
  CHECK(count_text(18446744073709551615u) == "18,446,744,073,709,551,615");
}
