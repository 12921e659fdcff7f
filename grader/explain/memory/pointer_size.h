// The size of a pointer in a number of bytes, where that of an element is meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "const size_t bytes = n * sizeof(c);" with "float* c": `c` and its place behind `sizeof`, and what the statement
/// sets.
struct PointerSize {
  Setting pointer;
  std::string text, element;  // "sizeof(c)", "float"
  std::uint32_t bytes = 0;    // of an element; 0: the type is a parameter of a template
  std::string set;            // "bytes"; empty: the statement sets no variable
  bool whole = false;         // it is all that a call takes which copies what the pointer points to,
  bool fills = false;         // or fills it
  std::string symbol = {};    // of such a call: the variable of the device that it copies to
  std::string extent = {};    // "3" of the parameter "const int size[3]"

  bool operator==(const PointerSize&) const = default;
};

/// Every place of a function, up to some, that multiplies by the size of a pointer which is declared in the function,
/// or is a parameter of it, and whose elements are known to have another size; or that gives it, and that pointer, to
/// "cudaMemset" and the like. Nothing where the source has pointers to
/// pointers, for which that size may be meant. `code` has no comments.
std::vector<PointerSize> pointer_sizes(std::string_view code);

/// Places findings there whose line, or that of the allocation beside it, takes this number of bytes; and the first
/// one, of an output, where it is all that a call copies. `source` is the text of `file`.
void show_pointer_sizes(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
