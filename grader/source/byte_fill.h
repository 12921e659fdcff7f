// Calls of `cudaMemset` that want to set numbers, and set bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cudalabs {

/// "cudaMemset(d, 128, n * sizeof(int))", after which each `int` is 0x80808080.
struct ByteFill {
  std::uint32_t line = 0, column = 0;  // of the call
  std::string function, value, type;   // "cudaMemset", "128", "int"

  bool operator==(const ByteFill&) const = default;
};

/// The only call of the source that sets numbers of several bytes to a literal whose bytes are not alike. 0, and -1 or
/// 0xFF of integers, are.
std::optional<ByteFill> byte_fill(std::string_view source);

/// "cudaMemset(d, 0, 1)", which sets one byte: the only call of the source whose size is a number from 1 to 3. `value`
/// is that, and there is no type.
std::optional<ByteFill> short_fill(std::string_view source);

}  // namespace cudalabs
