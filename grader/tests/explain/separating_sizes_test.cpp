// What the sizes of wrong cases have in common.
#include "explain/separating_sizes.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

struct Sizes {
  std::int64_t n, p;
  bool wrong;
};

std::vector<CaseRun> runs(const std::vector<Sizes>& all) {
  std::vector<CaseRun> made;
  for (const auto& [n, p, wrong] : all) {
    CaseRun& run = made.emplace_back();
    run.test.spec.name = "case" + std::to_string(made.size());
    run.test.spec.parameters = {{"n", n}, {"p", p}};
    run.observed.end = RunEnd::finished;
    run.judgement.emplace();
    if (wrong) run.judgement->mismatches.emplace_back();
  }
  return made;
}

const std::vector<Sizes> kByRows{{4, 8, false}, {5, 16, false}, {6, 4, false}, {4, 3, true}, {5, 7, true}};
const std::vector<Sizes> kByChoice{{4, 8, false}, {5, 16, false}, {8, 4, false},
                                   {4, 3, true},  {8, 7, true},   {5, 7, false}};

}  // namespace

TEST_CASE("the size that is no multiple in the wrong cases alone is named") {
  CHECK(separating_sizes(runs(kByRows), 4) == SeparatingSizes{"p", "", 4});
  CHECK(separating_sizes(runs(kByChoice), 4) == SeparatingSizes{"p", "n", 4});
}

TEST_CASE("sizes that do not separate, and cases that are too few, say nothing") {
  std::vector<Sizes> mixed = kByRows;
  mixed.push_back({4, 12, true});
  CHECK_FALSE(separating_sizes(runs(mixed), 4));
  mixed = kByRows;
  mixed.push_back({4, 5, false});
  mixed.push_back({5, 5, false});
  CHECK_FALSE(separating_sizes(runs(mixed), 4));
  CHECK_FALSE(separating_sizes(runs({{4, 8, false}, {4, 8, false}, {4, 3, true}, {5, 3, true}}), 4));
  CHECK_FALSE(separating_sizes(runs({{4, 8, false}, {5, 8, false}, {6, 8, false}, {4, 3, true}}), 4));
}

TEST_CASE("they are told of a kernel with a vector type, beside the host's question") {
  const auto shown = [](const std::string& type) {
    const std::string source = "__global__ void k(const " + type + "* b, float* c, int n) {\n  c[0] = b[n].x;\n}\n" +
                               "void f(int n) {\n  if (n % 4 == 0) go();\n}\n";
    SubmissionRun run;
    run.case_runs = runs(kByChoice);
    std::vector<MergedFinding> findings(1);
    findings[0].id = finding_ids::kGlobalOutOfBounds;
    findings[0].where = {"k.cu", 2, 3};
    findings[0].note = "past the end";
    show_separating_sizes(findings, source, "k.cu", run);
    return findings[0];
  };
  const MergedFinding told = shown("float4");
  CHECK(told.note ==
        "wrong are just the cases in which `p` is no multiple of 4, while `n` is a multiple of 4\npast the end");
  REQUIRE(told.other);
  CHECK(told.other->place.line == 5);
  CHECK(told.other->label == "this asks for `n`, and not for `p`");
  CHECK(shown("float").note == "past the end");
  CHECK_FALSE(shown("float").other);
}

}  // namespace cudalabs::test
