// Where in the source the values come from that a kernel stores, and which of its loops cannot end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vgpu/array_writer.h"
#include "vgpu/check/program_names.h"
#include "vgpu/loaded_module.h"

namespace cudalabs::vgpu {

/// Of an instruction that stores. `parameters`: of the launch, which say which arrays the kernel was given.
std::vector<OriginPlace> origins_of(std::uint32_t store, const LoadedModule& module, const KernelInfo& kernel,
                                    std::span<const std::byte> parameters, const ProgramNames& names);

/// The condition of a loop around the instruction that nothing in the loop can change.
std::optional<SourcePlace> endless_loop_around(const LoadedModule& module, std::uint32_t instruction);

/// The finding of a launch that was stopped stands at that condition, and where its threads were is the other place.
void blame_endless_loop(Finding& finding, const SourcePlace& condition);

}  // namespace cudalabs::vgpu
