// What a reduction in bulk makes of one element.
#pragma once

#include <cstddef>

#include "vgpu/exec/atomic_operation.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::exec {

/// Changes the element at `target` by the one at `value`, of a type that the operation has.
void reduce_element(AtomicOperation operation, ptx::Type type, std::byte* target, const std::byte* value);

}  // namespace cudalabs::vgpu::exec
