#include "patch/declarations.h"

#include <catch2/catch.hpp>

#include <string>

namespace cudalabs::patch::test::of_declarations {
namespace {

using Names = std::vector<std::string>;

Names names_in(std::string_view code) {
  const std::vector<Token> tokens = tokens_of(code);
  Names names;
  for (const Variable& variable : variables_of_declaration(tokens, 0, tokens.size())) {
    names.emplace_back(tokens[variable.name].text);
  }
  return names;
}

TEST_CASE("a declaration gives its names") {
  CHECK(names_in("int a;") == Names{"a"});
  CHECK(names_in("const unsigned long long n = f(1, 2), m = 3;") == Names{"n", "m"});
  CHECK(names_in("float *p = nullptr, *q[2] = {p, p};") == Names{"p", "q"});
  CHECK(names_in("std::vector<std::pair<int, float>> v(3);") == Names{"v"});
  CHECK(names_in("__shared__ T tile[16][16];") == Names{"tile"});
  CHECK(names_in("const T& x = y;") == Names{"x"});
  CHECK(names_in("static const auto blocks = n / 2;") == Names{"blocks"});
  CHECK(names_in("auto [a, b] = f();") == Names{"a", "b"});
  CHECK(names_in("Timer timer(elapsed);") == Names{"timer"});
  CHECK(names_in("cudaEvent_t m : marks") == Names{"m"});
}

TEST_CASE("where the type of a declaration ends") {
  const std::vector<Token> tokens = tokens_of("const float* p = q;");
  const std::vector<Variable> variables = variables_of_declaration(tokens, 0, tokens.size());
  REQUIRE(variables.size() == 1);
  CHECK(variables[0].type == 0);
  CHECK(tokens[variables[0].type_end].text == "*");
}

TEST_CASE("other statements declare nothing") {
  CHECK(names_in("a = b;").empty());
  CHECK(names_in("f(a);").empty());
  CHECK(names_in("sum<T><<<1, 2>>>(a);").empty());
  CHECK(names_in("std::printf(x);").empty());
  CHECK(names_in("delete p;").empty());
  CHECK(names_in("return x;").empty());
  CHECK(names_in("a.b = 3;").empty());
  CHECK(names_in("a[i] = 3;").empty());
  CHECK(names_in("++i;").empty());
  CHECK(names_in("a < b;").empty());
  CHECK(names_in("").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_declarations
