// Names for findings, asked from a decoded program and the virtual GPU's memory.
#pragma once

#include "vgpu/check/launch_names.h"

namespace cudalabs::vgpu {

class GlobalMemory;

/// The program, kernel and memory must outlive it.
class ProgramNames : public LaunchNames {
 public:
  ProgramNames(const Program& program, const KernelInfo& kernel, const GlobalMemory& memory, std::uint32_t shared_bytes)
      : program_(program), kernel_(kernel), memory_(memory), shared_bytes_(shared_bytes) {}
  std::string kernel() const override;
  SourcePlace place(std::uint32_t instruction) const override;
  std::optional<NamedRange> nearest(MemorySpace space, std::uint64_t address) const override;

 private:
  const Program& program_;
  const KernelInfo& kernel_;
  const GlobalMemory& memory_;
  std::uint32_t shared_bytes_;
};

}  // namespace cudalabs::vgpu
