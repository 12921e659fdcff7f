// The line that a repair is made in, as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/finding.h"

namespace cudalabs {

/// A line of a program, without its comment, and where in it something is, from 1; 0: not known.
struct RepairedLine {
  std::string text;
  std::size_t column = 0;
  std::uint32_t number = 0;

  std::string_view from_column() const {
    return column == 0 || column > text.size() ? std::string_view() : std::string_view(text).substr(column - 1);
  }
};

/// Longer lines are not read: the standard library's regular expressions take stack for each character.
inline constexpr std::size_t kLongestRepairedLine = 500;

/// Empty where there is no such line, or it is not read.
RepairedLine repaired_line(std::string_view source, const SourcePlace& place);

/// Where the text has it as a word or a number of its own.
std::vector<std::size_t> places_of(std::string_view word, const std::string& text);
bool stands_once(std::string_view word, const RepairedLine& line);

/// "`<` in place of `<=`".
std::string in_place(std::string_view replacement, std::string_view original);
/// "`n`", or "one of the `n`" where the line has several; empty where it has none, or only assigns to it.
std::string one_of(std::string_view name, const RepairedLine& line);

/// "row * size.width" where the column is that of its sign, and nothing beside it takes a part of it; empty: it is not.
std::string_view product_at(const RepairedLine& line);

/// What the name is multiplied by where the line has it: "blockDim.y" of "threadIdx.y * blockDim.y"; of a bracket its
/// sign alone.
std::vector<std::string> factors_beside(std::string_view name, const RepairedLine& line);

}  // namespace cudalabs
