// Lambdas of a source that have a name.
#include "source/lambda_text.h"

#include <string>

#include "catch.h"

using namespace cudalabs;

TEST_CASE("a lambda that a variable is set to is a function of that name") {
  const std::string code =
      "void f() {\n  const auto add = [&](auto x, const float* y) mutable -> bool {\n    g(x);\n  };\n}\n";
  const auto found = named_lambdas(code);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "add");
  CHECK(found[0].parameters == std::vector<std::string>{"auto x", "const float* y"});
  CHECK(code.substr(found[0].begin, found[0].end - found[0].begin) == "{\n    g(x);\n  }");
}

TEST_CASE("what is no lambda, or has no name or no parameters, is none of them") {
  for (const char* code : {"int a[5];\nb = a[2];\n", "run([](int i) { g(i); });\n", "auto f = [x] { g(x); };\n",
                           "auto f = [](int i);\n", "auto f = [](int i) {\n", "auto f = [", "a == [](int i) {}"}) {
    CAPTURE(code);
    CHECK(named_lambdas(code).empty());
  }
}
