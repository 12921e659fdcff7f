// Memory that a function of the source allocates for its callers, read as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/function_text.h"

namespace cudalabs {

/// "full_a" of "float* full_a = padded_copy(a, m, n);", or "d_a" of "get_memory(&d_a, n)".
struct HandedOut {
  std::string pointer;
  std::uint32_t line = 0;  // of the call
  FunctionBody caller;

  bool operator==(const HandedOut& other) const { return pointer == other.pointer && line == other.line; }
};

/// The callers' pointers to what `allocate` allocates in that line, where the function around it returns the pointer,
/// or sets it for its caller; in the order of the text, the first ones. Empty: it does neither. `code` has no comments.
std::vector<HandedOut> handed_out_pointers(std::string_view code, std::uint32_t line, std::string_view allocate);

/// The name of the function around that line.
std::string allocating_function(std::string_view code, std::uint32_t line);

}  // namespace cudalabs
