// Conditions that are found in the text, and the jumps that they lead to.
#include "source/condition_text.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

/// Of the first condition of the code.
JumpText jump_of(std::string_view code) {
  const std::vector<ConditionText> conditions = conditions_of(code);
  return conditions.empty() ? JumpText{} : only_jump_of(code, conditions.front()).value_or(JumpText{});
}

TEST_CASE("conditions are found with what they decide about", "[source]") {
  const std::string code =
      "#if (A)\nif (a(1) < n)\n  b();\nelse {\n  if (c) d();\n}\ne();\niffy(2);\nif (f";  // the last has no end
  const std::vector<ConditionText> conditions = conditions_of(code);
  REQUIRE(conditions.size() == 2);
  CHECK(conditions[0].line == 2);
  CHECK(conditions[0].condition == "a(1) < n");
  CHECK(code.substr(conditions[0].body, conditions[0].end_of_body - conditions[0].body) == "b();");
  CHECK(conditions[0].decides_about(code.find("b()")));
  CHECK(conditions[0].decides_about(code.find("d()")));
  CHECK_FALSE(conditions[0].decides_about(code.find("e()")));
  CHECK_FALSE(conditions[0].decides_about(code.find("a(1)")));
  CHECK(conditions[1].line == 5);
  CHECK(conditions[1].condition == "c");
}

TEST_CASE("an `if constexpr` is a condition, and one without an end is none", "[source]") {
  REQUIRE(conditions_of("if constexpr (A) b();").size() == 1);
  CHECK(conditions_of("if constexpr (A) b();").front().condition == "A");
  CHECK(conditions_of("if (A").empty());
  CHECK(conditions_of("if").empty());
}

TEST_CASE("the jump that a condition leads to is found", "[source]") {
  CHECK(jump_of("if (a) continue;").word == "continue");
  CHECK(jump_of("if (a) {\n  x[i] = 0;\n  break;\n}").line == 3);
  CHECK(jump_of("if (a) b();\nelse\n  return;").line == 3);
  CHECK(jump_of("if (a) { if (b) continue; }").word == "continue");
}

TEST_CASE("a jump of something else, or one of several, is not that of the condition", "[source]") {
  CHECK(jump_of("if (a) b();\ncontinue;").word.empty());
  CHECK(jump_of("if (a) continue; else return;").word.empty());
  CHECK(jump_of("if (a) for (;;) break;").word.empty());
  CHECK(jump_of("if (a) switch (b) { case 1: break; }").word.empty());
  CHECK(jump_of("if (a) f([&](int i) { return i; });").word.empty());
  CHECK(jump_of("if (a) g([] { return 1; });").word.empty());
  CHECK(jump_of("if (a) { goto b; continue; }").word.empty());
}

}  // namespace
}  // namespace cudalabs
