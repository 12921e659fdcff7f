// What a change is called in the words of the source, and what it does to the first finding.
#include "explain/repairs/repair.h"

#include "catch.h"
#include "check/origin_place.h"
#include "explain/repairs/repair_words.h"
#include "explain/repairs/repaired_line.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

using vgpu::Mutant;
using vgpu::MutationKind;

const std::string kSource = R"(// a kernel
__global__ void scale(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row <= rows && column < columns) {  // <= is wrong
    int at = row * rows + column - 1;
    for (int k = 0; k <= 16; k += 2) out[at] = in[at] * 16;
  }
}
)";

Repair code(MutationKind kind, std::uint32_t line, std::uint32_t column, std::string original,
            std::string replacement) {
  Repair repair;
  repair.mutant.kind = kind;
  repair.mutant.kernel = "scale(const float*, float*, int, int)";
  repair.mutant.original = std::move(original);
  repair.mutant.replacement = std::move(replacement);
  repair.where = {"a.cu", line, column};
  return repair;
}

std::string words(const Repair& repair) {
  return words_of(repair, kSource);
}

}  // namespace

TEST_CASE("a comparison is told by the relation of the source") {
  CHECK(words(code(MutationKind::comparison, 5, 11, "le", "lt")) == "`<` in place of `<=`");
  // The compiler has turned it round.
  CHECK(words(code(MutationKind::comparison, 5, 11, "gt", "ge")) == "`<` in place of `<=`");
  CHECK(words(code(MutationKind::comparison, 5, 29, "ge", "lt")) == "`>=` in place of `<`");
  CHECK(words(code(MutationKind::comparison, 5, 29, "lt", "gt")) == "`>` in place of `<`");
  CHECK(words(code(MutationKind::comparison, 7, 0, "le", "lt")) == "`<` in place of `<=`");  // the only one there
  CHECK(words(code(MutationKind::comparison, 5, 0, "le", "lt")).empty());                    // one of two
  CHECK(words(code(MutationKind::comparison, 6, 0, "le", "lt")).empty());                    // none
}

TEST_CASE("a comparison that is to be left out is told where others stand beside it") {
  const auto left_out = [](const std::string& line, const std::string& outcome, const std::string& relation = "lt",
                           const std::string& compared = "j < p") {
    const auto column = static_cast<std::uint32_t>(line.find(compared) + compared.find('<') + 1);
    return words_of(code(MutationKind::outcome, 1, column, relation, outcome), line + "\n");
  };
  CHECK(left_out("  if (i < m && k < n && j < p) s[y][x] = a[i * n + k];", "true") == "without `j < p`");
  CHECK(left_out("  if (i < m && j < p && f(k)) s[y][x] = a[i * n + k];", "true") == "without `j < p`");
  CHECK(left_out("  const bool in = j < p && k < n;", "true") == "without `j < p`");
  CHECK(left_out("  s[y] = k < n && j < p ? a[k] : 0;", "true") == "without `j < p`");
  CHECK(left_out("  if (k < n &&", "true", "lt", "k < n") == "without `k < n`");
  CHECK(left_out("  if (k < n && j < p) c[k] = 0;", "false", "ge") == "without `j < p`");  // PTX asks for the opposite
  CHECK(left_out("  if (k >= n || j < p) return;", "false") == "without `j < p`");
  // Alone it would be no condition any more; and all are left out where one of `&&` is false.
  CHECK(left_out("  if (j < p) c[j] = 0;", "true").empty());
  CHECK(left_out("  if (k < n && j < p) c[k] = 0;", "false").empty());
  CHECK(left_out("  if (k >= n || j < p) return;", "true").empty());
  CHECK(left_out("  if (k < n || i < m && j < p || b) c[k] = 0;", "true").empty());
  CHECK(left_out("  return j < p && k < n;", "true").empty());
  CHECK(words_of(code(MutationKind::outcome, 1, 0, "lt", "true"), "if (i < m && j < p) {}\n").empty());
}

TEST_CASE("a condition that is left out is told where nothing else has words") {
  const Repair out = code(MutationKind::outcome, 5, 29, "lt", "true"),
               one = code(MutationKind::constant, 7, 0, "2", "1");
  CHECK(best_repair({{out, out, one}, 2}, kSource)->where.line == 7);
  CHECK(best_repair({{out, code(MutationKind::factor, 3, 26, "blockIdx.y", "gridDim.x")}, 2}, kSource)->where.line ==
        5);
}

