#include "patch/operators/macro_patches.h"
#include "patch/patched_source.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>

#include "applied_texts.h"
#include "patch/candidates.h"
#include "patch/macro_definitions.h"

namespace cudalabs::patch::test::of_macros {
namespace {

constexpr const char* kUse = "void f(int k) { g(M(k) / 2); }\n";

/// The definition that is changed; empty: none is.
std::string changed_definition(const std::string& definition, const std::string& use = kUse) {
  const Texts texts = applied_to(add_macros, "#define " + definition + "\n" + use);
  if (texts.size() != 1) return texts.empty() ? "" : "several";
  return texts.front().substr(8, texts.front().find('\n') - 8);
}

TEST_CASE("parentheses are put around the value of a macro and around its parameters") {
  CHECK(changed_definition("M(r) 77 * (r) + 128") == "M(r) (77 * (r) + 128)");
  CHECK(changed_definition("M(r) r + n[r]") == "M(r) ((r) + n[r])");
  CHECK(changed_definition("M(r) (r * 2)") == "M(r) ((r) * 2)");
  CHECK(changed_definition("M(r, c) f(r, c) + a.r(r)", "void f() { M(1, 2); }") == "M(r, c) (f(r, c) + a.r(r))");
  CHECK(changed_definition("M WIDTH * 3 + 1", "int a = n / M;") == "M (WIDTH * 3 + 1)");
  // Other macros may use it.
  CHECK(changed_definition("M  8 + 8", "#define PART(n) ((n) / M)\n") == "M  (8 + 8)");
}

TEST_CASE("what is whole, no expression, or not used stays") {
  CHECK(changed_definition("M(r) (77 * (r) + 128)").empty());
  CHECK(changed_definition("M(r) ((r) + 1)").empty());
  CHECK(changed_definition("M(r) f(r)").empty());
  CHECK(changed_definition("M 16").empty());
  CHECK(changed_definition("M(r) do { g(r + 1); } while (0)").empty());
  CHECK(changed_definition("M(r) if (r > 1) return r - 1").empty());
  CHECK(changed_definition("M(r) \"a\" r").empty());
  CHECK(changed_definition("M(r)").empty());
  CHECK(changed_definition("M(r").empty());
  CHECK(changed_definition("M(r) r + \\\n  1").empty());
  CHECK(changed_definition("UNUSED(r) r + 1").empty());
  CHECK(changed_definition("M(r) r + 1\n#undef M\n#define M(r) (r)").empty());
  CHECK(changed_definition("").empty());
}

TEST_CASE("the words tell what is put in parentheses") {
  const auto words = [](const std::string& definition) {
    std::vector<Patch> patches;
    const std::string code = "#define " + definition + "\n" + kUse;
    add_macros(PatchedSource(code), patches);
    return patches.size() == 1 ? patches.front().words : "";
  };
  CHECK(words("M(r) (r) + 1") == "parentheses around the value of `M`, which is put in as text,");
  CHECK(words("M(r) r + 1") ==
        "parentheses around the parameters of `M` and its whole value, which is put in as text,");
  CHECK(words("M(r) (r + 1)") == "parentheses around the parameters of `M`, which is put in as text,");
}

TEST_CASE("the macro that a line uses is near to it") {
  const std::string code =
      "#define M(r) (r) + 1\nint far(int a, int b) { return a < b; }\nint f(int a) {\n  return M(a) / 2;\n}\n";
  const std::vector<Patch> all = candidates(code, {.lines = {4}}, 100);
  const auto place_of = [&](const char* text) {
    return std::ranges::find(all, code.find(text), &Patch::begin) - all.begin();
  };
  REQUIRE(place_of("(r) + 1") < static_cast<std::ptrdiff_t>(all.size()));
  CHECK(place_of("(r) + 1") < place_of("< b"));
}

TEST_CASE("the names of parameters are read as they stand") {
  const auto macros = macro_definitions("  # define AT( r,c ) r * n + c\n#define E\n#define F(a b\n");
  REQUIRE(macros.size() == 1);
  CHECK(macros[0].parameters == std::vector<std::string_view>{"r", "c"});
  CHECK(macros[0].value == "r * n + c");
  CHECK(macros[0].line == 1);
}

}  // namespace
}  // namespace cudalabs::patch::test::of_macros
