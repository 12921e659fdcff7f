// Initial values of variables: numbers, nested lists, addresses of symbols.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/ptx/lexer.h"

namespace cudalabs::vgpu::ptx {

/// Parses what follows "=" into `variable.initial` and `variable.relocations`. `dimensions` are those of the scalars
/// (the elements of vector types are an innermost dimension); an outermost dimension of 0 is as long as the list, and
/// settles `variable.size`. What the list leaves out is zero. Takes the variable's size from `budget`, or throws
/// ParseError.
void parse_initializer(Lexer& lexer, const std::vector<std::uint64_t>& dimensions, Variable& variable,
                       std::uint64_t& budget);

}  // namespace cudalabs::vgpu::ptx