TEST_CASE("a number is told where the line has it once") {
  CHECK(words(code(MutationKind::constant, 7, 0, "2", "1")) == "`1` in place of `2`");
  CHECK(words(code(MutationKind::constant, 7, 0, "16", "15")).empty());
  CHECK(words(code(MutationKind::constant, 7, 0, "5", "4")).empty());
  CHECK(words(code(MutationKind::constant, 6, 0, "-1", "0")) == "nothing in place of `- 1`");
  CHECK(words(code(MutationKind::constant, 6, 0, "-1", "-2")) == "`- 2` in place of `- 1`");
  CHECK(words(code(MutationKind::constant, 6, 0, "-1", "1")) == "`+ 1` in place of `- 1`");
}

TEST_CASE("lines of any length are no trouble") {
  const std::string name(1'000'000, 'x');
  const std::string source = "const " + name + "\nint i = " + name + " + 4; // \n#define FOUR 4\nint k = j * FOUR;\n";
  CHECK(words_of(code(MutationKind::constant, 1, 0, "4", "8"), source).empty());
  CHECK(words_of(code(MutationKind::constant, 2, 0, "4", "8"), source).empty());
  CHECK(words_of(code(MutationKind::accumulate, 2, 0, "", ""), source).empty());
  CHECK(words_of(code(MutationKind::constant, 4, 0, "4", "8"), source) == "`8` in place of `FOUR`");
}

TEST_CASE("a zero is told where the compiler points to it, for tests of truth have it, too") {
  const std::string source = "if (ready && t == 0) {\n";
  CHECK(words_of(code(MutationKind::constant, 1, 16, "0", "1"), source) == "`1` in place of `0`");
  CHECK(words_of(code(MutationKind::constant, 1, 5, "0", "1"), source).empty());
  CHECK(words_of(code(MutationKind::constant, 1, 0, "0", "1"), source).empty());
}

TEST_CASE("a number that has a name is told by it") {
  const std::string source =
      "constexpr int TILE = 16, ROWS = 8;\n#define STEP 4\nint f(int i) { return i * TILE + STEP; }\n";
  const auto named = [&](const std::string& original, const std::string& replacement) {
    return words_of(code(MutationKind::constant, 3, 0, original, replacement), source);
  };
  CHECK(named("16", "15") == "`15` in place of `TILE`");
  CHECK(named("4", "8") == "`8` in place of `STEP`");
  CHECK(named("8", "4").empty());  // that line has no ROWS
}

TEST_CASE("of several repairs one with words is shown, in the line that has most of them") {
  Repairs repairs;
  CHECK(best_repair(repairs, kSource) == nullptr);
  repairs.all = {code(MutationKind::constant, 6, 0, "77", "78"), code(MutationKind::constant, 7, 0, "2", "1"),
                 code(MutationKind::comparison, 5, 11, "le", "lt"), code(MutationKind::constant, 5, 0, "99", "98")};
  CHECK(best_repair(repairs, kSource)->where.line == 5);
  CHECK(best_repair(repairs, kSource)->mutant.replacement == "lt");
}

TEST_CASE("a name that the line has several times is told as one of them") {
  Repair repair = code(MutationKind::factor, 1, 1, "", "3");
  repair.mutant.original_parameter = 0;
  repair.mutant.kernel = "f";
  const std::string source = "__global__ void f(int n) { int i = n * n; }\n";
  CHECK(words_of(repair, source) == "`n * 3` in place of one of the `n`");
}

TEST_CASE("of several factors that help the one is told that the program has a name for") {
  const std::string kernel = "__global__ void k(int n) {\n  int i = blockIdx.x * blockDim.x;\n  at(i);\n}\n";
  const std::string named = kernel + "#define COARSE_FACTOR 4\n";
  const Repair three = code(MutationKind::factor, 2, 0, "blockIdx.x", "3"),
               four = code(MutationKind::factor, 2, 0, "blockIdx.x", "4");
  const Repairs both{{three, four}, 2};
  CHECK(best_repair(both, named)->mutant.replacement == "4");
  CHECK(words_of(four, named) == "`blockIdx.x` multiplied by `COARSE_FACTOR`");
  CHECK(has_words(both, named));
  // Which of them is meant is not known.
  CHECK_FALSE(has_words(both, kernel));
  CHECK(has_words({{three}, 2}, kernel));
  CHECK(words_of(three, named) == "`blockIdx.x * 3` in place of `blockIdx.x`");
}

