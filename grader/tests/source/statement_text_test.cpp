// Statements that decide about others: their kind, and where they end.
#include "source/statement_text.h"

#include <string>

#include "catch.h"
#include "source/function_text.h"

namespace cudalabs {
namespace {

StatementText in_line(std::string_view code, std::uint32_t line) {
  return statement_in(code, line).value_or(StatementText{});
}

TEST_CASE("a statement goes on to its brace, its semicolon or the end of its else", "[source]") {
  CHECK(in_line("if (t < n) {\n  a();\n}\nb();\n", 1) == StatementText{StatementKind::branch, "if", 1, 3});
  CHECK(in_line("if (t < n)\n  a(1,\n    2);\nb();\n", 1).last_line == 3);
  CHECK(in_line("if (t < n) {\n  a();\n} else if (t) {\n  b();\n} else\n  c();\nd();\n", 1).last_line == 6);
  CHECK(in_line("for (int i = 0; i < n; ++i)\n  if (i) {\n    a();\n  }\nb();\n", 1) ==
        StatementText{StatementKind::loop, "for", 1, 4});
  CHECK(in_line("while (i < n) {\n  a();\n}\n", 1).word == "while");
  CHECK(in_line("do {\n  a();\n} while (b());\nc();\n", 1).last_line == 3);
}

TEST_CASE("a value that depends on a condition is no statement of its own", "[source]") {
  CHECK(in_line("x = t < n ? a() : b();\n", 1) == StatementText{StatementKind::conditional, "?:", 1, 1});
}

TEST_CASE("where it is not clear what is meant nothing is said", "[source]") {
  CHECK_FALSE(statement_in("a = b;\n", 1));
  CHECK_FALSE(statement_in("for (;;) if (t) a();\n", 1));
  CHECK_FALSE(statement_in("x = a ? b : c ? d : e;\n", 1));
  CHECK_FALSE(statement_in("if (t) {\n", 1));  // has no end
  CHECK_FALSE(statement_in("iffy();\n", 1));
  CHECK_FALSE(statement_in("if (t) a();\n", 2));
  CHECK_FALSE(statement_in("", 0));
}

TEST_CASE("the definition around a place may be that of a member", "[source]") {
  const std::string code =
      "struct S {\n  int f(int x) const {\n    if (x) { g(); }\n  }\n};\nvoid h() { k(); }\nint v;\n";
  CHECK(defined_around(code, code.find("g()")) == "f");
  CHECK(defined_around(code, code.find("k()")) == "h");
  CHECK(defined_around(code, code.find("int v")).empty());
  CHECK(defined_around(code, code.find("int f")).empty());
  CHECK(defined_around(std::string(1000, '('), 1000).empty());
}

}  // namespace
}  // namespace cudalabs
