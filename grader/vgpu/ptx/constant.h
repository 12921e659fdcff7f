// Constant expressions of integers, as they stand in operands, offsets, array sizes and initialisers.
#pragma once

#include <cstdint>

#include "vgpu/ptx/lexer.h"

namespace cudalabs::vgpu::ptx {

/// A 64-bit integer constant; signed unless written with U, too large for a signed one, or computed from one that is.
struct Constant {
  std::uint64_t bits = 0;
  bool is_unsigned = false;
};

/// Parses an integer constant expression (PTX ISA, section "Constants"): literals, WARP_SZ, the operators of C, casts
/// (.s64) and (.u64).
Constant parse_constant(Lexer& lexer);

/// The same, for what must not be negative: a size, an alignment, a count. `what` names it in the error.
std::uint64_t parse_unsigned_constant(Lexer& lexer, const char* what, std::uint64_t limit);

/// Parses the byte offset after an address: any number of "+4", "-4", "+-4"; 0 when there is none.
std::int64_t parse_offset(Lexer& lexer);

/// Whether the next token can begin an integer constant expression.
bool starts_constant(const Token& token);

}  // namespace cudalabs::vgpu::ptx
