// Macros without parentheses: uses that take their values apart, and uses that do not.
#include "explain/macros/macro_expansion.h"

#include "catch.h"
#include "tests/check/make.h"

namespace cudalabs::test {
namespace {

std::string read_as(const std::string& value, const std::string& use) {
  const auto found = misread_macro("#define TILE " + value + "\nint x = " + use + ";\n", 2);
  return found ? found->read_as : "";
}

}  // namespace

TEST_CASE("a value without parentheses is taken apart by the operator beside its name") {
  const auto found =
      misread_macro("#define WARP 32\n  # define TILE WARP / 2  // half\ndim3 g((p + TILE - 1) / TILE);\n", 3);
  REQUIRE(found);
  CHECK(*found == MisreadMacro{"WARP / 2", "/ TILE", "/ WARP / 2", {{"TILE"}, 2, 12}, 3});
  CHECK_THAT(help_with(*found), contains_text("reads `/ WARP / 2` where line 3 has `/ TILE`"));
  CHECK_THAT(help_with(*found), contains_text("`#define TILE (WARP / 2)`"));
  CHECK(read_as("16 + 1", "2 * TILE") == "* 16 + 1");
  CHECK(read_as("16 + 1", "TILE * 4") == "16 + 1 * 4");
  CHECK(read_as("16 - 1", "n - TILE") == "- 16 - 1");
  CHECK(read_as("4 * 4", "i % TILE") == "% 4 * 4");
}

TEST_CASE("nothing is said of a macro whose value stays whole") {
  for (const std::string value :
       {"(WARP / 2)", "16", "-1", "f(1 + 2)", "(1) ", "a, b", "x[1 + 2]", "\"a + b\"", "1 << 4"})
    CHECK(read_as(value, "n / TILE * 3").empty());
  CHECK(read_as("WARP / 2", "n + TILE - 1").empty());
  CHECK(read_as("WARP / 2", "TILE * 2").empty());
  CHECK(read_as("4 * 4", "2 * TILE * 2").empty());
  CHECK(read_as("16 + 1", "n + TILE").empty());
  CHECK(read_as("16 + 1", "-TILE").empty());
  CHECK(read_as("16 + 1", "f(TILE)").empty());
  CHECK(read_as("16 + 1", "p.n / 2").empty());
  CHECK(read_as("16 + 1", "(n / (TILE))").empty());
  // Which of two holds is not known, and what is no macro is none.
  CHECK_FALSE(misread_macro("#define T 1 + 2\n#undef T\n#define T 3\nint x = 2 * T;\n", 4));
  CHECK_FALSE(misread_macro("#define T(x) x + 2\nint x = 2 * T(3);\n", 2));
  CHECK_FALSE(misread_macro("#define T 1 + 2\nint y = 2 * t;\nint x = 2 * T;\n", 2));
  CHECK(misread_macro("#define T 1 + 2\n#define U 2 * T\nint x = 2 * T;\n", 0)->line == 3);
}

TEST_CASE("the macro is shown beside a finding whose lines use it") {
  const std::string source = "#define TILE 32 / 2\nvoid f() {\n  dim3 grid(n / TILE);\n  k<<<grid, 1>>>();\n}\n";
  const auto shown = [&](std::uint32_t other) {
    std::vector<MergedFinding> findings(1);
    findings[0].where = {"folder/k.cu", 4, 3};
    findings[0].other = OtherPlace{"`grid` is set here", {"folder/k.cu", other, 8}, {}, {}};
    show_misread_macros(findings, source, "k.cu");
    return findings[0];
  };
  CHECK(shown(3).other->place.line == 1);
  CHECK(shown(3).other->label == "the value of `TILE` has no parentheses around it");
  CHECK_THAT(shown(3).help, contains_text("where line 3 has `/ TILE`"));
  CHECK(shown(2).other->place.line == 2);
}

TEST_CASE("of several lines that store to an output, one with a misread macro is shown") {
  const std::string source = "#define AT(r) r * n\nvoid f() {\n  c[AT(k)] = 1;\n  c[AT(k + 1)] = 1;\n}\n";
  MergedFinding made;
  made.stores = {{"c", "f", {"k.cu", 3, 3}}, {"c", "f", {"k.cu", 4, 3}}};
  std::vector<MergedFinding> findings{made};
  show_misread_macros(findings, source, "k.cu");
  CHECK(findings[0].where == SourcePlace{"k.cu", 4, 3});
  CHECK(findings[0].kernel == "f");
  CHECK_THAT(findings[0].help, contains_text("the compiler reads `k + 1 * n` where line 4 has `AT(k + 1)`"));
  SECTION("not in another file") {
    findings[0] = made;
    show_misread_macros(findings, source, "other.cu");
    CHECK_FALSE(findings[0].where.known());
    CHECK(findings[0].help.empty());
  }
  SECTION("not where none is misread") {
    made.stores.pop_back();
    findings[0] = made;
    show_misread_macros(findings, source, "k.cu");
    CHECK_FALSE(findings[0].where.known());
  }
}

}  // namespace cudalabs::test
