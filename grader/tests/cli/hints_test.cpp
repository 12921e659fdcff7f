// Which hint is shown, and how its Markdown is read.
#include "cli/hints.h"

#include "catch.h"

using namespace cudalabs;

namespace {

const std::string kHints =
    "# Hints\n\nAn introduction with `b`.\n\n## Level 1: where\n\n### `a`, `b`\n\nLook *here*,\nand at `x * y`.\n\n"
    "### `c`\n\nElsewhere.\n\n## Level 2: what\n\n### `b`\n\nThe load:\n\n    x[i] = y[i] * 2;\n\nThat is all.\n";

CheckResult check(const std::string& id, CheckStatus status, std::vector<std::size_t> because = {}) {
  CheckResult result;
  result.id = id;
  result.status = status;
  result.because = std::move(because);
  return result;
}

}  // namespace

TEST_CASE("a hint is for a check and of a level") {
  CHECK(hint_for(kHints, "a", 1) == "Look *here*,\nand at `x * y`.\n");
  CHECK(hint_for(kHints, "b", 1) == hint_for(kHints, "a", 1));
  CHECK(hint_for(kHints, "c", 1) == "Elsewhere.\n");
  CHECK(hint_for(kHints, "b", 2) == "The load:\n\n    x[i] = y[i] * 2;\n\nThat is all.\n");
  CHECK(hint_for(kHints, "a", 2).empty());
  CHECK(hint_for(kHints, "a", 3).empty());
  CHECK(hint_for(kHints, "Elsewhere", 1).empty());
  CHECK(hint_levels(kHints) == 2);
  CHECK(hint_levels("") == 0);
}

TEST_CASE("on a terminal there are no marks, lines are wrapped, and code is left alone") {
  CHECK(plain_text(hint_for(kHints, "a", 1), 80) == "Look here, and at x * y.\n");
  CHECK(plain_text("one two three\n", 8) == "one two\nthree\n");
  CHECK(plain_text(hint_for(kHints, "b", 2), 12) == "The load:\n\n    x[i] = y[i] * 2;\n\nThat is all.\n");
  CHECK(plain_text("one two three `a + b * c` it is\n", 24) == "one two three\na + b * c it is\n");
  CHECK(plain_text("", 80).empty());
}

TEST_CASE("the check to fix is the one that the report puts first") {
  Report report;
  CHECK(check_to_fix(report).empty());
  report.checks = {check("compiles", CheckStatus::passed), check("square", CheckStatus::failed, {2}),
                   check("edges", CheckStatus::skipped), check("barriers", CheckStatus::failed, {1, 2})};
  CHECK(check_to_fix(report) == "barriers");
  report.checks[3].because.clear();
  CHECK(check_to_fix(report) == "square");
  report.first_check = "barriers";
  CHECK(check_to_fix(report) == "barriers");
}
