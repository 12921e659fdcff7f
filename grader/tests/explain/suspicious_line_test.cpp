// Lines that look wrong, beside a finding that knows no cause.
#include "explain/suspicious_line.h"

#include "catch.h"
#include "source/misleading_indent.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

SubmissionRun warned(std::vector<std::uint32_t> lines) {
  SubmissionRun submission_run;
  for (const std::uint32_t line : lines)
    submission_run.build.warnings.push_back({{"a.cu", line, 3}, "misleading indentation"});
  return submission_run;
}

MergedFinding wrong_at(std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"a.cu", line, 5};
  finding.help = "as before";
  return finding;
}

MergedFinding shown(MergedFinding finding, const SubmissionRun& submission_run, std::string_view source = {}) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_suspicious_line(findings, source, "a.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("the only line that the compiler warns of stands with a wrong result") {
  const MergedFinding finding = shown(wrong_at(21), warned({20}));
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 20);
  CHECK(finding.where.line == 21);
  CHECK(finding.help == "the compiler warns at line 20: misleading indentation");
  CHECK_FALSE(shown(wrong_at(20), warned({20})).other);
}

TEST_CASE("beside a finding that leads to a line of its own a warning is mentioned, and several are not") {
  CHECK(shown(wrong_at(21), warned({})).help == "as before");
  CHECK(shown(wrong_at(21), warned({8, 20})).help == "as before");
  constexpr std::string_view kFirst = "the compiler warns at line 20: misleading indentation; as before";
  MergedFinding finding = wrong_at(21);
  finding.detector = "product_stops_early";
  CHECK(shown(finding, warned({20})).help == kFirst);
  CHECK_FALSE(shown(finding, warned({20})).other);
  CHECK(shown(finding, warned({21})).help == "as before");
  finding = wrong_at(21);
  finding.values = ValueKind::transposed;
  CHECK(shown(finding, warned({20})).help == kFirst);
  finding = wrong_at(21);
  finding.id = finding_ids::kSharedRace;
  CHECK(shown(finding, warned({20})).help == kFirst);
  finding.other = OtherPlace{"the other access", {"a.cu", 20, 3}, {}, {}};
  CHECK(shown(finding, warned({20})).help == "as before");
  finding.other.reset();
  finding.severity = Severity::warning;
  CHECK(shown(finding, warned({20})).help == "as before");
  std::vector<MergedFinding> none;
  show_suspicious_line(none, {}, "a.cu", warned({20}));
  CHECK(none.empty());
}

TEST_CASE("a line that is indented like the statement of a loop without braces is found") {
  const auto in = [](const std::string& code) { return misleading_indent("void f() {\n" + code + "}\n"); };
  CHECK(in("  for (int k = 0; k < n; ++k)\n    sum += *p;\n    p += n;\n") == MisleadingIndent{4, 5, 2, 3, "for"});
  CHECK(in("  if (f(x))  // so\n    a = 1;\n\n    b = 2;\n")->line == 5);
  CHECK_FALSE(in("  for (;;)\n    sum += *p;\n  p += n;\n"));
  CHECK_FALSE(in("  for (;;) {\n    sum += *p;\n    p += n;\n  }\n"));
  CHECK_FALSE(in("  if (a)\n    b = 1;\n  else\n    b = 2;\n"));
  CHECK_FALSE(in("  for (;;)\n    for (;;)\n      b = 1;\n"));
  CHECK_FALSE(in("  for (;;)\n    b = f(1,\n      2);\n"));
  CHECK_FALSE(in("  if (a)\n    b = 1;\n    c = 1;\n  if (b)\n    b = 1;\n    c = 1;\n"));  // a style of its own
}

TEST_CASE("such a line is shown rather than a warning, and what the values say stays") {
  const std::string source = "void k() {\n  for (;;)\n    sum += *p;\n    p += n;\n  c[0] = sum;\n}\n";
  MergedFinding finding = shown(wrong_at(5), warned({2}), source);
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 4);
  CHECK_THAT(finding.help, contains_text("without braces only line 3 is part of the `for` in line 2"));
  finding = wrong_at(5);
  finding.detector = "product_row_of_b";
  CHECK_THAT(shown(finding, {}, source).help, contains_text("; as before"));
}

}  // namespace cudalabs::test
