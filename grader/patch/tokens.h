// The tokens of a source's text, and which brackets belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cudalabs::patch {

enum class TokenKind : std::uint8_t { name, number, literal, sign, open, close };

struct Token {
  TokenKind kind = TokenKind::sign;
  std::string_view text;  // "<<<" and ">>>" are each one sign, as are "&&", "+=" and the like
  std::size_t begin = 0;  // in the text
  std::uint32_t line = 0;
  std::size_t partner = 0;  // of a round, square or curly bracket: the index of the other one

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view what) const { return text == what; }
};

/// The first token of something, and its last one.
struct TokenRange {
  std::size_t first = 0, last = 0;

  bool operator==(const TokenRange&) const = default;
};

/// Of `code`, which has no comments and must outlive them; lines of the preprocessor are left out. Empty where brackets
/// do not match.
std::vector<Token> tokens_of(std::string_view code);

}  // namespace cudalabs::patch
