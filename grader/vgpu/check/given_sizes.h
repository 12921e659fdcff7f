// Whether the sizes that a launch gives its kernel are those of an array.
#pragma once

#include <cstdint>
#include <span>

#include "vgpu/check/launch_names.h"

namespace cudalabs::vgpu {

/// One of the numbers given, or the product of two, is the number of the range's elements, where an access of
/// `access_bytes` bytes reads or writes a whole one, or several. Then the sizes are right, and an index that leaves the
/// array is not computed or tested as it must be.
bool has_given_size(const NamedRange& range, std::uint32_t access_bytes, std::span<const GivenValue> given);

/// One of the numbers given, or the product of two, is this number of elements.
bool is_given_count(std::uint64_t elements, std::span<const GivenValue> given);

/// The only whole number of 8 bytes whose lower 4 are this number of elements, where the upper 4 are no part of a
/// number: the launch has read them behind a variable of 4 bytes. Its number among the parameters; 0: there is none.
std::uint32_t argument_of_half(std::uint64_t elements, std::span<const GivenValue> given);

}  // namespace cudalabs::vgpu
