// Negative constants that a source gives an unsigned type. Read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// "failed ? -1 : ns", "return -1;" or "ns = -1;", where the type is unsigned and has 32 or 64 bits.
struct UnsignedConstant {
  enum class How : std::uint8_t { joined, returned, stored };

  How how = How::stored;
  std::string constant;  // "-1"
  std::string name;      // of the other side of `?:`, of the function, of the variable
  std::uint32_t line = 0;

  bool operator==(const UnsignedConstant&) const = default;
};

/// The only one with so many bits; nothing where there are several. Types are known by the names that the language and
/// its library give them, and by those that the source gives these. `code` has no comments.
std::optional<UnsignedConstant> only_unsigned_constant(std::string_view code, int bits);

}  // namespace cudalabs