TEST_CASE("a number by which a product is multiplied tells that its factor is wrong, and not what is meant") {
  const std::string source =
      "int i = threadIdx.y * blockDim.y + threadIdx.x;\nint j = (a + k) * (b);\n#define FOUR 4\nint h = FOUR * k;\n";
  const auto multiplied = [&](std::uint32_t line, const std::string& name, const std::string& factor) {
    return code(MutationKind::factor, line, 0, name, factor);
  };
  CHECK(words_of(multiplied(1, "threadIdx.y", "3"), source) == "`threadIdx.y * 3` in place of `threadIdx.y`");
  CHECK(multiplies_product(multiplied(1, "threadIdx.y", "3"), source));
  CHECK(multiplies_product(multiplied(1, "blockDim.y", "3"), source));
  CHECK_FALSE(multiplies_product(multiplied(1, "threadIdx.x", "3"), source));
  CHECK(words_of(multiplied(1, "threadIdx.x", "3"), source) == "`threadIdx.x` multiplied by `3`");
  CHECK_FALSE(multiplies_product(multiplied(2, "k", "3"), source));
  CHECK_FALSE(multiplies_product(multiplied(1, "threadIdx.y", "blockDim.x"), source));
  // The program has a name for it.
  CHECK_FALSE(multiplies_product(multiplied(4, "k", "4"), source));
  CHECK(multiplies_product(multiplied(4, "k", "3"), source));
  CHECK_FALSE(multiplies_product(code(MutationKind::constant, 1, 0, "threadIdx.y", "3"), source));
  CHECK_FALSE(multiplies_product(multiplied(1, "threadIdx.y", ""), source));
  std::vector<MergedFinding> findings(1);
  findings[0].id = finding_ids::kResultMismatch;
  SubmissionRun submission_run;
  submission_run.repairs = {{multiplied(1, "threadIdx.y", "3")}, 2};
  REQUIRE(show_repair(findings, source, "a.cu", submission_run, false));
  CHECK(findings[0].help ==
        "with `threadIdx.y * 3` in place of `threadIdx.y` in this line, all 2 wrong cases that were tried become "
        "right: look at what it is multiplied by there");
}

TEST_CASE("a repair that does the work several times over comes after others") {
  Repair heavy = code(MutationKind::comparison, 5, 11, "le", "lt"),
         light = code(MutationKind::constant, 7, 0, "2", "1");
  heavy.mutant.warp_instructions = 1300;
  light.mutant.warp_instructions = 1000;
  CHECK(best_repair({{heavy, heavy, light}, 2}, kSource)->where.line == 7);
  heavy.mutant.warp_instructions = 1100;
  CHECK(best_repair({{heavy, heavy, light}, 2}, kSource)->where.line == 5);
}

TEST_CASE("a factor that keeps other blocks from beginning is no repair where the step is to blame") {
  const Repair begins = code(MutationKind::factor, 3, 26, "blockIdx.y", "gridDim.x"),
               step = code(MutationKind::factor, 4, 30, "blockDim.x", "gridDim.x"),
               twice = code(MutationKind::factor, 4, 30, "blockDim.x", "2");
  CHECK(best_repair({{begins, step}, 2}, kSource)->where.line == 4);
  CHECK(best_repair({{begins, begins, step}, 2}, kSource)->mutant.original == "blockDim.x");
  CHECK(best_repair({{step, twice}, 2}, kSource)->mutant.replacement == "2");
}

TEST_CASE("the extent of an axis that the program does not use helps as a number") {
  const std::string source =
      "__global__ void k(float* c, int n) {\n  for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = 0;\n}\n";
  Repair repair = code(MutationKind::builtin, 2, 0, "blockDim.x", "blockDim.y");
  CHECK(words_of(repair, source) == "another number, such as 1, in place of `blockDim.x`");
  CHECK(words_of(repair, source + "int y = threadIdx.y;\n") == "`blockDim.y` in place of `blockDim.x`");
  CHECK(words_of(repair, source + "// threadIdx.y\n") == "another number, such as 1, in place of `blockDim.x`");
  repair.mutant.replacement = "gridDim.x";
  CHECK(words_of(repair, source) == "`gridDim.x` in place of `blockDim.x`");
}

