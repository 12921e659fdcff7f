// The vector types of CUDA, by their names.
#pragma once

#include <cstdint>
#include <string_view>

namespace cudalabs {

/// Of "uchar4" 4, of "float3" 12 and of "int1" 4; 0: no vector type.
std::int64_t bytes_of_vector(std::string_view type);

/// How many elements a value of the type has; 0: no vector type.
int elements_of_vector(std::string_view type);

}  // namespace cudalabs
