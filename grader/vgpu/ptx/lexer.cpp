// PTX text to tokens, one at a time, without copying the text.
#include "vgpu/ptx/lexer.h"

#include <bit>
#include <charconv>

namespace cudalabs::vgpu::ptx {
namespace {

// The longest text accepted. nvcc -G with a large template library stays well under it; memory for the module is at
// most about a hundred times the text.
constexpr std::size_t kMaxTextBytes = std::size_t{32} << 20;

// Locale-free and defined for every byte, unlike <cctype>.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_name(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

bool is_double_symbol(char first, char second) {
  const bool repeated = first == second && std::string_view("<>=&|").find(first) != std::string_view::npos;
  return repeated || (second == '=' && std::string_view("<>!").find(first) != std::string_view::npos);
}

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

}  // namespace

std::string in_backticks(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result = "`";
  for (const char c : text.substr(0, kLongest)) result += c >= ' ' && c <= '~' && c != '`' ? c : '?';
  if (text.size() > kLongest) result += "...";
  return result + '`';
}

std::string in_backticks(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the text";
    case TokenKind::dot_word:
      return in_backticks(std::string(1, '.').append(token.text.substr(0, 80)));
    default:
      return in_backticks(token.text);
  }
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    ++i;
    int value = 0;
    std::size_t digits = 0;
    for (; digits < 3 && i + digits < text.size() && text[i + digits] >= '0' && text[i + digits] <= '7'; ++digits) {
      value = value * 8 + (text[i + digits] - '0');
    }
    constexpr std::string_view kLetters = "abfnrtv";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
    if (digits != 0) {
      result += static_cast<char>(value);
      i += digits - 1;
    } else if (const std::size_t letter = kLetters.find(text[i]); letter != std::string_view::npos) {
      result += kMeanings[letter];
    } else {
      result += text[i];
    }
  }
  return result;
}

Lexer::Lexer(std::string_view text) : text_(text) {
  if (text.size() > kMaxTextBytes) throw ParseError(1, "the text is longer than 32 MiB");
  advance();
}

Token Lexer::take() {
  const Token taken = current_;
  advance();
  return taken;
}

bool Lexer::accept(char symbol) {
  if (!current_.is(symbol)) return false;
  advance();
  return true;
}

bool Lexer::accept_directive(std::string_view word) {
  if (!current_.is_directive(word)) return false;
  advance();
  return true;
}

void Lexer::expect(char symbol) {
  if (!accept(symbol)) fail_expected(in_backticks(std::string_view(&symbol, 1)));
}

std::string_view Lexer::expect_word(const char* what) {
  if (current_.kind != TokenKind::word) fail_expected(what);
  return take().text;
}

std::string_view Lexer::expect_string(const char* what) {
  if (current_.kind != TokenKind::string) fail_expected(what);
  return take().text;
}

void Lexer::fail(const std::string& message) const {
  throw ParseError(current_.line, message);
}

void Lexer::fail_expected(const std::string& what) const {
  fail("expected " + what + ", found " + in_backticks(current_));
}

void Lexer::skip_blank() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (is_blank(c)) {
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      const std::size_t end = text_.find('\n', position_);
      position_ = end == std::string_view::npos ? text_.size() : end;
    } else if (c == '/' && at(1) == '*') {
      const std::uint32_t start = line_;
      const std::size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) throw ParseError(start, "comment without an end");
      for (; position_ < end; ++position_) line_ += text_[position_] == '\n';
      position_ += 2;
    } else {
      return;
    }
  }
}