TEST_CASE("an extent that is one number in all launches that were tried is told as that number") {
  const std::string source = "  int row = blockIdx.y * blockDim.y + threadIdx.y + threadIdx.x;\n";
  Repair repair = code(MutationKind::builtin, 1, 0, "blockDim.y", "blockDim.x");
  CHECK(words_of(repair, source) == "`blockDim.x` in place of `blockDim.y`");
  repair.replacement_value = 32;
  CHECK(words_of(repair, source) == "32 (here `blockDim.x`) in place of `blockDim.y`");
  repair.original_value = 8;
  CHECK(words_of(repair, source) == "32 (here `blockDim.x`) in place of `blockDim.y` (here 8)");
  repair.mutant.kind = MutationKind::factor;
  CHECK(words_of(repair, source) == "`blockDim.y` multiplied by 32 (here `blockDim.x`)");
}

TEST_CASE("the usual factor of a thread's or a block's number is told by its name, whatever it is here") {
  const auto told = [](const std::string& line, const std::string& original, const std::string& replacement) {
    Repair repair = code(MutationKind::builtin, 1, 0, original, replacement);
    repair.replacement_value = 32;
    return words_of(repair, line + " + threadIdx.x;\n");
  };
  CHECK(told("int t = threadIdx.y * blockDim.y", "blockDim.y", "blockDim.x") ==
        "`blockDim.x` in place of `blockDim.y`");
  CHECK(told("int b = gridDim.y * blockIdx.y", "gridDim.y", "gridDim.x") == "`gridDim.x` in place of `gridDim.y`");
  CHECK(told("int b = blockIdx.y * blockDim.x", "blockDim.x", "blockDim.y") == "`blockDim.y` in place of `blockDim.x`");
  CHECK(told("int b = threadIdx.y * blockDim.y", "blockDim.y", "gridDim.x") ==
        "32 (here `gridDim.x`) in place of `blockDim.y`");
  CHECK(told("int b = threadIdx.y + blockDim.y", "blockDim.y", "blockDim.x") ==
        "32 (here `blockDim.x`) in place of `blockDim.y`");
}

TEST_CASE("indices of the launch, operations, roundings, conditions") {
  CHECK(words(code(MutationKind::builtin, 3, 0, "threadIdx.y", "threadIdx.x")) ==
        "`threadIdx.x` in place of `threadIdx.y`");
  CHECK(words(code(MutationKind::builtin, 6, 0, "threadIdx.y", "threadIdx.x")).empty());
  CHECK(words(code(MutationKind::operation, 6, 18, "mul", "add")) == "`+` in place of `*`");
  CHECK(words(code(MutationKind::operation, 6, 1, "mul", "add")).empty());
  CHECK(words(code(MutationKind::operation, 6, 1, "sub", "sub")) == "the two sides of `-` exchanged");
  CHECK(words(code(MutationKind::operation, 6, 1, "rzi", "rni")) == "rounding to the nearest whole number");
  CHECK(words(code(MutationKind::condition, 5, 1, "", "")) == "the opposite condition");
}

TEST_CASE("values by the names that the source has for them") {
  Repair repair = code(MutationKind::value, 6, 20, "", "");
  repair.mutant.original_parameter = 2;
  repair.mutant.replacement_parameter = 3;
  CHECK(words(repair) == "`columns` in place of `rows`");
  repair.where.line = 7;  // has no `rows`
  CHECK(words(repair).empty());
  repair.where.line = 6;
  repair.mutant.replacement_parameter.reset();
  CHECK(words(repair).empty());
  repair.mutant.replacement_place = {"a.cu", 3, 36};
  CHECK(words(repair) == "`row` in place of `rows`");
  repair = code(MutationKind::factor, 6, 20, "", "2");
  repair.mutant.original_place = {"a.cu", 4, 39};
  CHECK(words(repair) == "`column` multiplied by `2`");
}

TEST_CASE("launches") {
  Repair repair = code(MutationKind::comparison, 9, 1, "3 x 1 x 1", "4 x 1 x 1");
  repair.mutant.change = Mutant::Change::grid;
  CHECK(words(repair) == "a grid of 4 x 1 x 1 blocks in place of 3 x 1 x 1");
  repair.mutant.change = Mutant::Change::argument;
  repair.mutant.original_parameter = 2;
  repair.mutant.replacement_parameter = 3;
  repair.mutant.replacement = "";
  CHECK(words(repair) == "the argument for `columns` also given for `rows`");
  repair.mutant.replacement = "exchanged";
  CHECK(words(repair) == "the arguments for `rows` and `columns` exchanged");
  const std::string source = "struct Extent { int rows, cols; };\n__global__ void k(float* c, const Extent e) {}\n";
  repair.mutant.kernel = "k";
  repair.mutant.original_parameter = repair.mutant.replacement_parameter = 1;
  repair.mutant.original = "0";
  repair.mutant.replacement = "1";
  CHECK(words_of(repair, source) == "`e.rows` and `e.cols` exchanged");
  repair.mutant.replacement = "2";
  CHECK(words_of(repair, source).empty());
}

