#include "patch/declared_variables.h"

#include <catch2/catch.hpp>

#include <string>

namespace cudalabs::patch::test::of_variables {
namespace {

/// "n int; p const float*": all that the code declares.
std::string declared(std::string_view code) {
  const std::vector<Token> tokens = tokens_of(code);
  const TokenRoles roles(tokens);
  const DeclaredVariables variables(roles, tokens);
  std::string text;
  for (const DeclaredVariable& variable : variables.all()) {
    if (!text.empty()) text += "; ";
    text += std::string(variable.name) + ' ' + variable.type;
  }
  return text;
}

TEST_CASE("parameters and locals are known with their types") {
  CHECK(declared("void f(const float* __restrict__ a, float *b, const int n, S& s) { }") ==
        "a const float*; b float*; n int; s S");
  CHECK(declared("void f() { const int a = g(1, 2), b(3); unsigned long c; __shared__ float d[4][4]; }") ==
        "a int; b int; c unsigned long; d float[][]");
  CHECK(declared("void f() { float *a = nullptr, *b; for (int i = 0; i < 2; ++i) { std::size_t k{1}; } }") ==
        "a float*; b float*; i int; k std::size_t");
}

TEST_CASE("constants and members are known; functions and uses are not") {
  CHECK(declared("constexpr int T = 4; class S { private: float* x_ = nullptr; int n; }; void f(int); int g();") ==
        "T int; x_ float*; n int");
  CHECK(declared("void f() { return a; delete b; a * b; c = d; g(e); }") == "");
}

TEST_CASE("a name means the innermost variable that is declared before it") {
  const std::vector<Token> tokens = tokens_of("void f(int a) { { float a; g(a); } h(a); }");
  const TokenRoles roles(tokens);
  const DeclaredVariables variables(roles, tokens);
  REQUIRE(variables.meant_at(13) != nullptr);
  CHECK(variables.meant_at(13)->type == "float");
  REQUIRE(variables.meant_at(19) != nullptr);
  CHECK(variables.meant_at(19)->type == "int");
  CHECK(variables.meant_at(19)->place == VariablePlace::parameter);
}

TEST_CASE("long texts are read in a time that grows with their length") {
  std::string code = "void f(int a) { ";
  for (int i = 0; i < 100'000; ++i) code += "if (a<b) {a{";
  for (int i = 0; i < 100'000; ++i) code += "};}";
  code += "}";
  CHECK(declared(code) == "a int");
}

}  // namespace
}  // namespace cudalabs::patch::test::of_variables
