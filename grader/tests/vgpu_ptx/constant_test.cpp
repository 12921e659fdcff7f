// Constant expressions and offsets.
#include "vgpu/ptx/constant.h"

#include "parsing.h"

using namespace cudalabs::vgpu::ptx;

namespace {

Constant evaluate(const std::string& text) {
  Lexer lexer(text);
  const Constant value = parse_constant(lexer);
  REQUIRE(lexer.peek().kind == TokenKind::end);
  return value;
}
std::int64_t value_of(const std::string& text) {
  return static_cast<std::int64_t>(evaluate(text).bits);
}

std::int64_t offset_of(const std::string& text) {
  Lexer lexer(text);
  return parse_offset(lexer);
}

}  // namespace

TEST_CASE("operators bind as in C") {
  CHECK(value_of("1+2*3") == 7);
  CHECK(value_of("(1+2)*3") == 9);
  CHECK(value_of("10-4-3") == 3);
  CHECK(value_of("1<<4|3&2^1") == ((1 << 4) | ((3 & 2) ^ 1)));
  CHECK(value_of("1 < 2 == 1") == 1);
  CHECK(value_of("7/2*2 + 7 % 4") == 9);
  CHECK(value_of("0 && 1 || 1") == 1);
  CHECK(value_of("0 ? 1 : 2 ? 3 : 4") == 3);
  CHECK(value_of("-7/2") == -3);
  CHECK(value_of("-7 % 2") == -1);
  CHECK(value_of("~0") == -1);
  CHECK(value_of("!5") == 0);
  CHECK(value_of("!0 + - + -3") == 4);
  CHECK(value_of("2 >= 2") == 1);
  CHECK(value_of("3 <= 2") == 0);
  CHECK(value_of("3 != 2") == 1);
  CHECK(value_of("WARP_SZ*2") == 64);
}

TEST_CASE("signedness decides division, comparison and right shifts") {
  CHECK(value_of("-8 >> 1") == -4);
  CHECK(evaluate("(.u64)-8 >> 1").bits == 0x7FFFFFFFFFFFFFFCu);
  CHECK(evaluate("0xFFFFFFFFFFFFFFFF / 2").bits == 0x7FFFFFFFFFFFFFFFu);
  CHECK(value_of("(.s64)0xFFFFFFFFFFFFFFFF / 2") == 0);
  CHECK(value_of("-1 < 0") == 1);
  CHECK(value_of("-1 < 0U") == 0);
  CHECK(evaluate("1U + 1").is_unsigned);
  CHECK_FALSE(evaluate("1 + 1").is_unsigned);
}

TEST_CASE("edge cases of 64-bit arithmetic are defined") {
  CHECK(value_of("-9223372036854775808") == INT64_MIN);
  CHECK(value_of("(-9223372036854775807-1) / -1") == INT64_MIN);
  CHECK(value_of("(-9223372036854775807-1) % -1") == 0);
  CHECK(value_of("1 << 64") == 0);
  CHECK(value_of("-1 >> 200") == -1);
  CHECK(value_of("9223372036854775807 + 1") == INT64_MIN);
}

TEST_CASE("expressions that mean nothing are refused") {
  const auto why = [](const std::string& text) { return refusal([&] { evaluate(text); }); };
  CHECK(why("1/0") == "division by zero in a constant expression");
  CHECK(why("1%(2-2)") == "division by zero in a constant expression");
  CHECK(why("1+") == "expected an integer, found the end of the text");
  CHECK(why("1 ? 2") == "expected `:`, found the end of the text");
  CHECK(why("(1") == "expected `)`, found the end of the text");
  CHECK(why("x") == "expected an integer, found `x`");
  CHECK(why("1.5") == "expected an integer, found `1.5`");
  CHECK(why(std::string(100000, '(') + "1") == "constant expression nested too deeply");
  CHECK(why(std::string(100000, '-') + "1") == "constant expression nested too deeply");
  std::string conditions;
  for (int i = 0; i < 100000; ++i) conditions += "1?1:";
  CHECK(why(conditions + "1") == "constant expression nested too deeply");
}

TEST_CASE("a long flat expression is no deep one") {
  std::string sum = "1";
  for (int i = 1; i < 100000; ++i) sum += "+1";
  CHECK(value_of(sum) == 100000);
}

TEST_CASE("offsets add up and must fit 64 bits") {
  CHECK(offset_of("]") == 0);
  CHECK(offset_of("+4]") == 4);
  CHECK(offset_of("-4]") == -4);
  CHECK(offset_of("+-4]") == -4);
  CHECK(offset_of("+8-4+0x10]") == 20);
  CHECK(offset_of("+(2*3)]") == 6);
  CHECK(refusal([] { offset_of("+9223372036854775807+1]"); }) == "the offset does not fit 64 bits");
  CHECK(refusal([] { offset_of("- -9223372036854775808]"); }) == "the offset does not fit 64 bits");
  CHECK(refusal([] { offset_of("+%r1]"); }) == "expected an integer, found `%r1`");
}
