// Elements of an array that lines of a source name, and the row lengths that their subscripts count with. Read as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/source_number.h"

namespace cudalabs {

/// "tile[y][x]".
struct ElementText {
  std::size_t place = 0;                     // of the array's name
  std::string_view text;                     // up to the last bracket
  std::vector<std::string_view> subscripts;  // "y", "x"
  bool stored = false;                       // an assignment to it
};

/// Of a part of `code`, which has no comments, from `begin` to `end`: each place that has the array's name, in their
/// order. Nothing where the array is also used without a subscript, or its address is taken: it may be written
/// anywhere.
std::optional<std::vector<ElementText>> elements_of(std::string_view code, std::string_view array, std::size_t begin,
                                                    std::size_t end);

/// What a subscript multiplies something by, where that is a constant: 68 by "PITCH" of "k * PITCH + x".
struct Stride {
  std::string text;  // "PITCH"
  std::int64_t elements = 0;

  bool operator==(const Stride&) const = default;
};

/// Those of a sum, in its order, that are more than 1. `line`: where it stands.
std::vector<Stride> strides_of(std::string_view subscript, std::uint32_t line, const SourceNumbers& numbers);

/// "k" and "p" of "k * p + x": what a sum multiplies, in its order.
std::vector<std::string_view> factors_in(std::string_view subscript);

/// "SIDE", where the text has both "e / SIDE" and "e % SIDE", a constant, and nothing else by which it divides `name`.
std::optional<Stride> taken_apart_by(std::string_view text, std::string_view name, std::uint32_t line,
                                     const SourceNumbers& numbers);

}  // namespace cudalabs
