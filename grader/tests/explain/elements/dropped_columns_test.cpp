// Rows that are no whole number of pieces, and elements that are missing for another reason.
#include "explain/elements/dropped_columns.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kQuads =
    "__global__ void k(float4* c, int m, int quads) {\n"
    "  if (q < quads && row < m) c[row * quads + q] = s;\n"
    "}\n"
    "void f(float* c, int m, int p) {\n"
    "  if (m * p % 4 == 0) {\n"
    "    const int quads = p / 4;\n"
    "    k<<<grid, block>>>((float4*)c, m, quads);\n"
    "  }\n"
    "}\n";

/// `c` of m rows of p columns, whose last elements are missing.
CaseRun case_of(std::int64_t m, std::int64_t p, std::int64_t missing, bool hidden = false) {
  datasets::Array output = float_matrix("c", m, p);
  for (std::int64_t i = m * p - missing; i < m * p; ++i) poison(output, i);
  CaseRun made = case_run_with("case_" + std::to_string(p), expected_matrix(m, p), std::move(output));
  made.test.spec.parameters = {{"m", m}, {"p", p}};
  made.test.spec.hidden = hidden;
  return made;
}

MergedFinding explained(std::vector<CaseRun> cases, const std::string& source = kQuads,
                        const std::string& division = "p / 4") {
  MergedFinding made;
  made.id = finding_ids::kUnwrittenOutput;
  made.where = {"k.cu", 2, 29};
  made.kernel = "(anonymous namespace)::k";
  made.output = "c";
  made.shown = cases.front().test.spec.name;
  made.help = "as before";
  SubmissionRun submission_run;
  submission_run.case_runs = std::move(cases);
  const bool shown = show_dropped_columns(made, source, {division, 4, {{"quads"}, 6, 15}}, submission_run);
  CHECK(shown == (made.help != "as before"));
  return made;
}

}  // namespace

TEST_CASE("the division that leaves out the end of each row is shown, with the condition of the launch") {
  const MergedFinding made = explained({case_of(6, 10, 12), case_of(4, 7, 12)});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 6, 15});
  CHECK(made.other->label == "`p / 4` is computed here");
  CHECK(made.help ==
        "`p / 4` drops what is left over of each row, here 2 of 10 columns: the kernel needs a `p` that is a multiple "
        "of 4, and the condition in line 5 launches it for others, too; ask for that there, or let threads do the last "
        "columns of each row, too");
}

TEST_CASE("of a hidden case no numbers are told, and without a condition none is named") {
  CHECK_THAT(explained({case_of(6, 10, 12, true)}).help, contains_text("of each row: the kernel needs"));
  std::string source = kQuads;
  source.replace(source.find("if (m * p % 4 == 0)"), 19, "");
  CHECK_THAT(explained({case_of(6, 10, 12)}, source).help,
             contains_text("a multiple of 4; let threads do the last columns"));
}

TEST_CASE("a division is not to blame where other elements are missing in some case") {
  CHECK(explained({case_of(6, 10, 12), case_of(4, 7, 11)}).help == "as before");
  CHECK(explained({case_of(6, 8, 12)}).help == "as before");
  CHECK(explained({case_of(6, 10, 0)}).help == "as before");
  CHECK(explained({case_of(6, 10, 12)}, kQuads, "m / 4").help == "as before");
  datasets::Array output = float_matrix("c", 6, 10);
  for (std::int64_t i = 0; i < 12; ++i) poison(output, i);
  CHECK(explained({case_run_with("first", expected_matrix(6, 10), std::move(output))}).help == "as before");
}

}  // namespace cudalabs::test
