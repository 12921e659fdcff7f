// Tokens: numbers in every notation, comments, strings, and what is refused.
#include "vgpu/ptx/lexer.h"

#include <bit>
#include <cmath>

#include "parsing.h"

using namespace cudalabs::vgpu::ptx;

namespace {

Token only_token(std::string_view text) {
  Lexer lexer(text);
  Token token = lexer.take();
  REQUIRE(lexer.peek().kind == TokenKind::end);
  return token;
}

std::string lex_refusal(std::string_view text) {
  return refusal([&] {
    Lexer lexer(text);
    while (lexer.peek().kind != TokenKind::end) lexer.take();
  });
}

}  // namespace

TEST_CASE("integers are read in every notation") {
  CHECK(only_token("0").integer == 0);
  CHECK(only_token("42").integer == 42);
  CHECK(only_token("42U").integer == 42);
  CHECK(only_token("42U").is_unsigned);
  CHECK_FALSE(only_token("42").is_unsigned);
  CHECK(only_token("017").integer == 15);
  CHECK(only_token("0x1fF").integer == 511);
  CHECK(only_token("0X1fU").integer == 31);
  CHECK(only_token("0b1011").integer == 11);
  CHECK(only_token("18446744073709551615").integer == ~std::uint64_t{0});
  CHECK(only_token("0xFFFFFFFFFFFFFFFF").integer == ~std::uint64_t{0});
  CHECK(only_token("01777777777777777777777").integer == ~std::uint64_t{0});
}

TEST_CASE("malformed and oversized integers are refused") {
  CHECK(lex_refusal("18446744073709551616") == "the number `18446744073709551616` does not fit 64 bits");
  CHECK(lex_refusal("0x10000000000000000") == "the number `0x10000000000000000` does not fit 64 bits");
  for (const char* text : {"08", "0x", "0b", "0b12", "0xg", "12abc", "1_0", "0x1p3", "5UU", "7u"}) {
    INFO(text);
    CHECK(lex_refusal(text).starts_with("malformed number"));
  }
}

TEST_CASE("floating-point numbers keep their bits") {
  CHECK(only_token("0f3F800000").real.value == 1.0);
  CHECK(only_token("0f3F800000").real.single);
  CHECK(only_token("0F3f800000").real.bits == 0x3F800000);
  CHECK(only_token("0d400921F9F01B866E").real.value == Approx(3.14159));
  CHECK_FALSE(only_token("0D400921F9F01B866E").real.single);
  CHECK(only_token("0d7FF0000000000001").real.bits == 0x7FF0000000000001);  // a signalling NaN stays one
  CHECK(only_token("0fFFC00001").real.bits == 0xFFC00001);
  CHECK(std::isnan(only_token("0fFFC00001").real.value));
  CHECK(only_token("1.5").real.value == 1.5);
  CHECK(only_token("1.").real.value == 1.0);
  CHECK(only_token("2e3").real.value == 2000.0);
  CHECK(only_token("25.0e-1").real.value == 2.5);
  CHECK(only_token("0.1").real.bits == std::bit_cast<std::uint64_t>(0.1));
}

TEST_CASE("malformed floating-point numbers are refused") {
  for (const char* text :
       {"0f", "0f3F80000", "0f3F8000000", "0fXYZ", "0d3F800000", "0d400921F9F01B866E0", "1.5f", "1e", "1e+", "1e999"}) {
    INFO(text);
    CHECK(lex_refusal(text) != "accepted");
  }
}

TEST_CASE("words, directives and suffixes are told apart") {
  CHECK(only_token("%r1").kind == TokenKind::word);
  CHECK(only_token("$L__BB0_1").text == "$L__BB0_1");
  CHECK(only_token("_Z3fooPf").kind == TokenKind::word);
  CHECK(only_token(".reg").kind == TokenKind::dot_word);
  CHECK(only_token(".L2::128B").text == "L2::128B");
  CHECK(only_token(".shared::cta").text == "shared::cta");
  CHECK(only_token(".2d").text == "2d");
  Lexer lexer("bra a:b");  // a single colon belongs to a label
  lexer.take();
  CHECK(lexer.take().text == "a");
  CHECK(lexer.take().is(':'));
}

TEST_CASE("comments and line ends are blanks, and lines are counted through them") {
  Lexer lexer("a // one ; }\n/* two\n * three */ b\r\n\t\vc/**/d//last");
  CHECK(lexer.take().line == 1);
  CHECK(lexer.peek().text == "b");
  CHECK(lexer.take().line == 3);
  CHECK(lexer.take().line == 4);
  CHECK(lexer.take().text == "d");
  CHECK(lexer.peek().kind == TokenKind::end);
  CHECK(lex_refusal("a /* b") == "comment without an end");
  CHECK(lex_refusal("/*/") == "comment without an end");
}

TEST_CASE("strings end on their line and stand for their characters") {
  CHECK(only_token("\"a b;\"").text == "a b;");
  CHECK(only_token(R"("a\"b")").text == R"(a\"b)");
  CHECK(unescaped(R"(a\"b\\\n\303\244\7x\q)") ==
        "a\"b\\\n\xC3\xA4\ax"
        "q");
  CHECK(unescaped("a\\") == "a\\");
  CHECK(lex_refusal("\"abc") == "string without an end");
  CHECK(lex_refusal("\"abc\n\"") == "string without an end");
  CHECK(lex_refusal("\"abc\\") == "string without an end");
  CHECK(lex_refusal("\"abc\\\n\"") == "string without an end");
}

TEST_CASE("characters that PTX has not are refused and quoted safely") {
  CHECK(lex_refusal(std::string_view("\0", 1)) == "unexpected character `?`");
  CHECK(lex_refusal("\x1b[31m") == "unexpected character `?`");
  CHECK(lex_refusal("\xC3\xA4") == "unexpected character `?`");
  for (const char* text : {"#", "'", "\\", "`", ".", "%", "% r1", ". reg"}) {
    INFO(text);
    if (std::string_view(text).front() != '%') CHECK(lex_refusal(text).starts_with("unexpected character"));
  }
  CHECK(cudalabs::vgpu::ptx::in_backticks(std::string(100, 'x')) == "`" + std::string(60, 'x') + "...`");
}

TEST_CASE("a text longer than 32 MiB is refused before it is read") {
  const std::string text((std::size_t{32} << 20) + 1, ' ');
  CHECK(refusal([&] { parse(text); }) == "the text is longer than 32 MiB");
}
