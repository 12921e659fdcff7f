#include "patch/tokens.h"

#include <catch2/catch.hpp>

#include <string>

namespace cudalabs::patch::test::of_tokens {
namespace {

std::vector<std::string> texts_of(std::string_view code) {
  std::vector<std::string> texts;
  for (const Token& token : tokens_of(code)) texts.emplace_back(token.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST_CASE("signs of several letters are one token") {
  CHECK(texts_of("a<<<b,c>>>(d);") == Texts{"a", "<<<", "b", ",", "c", ">>>", "(", "d", ")", ";"});
  CHECK(texts_of("i+=a&&b||c->d") == Texts{"i", "+=", "a", "&&", "b", "||", "c", "->", "d"});
}

TEST_CASE("numbers keep their suffixes, fractions and exponents") {
  CHECK(texts_of("1.5e-3f+.5-0xE+1") == Texts{"1.5e-3f", "+", ".5", "-", "0xE", "+", "1"});
  CHECK(texts_of("1'000u") == Texts{"1'000u"});
}

TEST_CASE("literals are one token, whatever they hold") {
  CHECK(texts_of(R"(f("a(b\"", ')'))") == Texts{"f", "(", R"("a(b\"")", ",", "')'", ")"});
}

TEST_CASE("brackets know their partners") {
  const std::vector<Token> tokens = tokens_of("f(a[1]);");
  REQUIRE(tokens.size() == 8);
  CHECK(tokens[1].partner == 6);
  CHECK(tokens[6].partner == 1);
  CHECK(tokens[3].partner == 5);
}

TEST_CASE("tokens know their lines, and directives are none") {
  const std::vector<Token> tokens = tokens_of("#define X \\\n  (\nint a;\n");
  REQUIRE(tokens.size() == 3);
  CHECK(tokens[0].text == "int");
  CHECK(tokens[0].line == 3);
}

TEST_CASE("a text whose brackets do not match has no tokens") {
  CHECK(tokens_of("f(a;").empty());
  CHECK(tokens_of("f(a];").empty());
  CHECK(tokens_of("f)").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_tokens