void Lexer::advance() {
  skip_blank();
  current_ = Token{};
  current_.line = line_;
  if (position_ >= text_.size()) return;

  const std::size_t start = position_;
  const char c = text_[start];
  const auto finish = [&](TokenKind kind) {
    current_.kind = kind;
    current_.text = text_.substr(start, position_ - start);
  };
  if (is_letter(c) || c == '_' || c == '$' || (c == '%' && is_name(at(1)))) {
    ++position_;
    while (is_name(at())) ++position_;
    finish(TokenKind::word);
  } else if (is_digit(c)) {
    lex_number();
  } else if (c == '.' && is_name(at(1))) {
    ++position_;
    while (is_name(at()) || (at() == ':' && at(1) == ':' && is_name(at(2)))) position_ += at() == ':' ? 2 : 1;
    finish(TokenKind::dot_word);
    current_.text.remove_prefix(1);
  } else if (c == '"') {
    ++position_;
    while (at() != '"') {
      if (position_ >= text_.size() || at() == '\n') throw ParseError(line_, "string without an end");
      position_ += at() == '\\' && at(1) != '\n' && position_ + 1 < text_.size() ? 2 : 1;
    }
    current_.kind = TokenKind::string;
    current_.text = text_.substr(start + 1, position_ - start - 1);
    ++position_;
  } else if (std::string_view(",;:()[]{}<>=+-*/%&|^~!?@").find(c) != std::string_view::npos) {
    position_ += is_double_symbol(c, at(1)) ? 2 : 1;
    finish(TokenKind::symbol);
  } else {
    throw ParseError(line_, "unexpected character " + in_backticks(text_.substr(start, 1)));
  }
}

// Literals as in the ISA's section "Constants": 0x hex, 0b binary, 0 octal, decimal, optional U; 0f and 0d floats by
// their bits; decimal floats.
void Lexer::lex_number() {
  const std::size_t start = position_;
  const char second = at(1);
  if (at() == '0' && (second == 'f' || second == 'F')) return lex_hex_float(8);
  if (at() == '0' && (second == 'd' || second == 'D')) return lex_hex_float(16);

  unsigned base = 10;
  if (at() == '0' && (second == 'x' || second == 'X')) {
    base = 16;
    position_ += 2;
  } else if (at() == '0' && (second == 'b' || second == 'B')) {
    base = 2;
    position_ += 2;
  } else {
    std::size_t end = position_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    const char after = end < text_.size() ? text_[end] : '\0';
    if (after == '.' || after == 'e' || after == 'E') return lex_decimal_float();
    if (at() == '0') base = 8;
  }

  const std::size_t first_digit = position_;
  std::uint64_t value = 0;
  bool overflow = false;
  for (; static_cast<unsigned>(digit_value(at())) < base; ++position_) {
    overflow = overflow || __builtin_mul_overflow(value, std::uint64_t{base}, &value) ||
               __builtin_add_overflow(value, static_cast<std::uint64_t>(digit_value(at())), &value);
  }
  const bool empty = position_ == first_digit;
  if (at() == 'U') {
    current_.is_unsigned = true;
    ++position_;
  }
  const bool trailing = is_name(at());
  while (is_name(at())) ++position_;
  current_.kind = TokenKind::integer;
  current_.text = text_.substr(start, position_ - start);
  current_.integer = value;
  if (empty || trailing) throw ParseError(line_, "malformed number " + in_backticks(current_.text));
  if (overflow) throw ParseError(line_, "the number " + in_backticks(current_.text) + " does not fit 64 bits");
}

void Lexer::lex_hex_float(std::size_t digits) {
  const std::size_t start = position_;
  position_ += 2;
  std::uint64_t bits = 0;
  std::size_t count = 0;
  for (; count < digits && digit_value(at()) < 16; ++position_, ++count) {
    bits = bits << 4 | static_cast<std::uint64_t>(digit_value(at()));
  }
  const bool trailing = is_name(at());
  current_.kind = TokenKind::real;
  current_.text = text_.substr(start, position_ - start);
  if (count != digits || trailing)
    throw ParseError(line_, "malformed floating-point number " + in_backticks(current_.text));
  const bool single = digits == 8;
  const double value =
      single ? double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))} : std::bit_cast<double>(bits);
  current_.real = FloatImmediate{value, single, bits};
}

void Lexer::lex_decimal_float() {
  double value = 0;
  const char* const first = text_.data() + position_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  const std::size_t length = static_cast<std::size_t>(end - first);
  current_.kind = TokenKind::real;
  current_.text = text_.substr(position_, length);
  position_ += length;
  if (error != std::errc{} || is_name(at())) {
    throw ParseError(line_, "malformed floating-point number " + in_backticks(current_.text));
  }
  current_.real = FloatImmediate{value, false, std::bit_cast<std::uint64_t>(value)};
}

}  // namespace cudalabs::vgpu::ptx
