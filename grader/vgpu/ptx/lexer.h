// PTX text to tokens, one at a time, without copying the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

enum class TokenKind : std::uint8_t {
  end,
  word,      // identifier, register or opcode: "ld", "%r1", "$L__BB0_1", "_"
  dot_word,  // directive or suffix; `text` is without the dot: "reg" of ".reg", "L2::128B"
  integer,   // `integer` holds the value
  real,      // `real` holds the value
  string,    // `text` is what stands between the quotes
  symbol     // , ; : ( ) [ ] { } < > = + - * / % & | ^ ~ ! ? @ and << >> <= >= == != && ||
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::uint32_t line = 1;
  std::uint64_t integer = 0;
  bool is_unsigned = false;  // integer with the suffix U
  FloatImmediate real;

  bool is(char symbol) const { return kind == TokenKind::symbol && text.size() == 1 && text[0] == symbol; }
  bool is_word(std::string_view word) const { return kind == TokenKind::word && text == word; }
  bool is_directive(std::string_view word) const { return kind == TokenKind::dot_word && text == word; }
};

/// How a token is quoted in an error: printable, short, in backticks.
std::string in_backticks(const Token& token);
std::string in_backticks(std::string_view text);

/// The characters a string token stands for: \n and its like, \101 in octal, and a plain character after any other \.
std::string unescaped(std::string_view text);

/// A cursor over the tokens with one token of look-ahead. Throws ParseError for text that is no token.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return current_; }
  std::uint32_t line() const { return current_.line; }
  Token take();

  /// Takes the symbol if it is next.
  bool accept(char symbol);
  bool accept_directive(std::string_view word);
  void expect(char symbol);
  std::string_view expect_word(const char* what);
  std::string_view expect_string(const char* what);

  /// Throws ParseError at the next token's line.
  [[noreturn]] void fail(const std::string& message) const;
  /// "expected `what`, found `token`".
  [[noreturn]] void fail_expected(const std::string& what) const;

 private:
  void advance();
  void skip_blank();
  void lex_number();
  void lex_hex_float(std::size_t digits);
  void lex_decimal_float();
  char at(std::size_t ahead = 0) const { return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0'; }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  Token current_;
};

}  // namespace cudalabs::vgpu::ptx
