// Macros with parameters without parentheses: uses that take them apart, and uses that do not.
#include "explain/macros/macro_call.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

std::string read_as(const std::string& macro, const std::string& use) {
  const auto found = misread_call("#define " + macro + "\nint x = " + use + ";\n", 2);
  return found ? found->read_as : "";
}

}  // namespace

TEST_CASE("an argument is taken apart by the operator beside its parameter") {
  const auto found = misread_call("#define N 4\n#define AT(r, c) r * N + c\nx = a[AT(i + 1, j)];\n", 3);
  REQUIRE(found);
  CHECK(*found ==
        MisreadCall{"AT(i + 1, j)", "i + 1 * N + j", "r", "#define AT(r, c) ((r) * N + (c))", {{"AT"}, 2, 9}, 3});
  CHECK(read_as("THIRD(n) n / 3", "THIRD(a - b)") == "a - b / 3");
  CHECK(read_as("REST(a, b) a % b", "REST(n, 2 * 4)") == "n % 2 * 4");
  CHECK(read_as("BACK(a, b) (a - b)", "BACK(n, 1 + 2)") == "(n - 1 + 2)");
}

TEST_CASE("a value without parentheses is taken apart by the operator beside its use") {
  CHECK(read_as("NEXT(i) i + 1", "2 * NEXT(k)") == "* k + 1");
  CHECK(read_as("CEIL(a, b) (a + b - 1) / b", "n % CEIL(n, 4)") == "% (n + 4 - 1) / 4");
  CHECK(read_as("NEXT(i) (i) + 1", "NEXT(k) * 4") == "(k) + 1 * 4");
}

TEST_CASE("calls and elements are parts of a value, whatever stands in their brackets") {
  CHECK(read_as("NEXT(i) i + 1", "NEXT(a[k - 1]) / 2") == "a[k - 1] + 1 / 2");
  CHECK(read_as("NEXT(i) (i) + 1", "NEXT(f(a, b < c)) * g(2)") == "(f(a, b < c)) + 1 *");
  CHECK(read_as("NEXT(i) i->n + std::min(1, m)", "NEXT(p) / 4.0f") == "p->n + std::min(1, m) / 4.0f");
  CHECK(read_as("NEXT(i) i->n", "NEXT(p) / 2").empty());
  CHECK(read_as("NEXT(i) (i + 1)[a]", "NEXT(p) / 2").empty());
  CHECK(read_as("NEXT(i) i < 1 + 2", "NEXT(p) / 2").empty());
  CHECK(read_as("NEXT(i) a[i + 1", "NEXT(p) / 2").empty());
  CHECK(read_as("NEXT(i) \"a\" + i", "NEXT(p) / 2").empty());
}

TEST_CASE("of a long sum only what is divided is told, and what has parentheses gets no others") {
  const auto found = misread_call(
      "#define LUMA(r, g, b) 77 * (r) + 150 * (g) + 29 * (b) + 128\nx = LUMA(in[0], in[1], in[2]) / 256;\n", 2);
  REQUIRE(found);
  CHECK(found->read_as == "... + 128 / 256");
  CHECK(found->right == "#define LUMA(r, g, b) (77 * (r) + 150 * (g) + 29 * (b) + 128)");
  CHECK(read_as("LUMA(r, g) 77 * (r) + weight - weight_of((g))", "LUMA(in[0], in[1] + 3) % n") ==
        "... - weight_of((in[1] + 3)) % n");
}

TEST_CASE("nothing is said of a macro that stays whole") {
  CHECK(read_as("AT(r, c) ((r) * n + (c))", "2 * AT(i + 1, j)").empty());
  CHECK(read_as("AT(r, c) r * n + c", "AT(i, j + 1)").empty());
  CHECK(read_as("AT(r, c) r * n + c", "AT((i + 1), j)").empty());
  CHECK(read_as("AT(r, c) r * n + c", "1 + AT(i, j)").empty());
  CHECK(read_as("AT(r, c) f(r, c)", "AT(i + 1, j)").empty());
  CHECK(read_as("SQUARE(x) x * x", "SQUARE(2 * k)").empty());
  CHECK(read_as("AT(r, c) r * n + c", "AT(i + 1)").empty());
  CHECK(read_as("AT(r) r * n", "BT(i + 1)").empty());
  CHECK(read_as("AT (r) r * n", "AT(i + 1)").empty());
  CHECK(read_as("S(r) #r \" * \"", "S(i + 1)").empty());
  // Defined twice, or in several lines.
  CHECK_FALSE(misread_call("#define A(i) i * 2\n#undef A\n#define A(i) (i) * 2\nx = A(k + 1);\n", 4));
  CHECK_FALSE(misread_call("#define A(i) i * \\\n  2\nx = A(k + 1);\n", 3));
  CHECK_FALSE(misread_call("#define A(i) i * 2\n#define B A(k + 1)\n", 2));
}

