// Which names beginning with % are the ISA's own.
#pragma once

#include <string_view>

namespace cudalabs::vgpu::ptx {

/// Whether `name` ("%tid", "%envreg3") is a predefined special register of the PTX ISA.
bool is_special_register(std::string_view name);
/// Whether it is a vector with components x, y, z, w ("%tid", "%nctaid").
bool is_vector_special_register(std::string_view name);

/// Whether `name` means something by itself, so that nothing can be declared by it: a special register, "_", "WARP_SZ".
bool is_reserved_name(std::string_view name);

}  // namespace cudalabs::vgpu::ptx
