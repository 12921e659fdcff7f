// Whole numbers that kernels make of products and quotients of `float`. Read as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cudalabs {

/// "static_cast<int>(i * one_over_p)", "(int)(i / x)", "int(i * x)".
struct FloatCut {
  std::string_view function;           // that has it
  std::string_view value;              // "i * one_over_p"
  std::uint32_t line = 0, column = 0;  // of the cast
  std::size_t place = 0;

  bool operator==(const FloatCut&) const = default;
};

/// The only one in the device's functions, of a value with a parameter or variable of the function that is a `float` or
/// `double`, and that is not rounded first. `code` has no comments.
std::optional<FloatCut> only_float_cut(std::string_view code);

}  // namespace cudalabs
