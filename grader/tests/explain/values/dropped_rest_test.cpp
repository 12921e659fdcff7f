// Sums without what is left after the last whole block.
#include "explain/values/dropped_rest.h"

#include "catch.h"
#include "tests/check/make.h"

namespace cudalabs::test::of_dropped_rest {
namespace {

/// The condition is in line 4.
std::string kernel(const std::string& statement, const std::string& second = "second = first + THREADS") {
  return "__global__ void sum(const int* in, int n) {\n  int first = blockIdx.x * 256 + threadIdx.x;\n  int " + second +
         ";\n  " + statement + "\n}\n";
}

std::optional<FarGuard> guard_in(const std::string& statement, const std::string& second = "second = first + THREADS") {
  return only_far_guard(kernel(statement, second));
}

MergedFinding shown(const std::string& source, std::uint32_t blocks, const std::map<std::string, std::int64_t>& numbers,
                    const std::string& detector = "sum_of_whole_blocks") {
  CaseRun case_run;
  case_run.test.spec.name = "one_more";
  case_run.observed.launches.resize(2);
  case_run.observed.launches[0].config = {{blocks, 1, 1}, {128, 1, 1}};
  case_run.observed.launches[1].config = {{1, 1, 1}, {128, 1, 1}};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(std::move(case_run));
  MergedFinding finding;
  finding.numbers = numbers;
  finding.detector = detector;
  finding.shown = "one_more";
  finding.where = {"k.cu", 20, 0};
  finding.help = "round up";
  std::vector<MergedFinding> findings{finding};
  show_dropped_rests(findings, source, "k.cu", submission_run);
  return findings.front();
}

const std::map<std::string, std::int64_t> kNumbers{{"first", 1024}, {"n", 1025}};

}  // namespace

TEST_CASE("a condition on a far element that decides about a near one is found") {
  CHECK(guard_in("if (second < n) x = in[first] + in[second];") ==
        FarGuard{4, 7, "second < n", "n", "second", "first", "in[first]"});
  CHECK(guard_in("if (first < n && second < n) { x = in[first]; x += in[second]; }")->far == "second");
  CHECK(guard_in("if (n > second) x = in[first] + in[second];"));
  CHECK(guard_in("if (first + THREADS < n) x = in[first] + in[first + THREADS];")->far == "first+THREADS");
  CHECK(guard_in("x = second < n ? in[first] + in[second] : 0;"));
  CHECK(guard_in("if (second >= n) {\n    x = 0;\n  } else {\n    x = in[first] + in[second];\n  }"));
  CHECK(guard_in("if (second < n) x = in[first] + in[second];\n  else x = 0;"));
  CHECK(guard_in("if (second >= n) { return; }\n  x = in[first] + in[second];"));
  CHECK(guard_in("if (second >= n) return;\n  x = in[first] + in[second];"));
  CHECK(guard_in("if (second < n) x = in[first] + in[second];", "second = THREADS + first"));
  CHECK(guard_in("if (second < n) x = in[first] + in[second];", "second = blockIdx.x * 256 + threadIdx.x + THREADS"));
}

TEST_CASE("elements that have conditions of their own, or are read elsewhere, are no mistake") {
  CHECK_FALSE(guard_in("if (first < n) x = in[first];\n  if (second < n) x += in[second];"));
  CHECK_FALSE(guard_in("x = in[first];\n  if (second < n) x += in[second];"));
  CHECK_FALSE(guard_in("if (second < n) x = in[first] + in[second];\n  else if (first < n) x = in[first];"));
  CHECK_FALSE(guard_in("if (second < n) x = in[first] + in[second];\n  if (second >= n && first < n) x = in[first];"));
  CHECK_FALSE(guard_in("if (second < n) x = tile[t] + in[second];"));
  CHECK_FALSE(guard_in("if (second < n) x = in[first] + in[second];", "second = n - first"));
  CHECK_FALSE(guard_in("if (second < n) x = in[first] + in[second];", "second = (first + 1) % n"));
  CHECK_FALSE(guard_in("if (second <= n) x = in[first] + in[second];"));
  CHECK_FALSE(guard_in("if (t < half) in[first] = in[second];"));
  CHECK_FALSE(guard_in("if (second < n) in[first] = in[second];"));  // it stores there
  // Of the host.
  CHECK_FALSE(only_far_guard("void f(int n) {\n  int second = first + 1;\n  if (second < n) x = in[first];\n}\n"));
}

TEST_CASE("of several such conditions none is shown") {
  const std::string both = kernel("if (second < n) x = in[first] + in[second];");
  CHECK_FALSE(only_far_guard(both + both));
}

TEST_CASE("a sum of whole blocks is led to the condition") {
  const MergedFinding made = shown(kernel("if (second < n) x = in[first] + in[second];"), 5, kNumbers);
  CHECK(made.where == SourcePlace{"k.cu", 4, 7});
  CHECK(made.help ==
        "this condition also decides about `in[first]`: where `second` is not below `n`, `first` may still be, and its "
        "element is left out; ask for each of them by itself, `first < n` for `in[first]`");
}

TEST_CASE("a launch that has a block for the rest is not told to round up") {
  const std::string plain = kernel("x = in[first];");
  CHECK_THAT(shown(plain, 5, kNumbers).help,
             contains_text("although the launch has a block for it, the last of 5: look at the condition"));
  CHECK(shown(plain, 5, kNumbers).where.line == 20);
  CHECK(shown(plain, 4, kNumbers).help == "round up");   // rounded down: 256 elements each
  CHECK(shown(plain, 2, kNumbers).help == "round up");   // nobody knows
  CHECK(shown(plain, 70, kNumbers).help == "round up");  // no such blocks
  CHECK(shown(plain, 5, {}).help == "round up");
  CHECK(shown(plain, 5, kNumbers, "sum_of_one_block").help == "round up");
}

TEST_CASE("a long text of conditions is read all the same") {
  std::string many = "__global__ void k(int n) {";
  for (int i = 0; i < 50'000; ++i) many += "if (a < n) x = in[b];";
  CHECK_FALSE(only_far_guard(many + "}"));
  std::string nested = "__global__ void k(int n) {";
  for (int i = 0; i < 100'000; ++i) nested += "x = a ? in[";
  CHECK_FALSE(only_far_guard(nested));
  CHECK_FALSE(only_far_guard("__global__ void k() {" + std::string(1 << 20, '?')));
}

}  // namespace cudalabs::test::of_dropped_rest
