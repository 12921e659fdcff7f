// Stores to an output that no thread of a launch came to.
#pragma once

#include <span>
#include <vector>

#include "vgpu/array_writer.h"
#include "vgpu/check/instruction_roles.h"
#include "vgpu/check/program_names.h"
#include "vgpu/check/writer_recorder.h"
#include "vgpu/exec/program.h"
#include "vgpu/input_array.h"

namespace cudalabs::vgpu {

/// In the kernel's own code, through a parameter that the launch gave the address of an output. What is called is not
/// looked at. The first ones only.
std::vector<ArrayWriter> find_idle_stores(const WriterRecorder& recorder, const Program& program,
                                          const KernelInfo& kernel, const InstructionRoles& roles,
                                          const ProgramNames& names, std::span<const InputArray> outputs);

}  // namespace cudalabs::vgpu
