#include "source/limit_text.h"

#include "catch.h"

namespace cudalabs::test::of_limits {
namespace {

using Sides = std::vector<std::string>;

/// "left|right" of each.
Sides limits(const std::string& body) {
  const std::string code = "void f(int a, int b) {\n" + body + "\n}\n";
  Sides found;
  for (const LimitText& limit : host_limits(code))
    found.push_back(std::string(limit.left) + "|" + std::string(limit.right));
  return found;
}

TEST_CASE("the smaller of two values is taken in several ways") {
  CHECK(limits("x = min(a + 1, b);") == Sides{"a + 1|b"});
  CHECK(limits("dim3 g(std::min<unsigned>(f(a, b), 4), min(a, 7));") == Sides{"f(a, b)|4", "a|7"});
  CHECK(limits("x = a < b ? a : b;") == Sides{"a|b"});
  CHECK(limits("x = (a >= 4) ? 4 : a;") == Sides{"a|4"});
  CHECK(limits("return 4 < a ? 4 : a;") == Sides{"4|a"});
  CHECK(limits("g(1, a <= b ? a : b);") == Sides{"a|b"});
  CHECK(limits("if (a > b) a = b;") == Sides{"a|b"});
  CHECK(limits("if (4 < a)\n  {\n a = 4;\n }") == Sides{"a|4"});
}

TEST_CASE("the larger one, and what only looks alike, is none") {
  CHECK(limits("x = max(a, b); x = a > b ? a : b; x = a < b ? b : a;").empty());
  CHECK(limits("if (a < b) a = b;").empty());
  CHECK(limits("if (a > b) a = 4;").empty());
  CHECK(limits("if (a > b) c = b;").empty());
  CHECK(limits("if (a > b) a = b; else c = 1;").empty());
  CHECK(limits("if (a > b) { a = b; c = 1; }").empty());
  CHECK(limits("if (a > b && c) a = b;").empty());
  CHECK(limits("x = a == b ? a : b; x = a < b ? a : c;").empty());
  CHECK(limits("x = min(a); x = min(a, b, c); y = s.min(a, b); min").empty());
  CHECK(limits("x = a < b ?").empty());
  CHECK(limits("if (a > b").empty());
}

TEST_CASE("a limit has its place, and those of the device are left out") {
  const std::string code =
      "__global__ void k() { x = min(1, 2); }\nint most = min(3, 4);\nvoid f() {\n  a = 1;  b = std::min(a, 8);\n}\n";
  const auto found = host_limits(code);
  REQUIRE(found.size() == 1);
  CHECK(found[0].text == "std::min(a, 8)");
  CHECK(found[0].line == 4);
  CHECK(found[0].column == 15);
  CHECK_FALSE(found[0].is_statement);
}

TEST_CASE("long texts that begin limits are read all the same") {
  for (const std::string part : {"min(", "if (", "a < b ? ", "?", "if (a > b) a = ", "min<"}) {
    std::string body;
    while (body.size() < 1 << 20) body += part;
    CHECK(limits(body).empty());
  }
}

}  // namespace
}  // namespace cudalabs::test::of_limits
