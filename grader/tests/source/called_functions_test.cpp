// What a function reaches by the names in it.
#include "source/called_functions.h"

#include <algorithm>

#include "catch.h"

namespace cudalabs::test::of_called_functions {
namespace {

std::string reached(const std::string& code, std::string_view name) {
  std::string names;
  for (const FunctionBody& body : functions_reached_from(code, name)) names += body.name;
  return names;
}

TEST_CASE("functions are reached by way of others, and each of one name") {
  const std::string code =
      "int a(int x) { return x; }\nint a(float x) { return 1; }\nint b() { return a(1); }\nint c() { return 0; }\n"
      "template <class F> void d(F f) { f(c()); }\nvoid k() { d<F>([] { b(); }); k(); }\nvoid l() { k(); }\n";
  CHECK(reached(code, "k") == "aabcdk");
  CHECK(reached(code, "b") == "aab");
  CHECK(reached(code, "nothing").empty());
}

TEST_CASE("many functions that name each other are read once") {
  std::string code;
  for (int i = 0; i < 10'000; ++i) code += "int f() {\n  return f() + g() + f();\n}\nint g() { return f(); }\n";
  CHECK(functions_reached_from(code, "g").size() == 20'000);
}

}  // namespace
}  // namespace cudalabs::test::of_called_functions
