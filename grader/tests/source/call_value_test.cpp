// Which line makes the value of a call.
#include "source/call_value.h"

#include "catch.h"

namespace cudalabs {
namespace {

constexpr std::string_view kCalls =
    "#define GRID(n) (((n) + 31) / 32)\n"
    "#define WIDE 32\n"
    "int blocks(int n) {\n"
    "  return n / 32;\n"
    "}\n"
    "int two(int n) { if (n) return 1; return 2; }\n"
    "int over(int n) { return n; }\n"
    "int over(long n) { return 1; }\n"
    "#define LONG(n) \\\n"
    "  ((n) / 2)\n";

TEST_CASE("a function's only return, and a macro's value", "[source]") {
  const auto function = value_of_call(kCalls, " blocks(height) ");
  REQUIRE(function);
  CHECK(function->name == "blocks");
  CHECK(function->text == "n / 32");
  CHECK(function->where.line == 4);
  const auto macro = value_of_call(kCalls, "GRID(width)");
  REQUIRE(macro);
  CHECK(macro->text == "(((n) + 31) / 32)");
  CHECK(macro->where.line == 1);
}

TEST_CASE("more than one call, other functions and unclear ones make no value that is known", "[source]") {
  for (const auto* expression : {"blocks(n) + 1", "n", "", "two(n)", "over(n)", "other(n)", "WIDE", "WIDE(n)",
                                 "LONG(n)", "blocks", "blocks(n", "a.blocks(n)"})
    CHECK_FALSE(value_of_call(kCalls, expression));
}

}  // namespace
}  // namespace cudalabs
