// One kernel, with all the functions it may call, as executable code.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/micro_op.h"
#include "vgpu/exec/program.h"

namespace cudalabs::vgpu::exec {

struct BuiltKernel {
  std::unique_ptr<KernelCode> code;
  std::vector<std::uint32_t> functions;  // indices into Module::functions
  std::uint32_t static_shared_bytes = 0;
  std::vector<SharedVariable> shared;
  SharedAddresses shared_addresses;
  std::uint32_t local_bytes = 0;
  std::uint32_t registers = 0;  // estimate of 32-bit registers a thread
  bool concurrent = false;
  bool allocates = false;
  bool uses_grid_group = false;
  bool uses_clusters = false;
};

/// `surroundings` without shared variables, which get their places here; `first_instruction`: by function of the
/// module. Throws UnsupportedPtx.
BuiltKernel build_kernel(const Surroundings& surroundings, std::uint32_t function,
                         const std::vector<std::uint32_t>& first_instruction,
                         const std::vector<InstructionInfo>& instructions);

}  // namespace cudalabs::vgpu::exec
