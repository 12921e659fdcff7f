// Two arrays that a kernel keeps in one: pointers of which one begins inside the other. The source is read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/setting_text.h"

namespace cudalabs {

struct OverlappingArrays {
  std::string first, second;  // names
  Setting second_set;         // where the second one's begin is set, behind that of the first

  bool operator==(const OverlappingArrays&) const = default;
};

/// Where one of the two lines stores to an element of an array, and the other to one of a pointer whose only setting is
/// that array and something, `second = first + ...`, or `&first[...]`; where `first` is itself only a name for an
/// array, the second may be set from that one. Two stores to one element through both say that they overlap.
std::optional<OverlappingArrays> overlapping_arrays(std::string_view source, std::uint32_t line,
                                                    std::uint32_t other_line);

}  // namespace cudalabs
