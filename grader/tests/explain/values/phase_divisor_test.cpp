// Phases whose number is divided by another number than a phase has products.
#include "explain/values/phase_divisor.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_phase_divisor {
namespace {

const std::string kSource =
    "template <int bm, int bk>\n"
    "struct Config { static constexpr int BM = bm, BK = bk; };\n"
    "template <class C>\n"
    "__global__ void k(float* c, int n) {\n"
    "  const int phases = (n + C::BM - 1) / C::BM;\n"
    "  float sum = 0;\n"
    "  for (int t = 0; t < phases; ++t) {\n"
    "    const int k0 = t * C::BK;\n"
    "    for (int k = 0; k < C::BK; ++k) sum += c[k0 + k];\n"
    "  }\n"
    "  c[threadIdx.x] = sum;\n"
    "}\n"
    "void f(float* c, int n) { using Shape = Config<8, 4>; k<Shape><<<4, 16>>>(c, n); }\n";

constexpr std::int64_t kSide = 5;

double a_value(std::int64_t row, std::int64_t k) {
  return 0.5 + static_cast<double>((row * 13 + k * 7) % 11);
}
double b_value(std::int64_t k, std::int64_t column) {
  return static_cast<double>((k * 5 + column * 3) % 13) - 4.25;
}

/// A square product whose sums have the first `terms` products of `n`.
CaseRun product_run(std::int64_t n, std::int64_t terms) {
  const auto sum_to = [](std::int64_t end) {
    return [=](std::int64_t row, std::int64_t column) {
      double sum = 0;
      for (std::int64_t k = 0; k < end; ++k) sum += a_value(row, k) * b_value(k, column);
      return sum;
    };
  };
  CaseRun made = case_run_with("n" + std::to_string(n), expected_matrix(kSide, kSide, sum_to(n)),
                               float_matrix("c", kSide, kSide, sum_to(terms)));
  made.test.inputs.push_back(float_matrix("a", kSide, n, a_value));
  made.test.inputs.push_back(float_matrix("b", n, kSide, b_value));
  made.test.spec.parameters["n"] = n;
  made.observed.launches.emplace_back().kernel = "k<Config<8, 4> >";
  return made;
}

struct Sums {
  std::int64_t n, terms;
};

MergedFinding explained(const std::string& source, const std::vector<Sums>& wrong = {{20, 12}, {7, 4}, {16, 8}},
                        const std::vector<std::int64_t>& right = {2, 4}) {
  SubmissionRun submission_run;
  MergedFinding made{finding(std::string(finding_ids::kResultMismatch), 11), {}};
  for (const Sums& sums : wrong) {
    submission_run.case_runs.push_back(product_run(sums.n, sums.terms));
    made.cases.push_back(submission_run.case_runs.back().test.spec.name);
  }
  for (const std::int64_t n : right) submission_run.case_runs.push_back(product_run(n, n));
  judge(submission_run.case_runs);
  made.shown = made.cases.front();
  made.output = "c";
  made.where.file = "k.cu";
  made.kernel = "k<Config<8, 4> >";
  made.help = "as before";
  std::vector<MergedFinding> findings{made};
  show_phase_divisors(findings, source, "k.cu", submission_run);
  return findings.front();
}

std::string help_of(const std::string& part, const std::string& by) {
  return explained(replaced(kSource, part, by)).help;
}

}  // namespace

TEST_CASE("phases that are counted by a larger number than a phase takes are shown with both numbers") {
  const MergedFinding found = explained(kSource);
  CHECK(found.where.line == 5);
  CHECK(found.where.column == 38);
  REQUIRE(found.other);
  CHECK(found.other->place.line == 8);
  CHECK(found.other->label == "a phase goes on by `C::BK` = 4");
  CHECK(found.help ==
        "n is divided by `C::BM` = 8 here, but a phase takes `C::BK` = 4 products: 3 phases of 4 do not cover n = 20, "
        "and the sums stop too early; divide by what a phase takes");
  CHECK(found.proven);
  CHECK_THAT(help_of("t * C::BK", "4 * t"), contains_text("a phase takes 4 products"));
  CHECK_THAT(help_of("(n + C::BM - 1) / C::BM", "(n - 1) / 8 + 1"), contains_text("n is divided by 8 here"));
  CHECK_THAT(help_of("t < phases", "t < (n + 7) / 8"), contains_text("n is divided by 8 here"));
}

TEST_CASE("phases whose number is not the cause are not blamed") {
  CHECK(explained(kSource, {{20, 12}, {7, 4}, {16, 9}}).help == "as before");  // the sums have other products
  CHECK(explained(kSource, {{20, 12}, {16, 8}}, {2, 9}).help == "as before");  // one is right with too few
  CHECK(explained(kSource, {{20, 12}, {16, 8}, {3, 2}}).help == "as before");  // one is wrong with enough
  CHECK(explained(kSource, {{20, 12}}).help == "as before");                   // of one case it may be chance
  CHECK(help_of("t * C::BK", "t * C::BM") == "as before");                     // the same number
  CHECK(help_of("t * C::BK;", "t * C::BK + t * 5;") == "as before");           // several steps
  CHECK(help_of("t * C::BK", "t * C::BK * n") == "as before");                 // it is more than a step
  CHECK(help_of("t * C::BK", "t * C::LOST") == "as before");
  CHECK(help_of("(n + C::BM - 1) / C::BM", "(m + C::BM - 1) / C::BM") == "as before");
  CHECK(help_of("sum += c[k0 + k];", "{ sum += c[k0 + k]; if (sum > 5) break; }") == "as before");
}

}  // namespace cudalabs::test::of_phase_divisor
