// Numbers of blocks that are rounded down before they are to be rounded up.
#include "explain/places/grid_division.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_grid_division {
namespace {

/// The statements begin in line 2, and the launch is in line 9.
std::string with(const std::string& statements, const std::string& configuration = "blocks, threads") {
  const auto lines = static_cast<std::size_t>(std::ranges::count(statements, '\n'));
  return "void f(int m, int p) {\n  " + statements + std::string(7 - lines, '\n') + "  k<<<" + configuration +
         ">>>(c, m, p);\n}\n";
}

std::string division_in(const std::string& statements, std::size_t axis = 0,
                        const std::string& configuration = "blocks, threads") {
  const auto found = rounded_down_grid(with(statements, configuration), 9, axis);
  return found ? found->text + " in " + std::to_string(found->where.line) : "";
}

const std::string kTwo = "int bx = (int)ceil(p / COLS);\n  int by = (int)ceil(m / ROWS);\n  dim3 blocks(bx, by);";

MergedFinding shown(const std::string& source, std::string_view id, const Help& help, std::optional<Index3> grid = {}) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"k.cu", 9, 0};
  finding.launch.refused_grid = grid;
  finding.help = help;
  finding.other = OtherPlace{"`blocks` is set here", {"k.cu", 4, 0}, {}, {}};
  std::vector<MergedFinding> findings{finding};
  show_grid_divisions(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("the division before `ceil` is found through the variables that hold it") {
  CHECK(division_in(kTwo) == "p / COLS in 2");
  CHECK(division_in(kTwo, 1) == "m / ROWS in 3");
  CHECK(division_in("int blocks = ceil(p / 256);") == "p / 256 in 2");
  CHECK(division_in("unsigned n = std::ceil((double)(p / 256));\n  const int blocks = static_cast<int>(n);") ==
        "p / 256 in 2");
  CHECK(division_in("dim3 blocks(ceilf(p / COLS), 1);") == "p / COLS in 2");
  CHECK(division_in("dim3 blocks = dim3(1, ceil(s.m / ROWS));", 1) == "s.m / ROWS in 2");
  CHECK(division_in("dim3 blocks;\n  blocks.x = ceil(p / COLS);\n  blocks.y = ceil(m / ROWS);", 1) == "m / ROWS in 4");
  CHECK(division_in("", 0, "ceil(p / 256), 256") == "p / 256 in 9");
  CHECK(division_in("", 1, "dim3(3, ceil(m / 8)), 256") == "m / 8 in 9");
}

TEST_CASE("a helper function's division is followed, too") {
  const std::string helper = "int parts(int size) { return ceil(size / SIDE); }\n";
  const auto found = rounded_down_grid(helper + with("dim3 blocks(parts(p), parts(m));"), 10, 1);
  REQUIRE(found);
  CHECK(found->text == "size / SIDE");
  CHECK(found->where.line == 1);
}

TEST_CASE("a division that rounds up, or has a fraction, is none") {
  CHECK(division_in("int blocks = (p + 255) / 256;").empty());
  CHECK(division_in("int blocks = p / 256;").empty());
  CHECK(division_in("int blocks = ceil(p / 256.0);").empty());
  CHECK(division_in("int blocks = ceil(p / 256.f);").empty());
  CHECK(division_in("int blocks = ceil((float)p / 256);").empty());
  CHECK(division_in("int blocks = ceil(p * 1.0 / 256);").empty());
  CHECK(division_in("double side = 256;\n  int blocks = ceil(p / side);").empty());
  CHECK(division_in("float q = p;\n  int blocks = ceil(q / 256);").empty());
  CHECK(division_in("const auto side = 256.0;\n  int blocks = ceil(p / side);").empty());
  CHECK(division_in("int other = ceil(p / 256);\n  int blocks = 3;").empty());
  CHECK(division_in(kTwo, 2).empty());
}

TEST_CASE("a grid without blocks leads to the division") {
  const Help help = Advice::check_grid_division;
  const MergedFinding made = shown(with(kTwo), finding_ids::kInvalidLaunch, help, Index3{0, 2, 1});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 2, 7});
  CHECK(made.other->label == "`p / COLS` is rounded down here");
  CHECK(made.help ==
        "write `(p + COLS - 1) / COLS`: `p / COLS` divides whole numbers and drops what is left over before `ceil` "
        "can round it up");
  CHECK(made.proposed == ProposedChange{2, 22, "p / COLS", "(p + COLS - 1) / COLS"});
  CHECK(shown(with(kTwo), finding_ids::kInvalidLaunch, help, Index3{2, 0, 1}).other->place.line == 3);
  // Which of the two is the grid's is not known.
  const std::string twice = "const int bx = (int)ceil(p / COLS), by = (int)ceil(p / COLS);\n  dim3 blocks(bx, by);";
  CHECK_FALSE(shown(with(twice), finding_ids::kInvalidLaunch, help, Index3{0, 0, 1}).proposed);
  for (const Advice few : {Advice::more_blocks, Advice::more_blocks_x, Advice::more_blocks_y, Advice::round_up_blocks})
    CHECK(shown(with(kTwo), finding_ids::kUnwrittenOutput, {few, "more"}).other->place.line == 2);
  // Another reason is known, or another grid was refused.
  CHECK(shown(with(kTwo), finding_ids::kInvalidLaunch, "as before", Index3{0, 2, 1}).help == "as before");
  CHECK(shown(with(kTwo), finding_ids::kInvalidLaunch, help, Index3{70000, 2, 1}).help == help);
  CHECK(shown(with(kTwo), finding_ids::kUnwrittenOutput, "as before").help == "as before");
}

