// Grids without blocks, for counts that were rounded down.
#include "explain/places/dropped_count.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_dropped_count {
namespace {

const std::string kBlocks = "int blocks_for(int n) { return (n + 255) / 256; }\n";

/// The statements begin in line 3, and the launch is the last of them.
MergedFinding shown(const std::string& statements, std::int64_t n = 1, const Help& help = Advice::check_grid_division,
                    const std::string& kernel = {}) {
  const std::string source = kBlocks + "void run(float* c, int n) {\n" + statements + "\n}\n" + kernel;
  CaseRun case_run = case_run_with("one", expected_matrix(1, 1), float_matrix("c", 1, 1));
  case_run.test.spec.parameters["n"] = n;
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(std::move(case_run));
  MergedFinding finding;
  finding.id = finding_ids::kInvalidLaunch;
  finding.where = {"k.cu", static_cast<std::uint32_t>(3 + std::ranges::count(statements, '\n')), 0};
  finding.kernel = "f";
  finding.launch.refused_grid = Index3{0, 1, 1};
  finding.help = help;
  finding.cases = {"one"};
  std::vector<MergedFinding> findings{finding};
  show_dropped_counts(findings, source, "k.cu", submission_run);
  return findings.front();
}

TEST_CASE("the division that gives an empty grid its count is shown, and proposed to be rounded up") {
  const MergedFinding made = shown("  const int pairs = n / 2;\n  fold<<<blocks_for(pairs), 256>>>(c, pairs, n);");
  CHECK(made.help ==
        "`pairs` is 0 here, as `n / 2` drops what is left over: round it up, `(n + 1) / 2`. At least 1 block alone "
        "would not do: of larger sizes, too, what is left over is lost");
  CHECK(made.proposed == ProposedChange{3, 21, "n / 2", "(n + 1) / 2"});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 3, 21});
}

TEST_CASE("the count is followed through variables, `dim3` and calls") {
  CHECK(shown("  int half = n / 2;\n  int blocks = (half + 31) / 32;\n  dim3 grid(blocks);\n  f<<<grid, 32>>>(c);")
            .proposed == ProposedChange{3, 14, "n / 2", "(n + 1) / 2"});
  CHECK(shown("  f<<<blocks_for(n / 4), 256>>>(c);").proposed == ProposedChange{3, 18, "n / 4", "(n + 3) / 4"});
  CHECK(shown("  f<<<blocks_for(n / EACH), 256>>>(c);").proposed == std::nullopt);  // what it is worth is not known
}

TEST_CASE("where what is left over is done elsewhere, the launch is to be left out") {
  const MergedFinding made = shown(
      "  const int quads = n / 4;\n  rest<<<1, 4>>>(c + quads * 4, n % 4);\n  f<<<blocks_for(quads), 256>>>(c, "
      "quads);");
  CHECK(made.help.ends_with("launch it only where `quads > 0`"));
  CHECK_FALSE(made.proposed);
  for (const std::string rest : {"n & 3", "n - n / 4 * 4", "n - 4 * (n / 4)"})
    CHECK_FALSE(shown("  rest<<<1, 4>>>(c, " + rest + ");\n  f<<<blocks_for(n / 4), 256>>>(c);").proposed);
}

TEST_CASE("a kernel that does what is left over itself is to have a block") {
  const std::string launch = "  const int quads = n / 4;\n  f<<<blocks_for(quads), 256>>>(c, n);";
  const auto help = [&](const std::string& statement) {
    return shown(launch, 1, Advice::check_grid_division, "__global__ void f(float* c, int n) { " + statement + " }\n")
        .help;
  };
  CHECK(
      help("const int rest = n % 4; c[rest] = 0;") ==
      "`quads` is 0 where there are few elements, and `f` does what is left over, too: launch at least 1 block of it");
  CHECK(help("int quads = n / 4; c[4 * quads] = 0;").ends_with("launch at least 1 block of it"));
  CHECK(help("c[n] = 0;").starts_with("`quads` is 0 here"));
}

TEST_CASE("counts that are not 0, or of no elements, and other advice stay") {
  const std::string pairs = "  const int pairs = n / 2;\n  fold<<<blocks_for(pairs), 256>>>(c, pairs, n);";
  CHECK_FALSE(shown(pairs, 0).proposed);
  CHECK_FALSE(shown(pairs, 2).proposed);
  CHECK_FALSE(shown(pairs, 1, "return before the launch").proposed);
  CHECK_FALSE(shown("  fold<<<blocks_for(n), 256>>>(c, n);").proposed);
}

}  // namespace
}  // namespace cudalabs::test::of_dropped_count
