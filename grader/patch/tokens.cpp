#include "patch/tokens.h"

#include <array>

#include "text/code_scan.h"

namespace cudalabs::patch {
namespace {

/// Longest first.
constexpr std::array<std::string_view, 27> kSigns{"<<<", ">>>", "<<=", ">>=", "...", "->", "++", "--", "<<",
                                                  ">>",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=", "-=",
                                                  "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "::", "##", ".*"};

bool is_space(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\v' || letter == '\f';
}

class Lexer {
 public:
  explicit Lexer(std::string_view code) : code_(code) {}

  std::vector<Token> tokens() {
    while (at_ < code_.size()) {
      if (is_line_start_ && code_[at_] == '#') {
        skip_directive();
      } else if (code_[at_] == '\n') {
        ++line_;
        ++at_;
        is_line_start_ = true;
      } else if (is_space(code_[at_])) {
        ++at_;
      } else if (!take()) {
        return {};
      }
    }
    return open_.empty() ? std::move(tokens_) : std::vector<Token>();
  }

 private:
  /// To the end of its last line: a backslash goes on.
  void skip_directive() {
    while (at_ < code_.size() && code_[at_] != '\n') {
      const bool goes_on = code_[at_] == '\\' && at_ + 1 < code_.size() && code_[at_ + 1] == '\n';
      if (goes_on) ++line_;
      at_ += goes_on ? 2 : 1;
    }
  }

  std::size_t end_of_literal() const {
    const char quote = code_[at_];
    if (quote == '"') return past_string(code_, at_);
    std::size_t at = at_ + 1;
    while (at < code_.size() && code_[at] != quote && code_[at] != '\n') at += code_[at] == '\\' ? 2 : 1;
    return at + 1;
  }

  /// "1.5e-3f", "1'000".
  std::size_t end_of_number() const {
    std::size_t at = at_;
    while (at < code_.size()) {
      const char letter = code_[at], before = at > at_ ? code_[at - 1] : ' ';
      const bool is_exponent_sign = (letter == '-' || letter == '+') && (before == 'e' || before == 'E') &&
                                    code_.substr(at_, 2) != "0x" && code_.substr(at_, 2) != "0X";
      if (!is_word_letter(letter) && letter != '.' && letter != '\'' && !is_exponent_sign) break;
      ++at;
    }
    return at;
  }

  bool take() {
    is_line_start_ = false;
    const char letter = code_[at_];
    const bool is_fraction = letter == '.' && at_ + 1 < code_.size() && is_digit(code_[at_ + 1]);
    if (letter == '"' || letter == '\'') {
      const std::size_t end = end_of_literal();
      if (end <= at_ || end > code_.size()) return false;
      add(TokenKind::literal, end);
    } else if (is_digit(letter) || is_fraction) {
      add(TokenKind::number, end_of_number());
    } else if (is_word_letter(letter)) {
      add(TokenKind::name, end_of_word(code_, at_));
    } else if (letter == '(' || letter == '[' || letter == '{') {
      open_.push_back(tokens_.size());
      add(TokenKind::open, at_ + 1);
    } else if (letter == ')' || letter == ']' || letter == '}') {
      return close();
    } else {
      add(TokenKind::sign, at_ + length_of_sign());
    }
    return true;
  }

  std::size_t length_of_sign() const {
    for (const std::string_view sign : kSigns) {
      if (code_.substr(at_).starts_with(sign)) return sign.size();
    }
    return 1;
  }

  bool close() {
    if (open_.empty()) return false;
    const std::size_t open = open_.back();
    const std::string_view opening = tokens_[open].text;
    const char expected = opening == "(" ? ')' : opening == "[" ? ']' : '}';
    if (code_[at_] != expected) return false;
    open_.pop_back();
    tokens_[open].partner = tokens_.size();
    add(TokenKind::close, at_ + 1);
    tokens_.back().partner = open;
    return true;
  }

  void add(TokenKind kind, std::size_t end) {
    tokens_.push_back({kind, code_.substr(at_, end - at_), at_, line_, 0});
    at_ = end;
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  bool is_line_start_ = true;
  std::vector<Token> tokens_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view code) {
  return Lexer(code).tokens();
}

}  // namespace cudalabs::patch