TEST_CASE("a division that comes before one that rounds up is found") {
  const std::string up = "int up(int size, int part) { return (size + part - 1) / part; }\n";
  const auto in = [&](const std::string& extent, const std::string& function) {
    const std::string code = function + "int blocks = " + extent + ";\n";
    const auto found = division_rounded_twice(code, std::string_view(code).substr(function.size() + 13, extent.size()));
    return found ? found->text + ": " + found->after : "";
  };
  CHECK(in("up(h / ROWS, SIDE)", up) == "h / ROWS: up(h, ROWS * SIDE)");
  CHECK(in("up((h / 2), 16)", up) == "h / 2: up(h, 2 * 16)");
  CHECK(in("(h / ROWS + SIDE - 1) / SIDE", "") == "h / ROWS: (h + ROWS * SIDE - 1) / (ROWS * SIDE)");
  CHECK(in("((h / ROWS) + SIDE - 1) / SIDE", "") == "h / ROWS: (h + ROWS * SIDE - 1) / (ROWS * SIDE)");
  CHECK(in("up(h / ROWS, SIDE)", "int up(int n, int k) { return (n - 1) / k + 1; }\n") ==
        "h / ROWS: up(h, ROWS * SIDE)");
  // Another function, and divisions that are right, or of something else.
  CHECK(in("up(h / ROWS, SIDE)", "int up(int n, int k) { return n / k; }\n").empty());
  CHECK(in("up(h / ROWS, SIDE)", "int up(int k, int n) { return (n + k - 1) / k; }\n").empty());
  CHECK(in("up(h, SIDE)", up).empty());
  CHECK(in("up(h / 2.0, SIDE)", up).empty());
  CHECK(in("up(h / ROWS + 1, SIDE)", up).empty());
  CHECK(in("up((h + 1) / ROWS, SIDE)", up).empty());
  CHECK(in("up(h / ROWS, SIDE) + 1", up).empty());
  CHECK(in("(h / ROWS + SIDE) / SIDE", "").empty());
  CHECK(in("(h / ROWS + SIDE - 1) / BLOCK", "").empty());
}

TEST_CASE("a function that returns the grid is followed to the division") {
  const std::string up =
      "int up(int size, int part) { return (size + part - 1) / part; }\n"
      "dim3 grid_for(int w, int h) { return dim3(up(w, 16), up(h / ROWS, 16)); }\n";
  const std::string source = up + with("", "grid_for(m, p), 256");
  const auto found = rounded_down_grid(source, 11, 1);
  REQUIRE(found);
  CHECK(found->text == "h / ROWS");
  CHECK(found->where.line == 2);
  CHECK_FALSE(rounded_down_grid(source, 11, 0));
  MergedFinding finding;
  finding.id = finding_ids::kInvalidLaunch;
  finding.where = {"k.cu", 11, 0};
  finding.launch.refused_grid = Index3{1, 0, 1};
  finding.help = Advice::check_grid_division;
  std::vector<MergedFinding> findings{finding};
  show_grid_divisions(findings, source, "k.cu");
  CHECK(findings.front().help ==
        "write `up(h, ROWS * 16)`: `h / ROWS` divides whole numbers and drops what is left over before `up` can round "
        "it up");
  REQUIRE(findings.front().other);
  CHECK(findings.front().other->place.line == 2);
  REQUIRE(findings.front().proposed);
  CHECK(findings.front().proposed->after == "up(h, ROWS * 16)");
}

TEST_CASE("variables of a function that returns the grid are followed") {
  const std::string grid =
      "dim3 grid_for(int w, int h) {\n"
      "  const int bx = (w / EACH + SIDE - 1) / SIDE;\n"
      "  const int by = (h + SIDE - 1) / SIDE;\n"
      "  return dim3(bx, by);\n"
      "}\n";
  const std::string source = grid + with("const int bx = 3;", "grid_for(m, p), 256");
  const auto found = rounded_down_grid(source, 14, 0);
  REQUIRE(found);
  CHECK(found->text == "w / EACH");
  CHECK(found->where.line == 2);
  CHECK(found->after == "(w + EACH * SIDE - 1) / (EACH * SIDE)");
  CHECK_FALSE(rounded_down_grid(source, 14, 1));
}

TEST_CASE("a long text before a launch is read all the same") {
  std::string many = "void f(int p) {\n";
  for (int i = 0; i < 40'000; ++i) many += "  int blocks = blocks;\n";
  CHECK_FALSE(rounded_down_grid(many + "k<<<blocks, 1>>>(p);\n}\n", 40'002, 0));
  const std::string brackets =
      "void f(int p) {\n  dim3 blocks(" + std::string(1 << 20, '(') + ";\nk<<<blocks, 1>>>(p);\n}\n";
  CHECK_FALSE(rounded_down_grid(brackets, 3, 0));
}

}  // namespace cudalabs::test::of_grid_division