TEST_CASE("the macro is shown beside a finding whose lines use it so") {
  const std::string source = "#define AT(r) r * n\nvoid f() {\n  i = AT(k + 1);\n  c[i] = 1;\n}\n";
  MergedFinding made;
  made.where = {"k.cu", 4, 3};
  made.other = OtherPlace{"`i` is set here", {"k.cu", 3, 3}, {}, {}};
  CHECK(show_misread_call(made, source));
  CHECK(made.other->place == SourcePlace{"k.cu", 1, 9});
  CHECK(made.other->label == "`r` has no parentheses in the value of `AT`");
  CHECK(made.help ==
        "a macro is text: the compiler reads `k + 1 * n` where line 3 has `AT(k + 1)`; put each parameter and the "
        "whole value in parentheses, `#define AT(r) ((r) * n)`");
  MergedFinding other;
  other.where = {"k.cu", 4, 3};
  CHECK_FALSE(show_misread_call(other, source));
}

TEST_CASE("a wrong output whose second line uses it so is placed at the macro") {
  const std::string source = "#define L(r) r + 8\nvoid f() {\n  int l = L(k) / 16;\n  c[i] = l;\n}\n";
  MergedFinding made;
  made.id = finding_ids::kResultMismatch;
  made.where = {"k.cu", 4, 8};
  made.other = OtherPlace{"`l` is set here", {"k.cu", 3, 7}, {}, {}};
  CHECK(show_misread_call(made, source));
  CHECK(made.where == SourcePlace{"k.cu", 1, 9});
  CHECK(made.other->label == "`L(k) / 16` is `k + 8 / 16` here");
  CHECK(made.other->place.line == 3);
}

TEST_CASE("a wrong output is placed at a macro that another line of its kernel uses so") {
  const std::string source =
      "#define AT(i, j, n) (i * n + j)\n"
      "__global__ void sums(const float* a, float* c, int n) {\n"
      "  float sum = a[AT(1 + n, 2, n)];\n"
      "  c[AT(n, n, n)] = sum;\n"
      "}\n"
      "__global__ void other(float* c, int n) {\n"
      "  c[AT(n, n, n)] = 0;\n"
      "}\n";
  MergedFinding wrong;
  wrong.id = finding_ids::kResultMismatch;
  wrong.where = {"k.cu", 4, 3};
  MergedFinding found = wrong;
  CHECK(show_misread_call(found, source));
  CHECK(found.where == SourcePlace{"k.cu", 1, 9});
  REQUIRE(found.other);
  CHECK(found.other->place.line == 3);
  CHECK(found.other->label == "`AT(1 + n, 2, n)` is `(1 + n * n + 2)` here");
  CHECK(found.help ==
        "a macro is text: the compiler reads `(1 + n * n + 2)` where line 3 has `AT(1 + n, 2, n)`; put each parameter "
        "and the whole value in parentheses, `#define AT(i, j, n) ((i) * (n) + (j))`");
  found = wrong;
  found.id = finding_ids::kGlobalOutOfBounds;
  CHECK(show_misread_call(found, source));
  CHECK(found.note == "the access is in line 4\n");
  // Another kernel, another kind, and what is known to come from elsewhere.
  found = wrong;
  found.where.line = 7;
  CHECK_FALSE(show_misread_call(found, source));
  found = wrong;
  found.id = finding_ids::kSharedRace;
  CHECK_FALSE(show_misread_call(found, source));
  found = wrong;
  found.proven = true;
  CHECK_FALSE(show_misread_call(found, source));
  found = wrong;
  found.right_at_first = true;
  CHECK_FALSE(show_misread_call(found, source));
}

}  // namespace cudalabs::test