TEST_CASE("results of a mutant are right when every output has come last with the right values") {
  datasets::Case test;
  test.expected = {expected_matrix(3, 5)};
  const std::vector<std::byte> good = float_matrix("c", 3, 5).data;
  const std::vector<std::byte> bad = float_matrix("c", 3, 5, [](auto, auto) { return 0.5; }).data;
  Mutant mutant;
  CHECK_FALSE(is_right(mutant, test));
  mutant.results = {bad, good};
  CHECK(is_right(mutant, test));
  mutant.results = {good, bad};
  CHECK_FALSE(is_right(mutant, test));
  mutant.results = {good, std::vector<std::byte>(4)};  // a copy of something else
  CHECK(is_right(mutant, test));
  mutant.results = {std::vector<std::byte>(good.size(), std::byte{0xFF})};  // NaN
  CHECK_FALSE(is_right(mutant, test));
  test.expected.push_back(expected_matrix(3, 5, [](auto, auto) { return 0.5; }));
  mutant.results = {bad, good};
  CHECK(is_right(mutant, test));
  mutant.results = {bad, good, good};
  CHECK_FALSE(is_right(mutant, test));
}

TEST_CASE("the line of the change is blamed, and the line that stores stands beside it") {
  SubmissionRun submission_run;
  submission_run.repairs = {{code(MutationKind::comparison, 5, 11, "le", "lt")}, 3};
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"a.cu", 7, 40};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_repair(findings, kSource, "a.cu", submission_run, false);
  CHECK(findings.front().where == SourcePlace{"a.cu", 5, 11});
  REQUIRE(findings.front().other);
  CHECK(findings.front().other->place.line == 7);
  CHECK(findings.front().help ==
        "with `<` in place of `<=` in this line, all 3 wrong cases that were tried become right");

  finding.proven = true;
  findings = {finding};
  CHECK_FALSE(show_repair(findings, kSource, "a.cu", submission_run, false));
  CHECK(findings.front().where.line == 7);
  finding.proven = false;

  finding.id = finding_ids::kSharedRace;
  findings = {finding};
  show_repair(findings, kSource, "a.cu", submission_run, false);
  CHECK(findings.front().where.line == 7);
  submission_run.repairs.all.clear();
  finding.id = finding_ids::kResultMismatch;
  findings = {finding};
  show_repair(findings, kSource, "a.cu", submission_run, false);
  CHECK(findings.front().help == "as before");
}

TEST_CASE("a repair without words is not shown where more is known, nor in a line that computes nothing") {
  const auto shown = [](std::string_view source, bool known) {
    SubmissionRun submission_run;
    submission_run.repairs = {{code(MutationKind::comparison, 2, 3, "le", "lt")}, 3};
    MergedFinding finding;
    finding.id = finding_ids::kResultMismatch;
    finding.where = {"a.cu", 3, 3};
    finding.known = known;
    std::vector<MergedFinding> findings{finding};
    return show_repair(findings, source, "a.cu", submission_run, false);
  };
  CHECK(shown("{\n  x = f(y);\n  c[i] = x;\n}\n", false));
  CHECK_FALSE(shown("{\n  x = f(y);\n  c[i] = x;\n}\n", true));
  CHECK_FALSE(shown("{\n  __syncthreads();\n  c[i] = x;\n}\n", false));
  CHECK_FALSE(shown("{\n  }\n  c[i] = x;\n}\n", false));
}

TEST_CASE("a repair is looked for where the first finding knows less than a repair would tell") {
  CHECK(effort_for_repair({}) == RepairEffort::none);
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  CHECK(effort_for_repair({finding}) == RepairEffort::all);
  finding.reach = Reach::several_each;
  CHECK(effort_for_repair({finding}) == RepairEffort::likely);
  finding.reach = Reach::unsaid;
  finding.known = true;
  CHECK(effort_for_repair({finding}) == RepairEffort::none);
  finding.known = false;
  finding.id = finding_ids::kSharedRace;
  CHECK(effort_for_repair({finding}) == RepairEffort::none);
}

}  // namespace cudalabs::test
