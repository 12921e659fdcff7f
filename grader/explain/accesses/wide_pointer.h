// A pointer of a kernel that was cast to a vector type, and counts in steps of that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

struct WidePointer {
  Setting where;           // its declaration, and its name
  std::string type;        // "uchar4"
  std::int64_t bytes = 0;  // of one

  bool operator==(const WidePointer&) const = default;
};

/// "uchar4" of "reinterpret_cast<const uchar4*>(rgb)" and "(uchar4*)rgb"; empty: nothing is cast to a vector type.
std::string_view vector_of_cast(std::string_view value);

/// The pointer that `line` has a subscript of, or reads through, if a line before it in the same function casts it to a
/// vector type.
std::optional<WidePointer> wide_pointer_in(std::string_view source, std::uint32_t line);

/// Of an access past the end of an array through such a pointer: shows it, and how many the array has room for.
void show_wide_pointer(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
