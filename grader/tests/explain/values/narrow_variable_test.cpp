// The only variable of 16 bits, beside findings that nothing else explains.
#include "explain/values/narrow_variable.h"

#include <string>

#include "catch.h"
#include "explain/places/set_here.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_narrow_variable {
namespace {

const std::string kHelper =
    "__device__ int gray(int r, int g) {\n"
    "  const short sum = 77 * r + 150 * g;  // not an int\n"
    "  return sum / 256;\n"
    "}\n";

MergedFinding unexplained() {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"a.cu", 9, 3};
  finding.help = "look at the line";
  return finding;
}

MergedFinding told(MergedFinding finding, const std::string& source = kHelper) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_narrow_variable(findings, source, "a.cu");
  return findings.front();
}

bool is_told(const MergedFinding& finding, const std::string& source = kHelper) {
  return told(finding, source).help.starts_with("line ");
}

}  // namespace

TEST_CASE("the only declaration of 16 bits is found, wherever it is") {
  const auto found = only_declaration_of_16_bits(kHelper);
  REQUIRE(found);
  CHECK(found->line == 2);
  CHECK(found->column == 9);
  CHECK(found->type.least == -32768);
  CHECK(only_declaration_of_16_bits("struct Place {\n  unsigned short row, col;\n};\n")->line == 2);
  CHECK(only_declaration_of_16_bits("void f(uint16_t n) {}\n")->type.most == 65535);
  CHECK_FALSE(only_declaration_of_16_bits("short a;\nshort b;\n"));
  CHECK_FALSE(only_declaration_of_16_bits("unsigned char byte;\nint n;\n"));
  CHECK_FALSE(only_declaration_of_16_bits("const short* data;\nint a = (short)n;\n// short x;\n"));
}

TEST_CASE("it is shown beside a wrong output, with what it holds") {
  const MergedFinding finding = told(unexplained());
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 2);
  CHECK(finding.other->label == "this holds -32768 to 32767");
  CHECK(finding.help.starts_with("line 2 has a variable of 16 bits: is -32768 to 32767 enough"));
  const MergedFinding returned = told(unexplained(), "__device__ short luma(int red) {\n  return 77 * red;\n}\n");
  CHECK(returned.other->label == "this returns -32768 to 32767");
  CHECK(returned.help.starts_with("line 1 has a function with a return type of 16 bits: is -32768 to 32767 enough"));
  CHECK(told(unexplained(), "short sum(77);\n").help.starts_with("line 1 has a variable of 16 bits"));
  MergedFinding set = unexplained();
  set.other = set_here("p", {"a.cu", 8, 3});
  CHECK(told(set).other->place.line == 2);
  MergedFinding nowhere = unexplained();
  nowhere.where = {};
  CHECK(told(nowhere).where.line == 2);
}

TEST_CASE("where something else is proven or shown, or the finding is of no output, nothing is said") {
  MergedFinding proven = unexplained();
  proven.proven = true;
  CHECK_FALSE(is_told(proven));
  MergedFinding known = unexplained();
  known.known = true;
  CHECK_FALSE(is_told(known));
  MergedFinding shown = unexplained();
  shown.other = OtherPlace{"the other access", {"a.cu", 8, 3}, {}, {}};
  CHECK_FALSE(is_told(shown));
  MergedFinding race = unexplained();
  race.id = finding_ids::kSharedRace;
  CHECK_FALSE(is_told(race));
  MergedFinding elsewhere = unexplained();
  elsewhere.where.file = "other.h";
  CHECK_FALSE(is_told(elsewhere));
  CHECK_FALSE(is_told(unexplained(), "int n;\n"));
}

}  // namespace cudalabs::test::of_narrow_variable
