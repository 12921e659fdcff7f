// Names for findings, asked from a decoded program and the virtual GPU's memory.
#pragma once

#include <span>

#include "vgpu/check/instruction_roles.h"
#include "vgpu/check/launch_names.h"
#include "vgpu/ptx/variable_types.h"

namespace cudalabs::vgpu {

class GlobalMemory;

/// What the caller of the program under test has handed to it, and what that has handed to the kernel.
struct GivenArrays {
  std::span<const InputArray> inputs = {}, outputs = {};
  std::span<const std::byte> parameters = {};
};

/// The program, types, roles, kernel, memory and arrays must outlive it.
class ProgramNames : public LaunchNames {
 public:
  ProgramNames(const Program& program, const ptx::VariableTypes& types, const InstructionRoles& roles,
               const KernelInfo& kernel, const GlobalMemory& memory, std::uint32_t shared_bytes, GivenArrays arrays)
      : program_(program),
        types_(types),
        roles_(roles),
        kernel_(kernel),
        memory_(memory),
        shared_bytes_(shared_bytes),
        arrays_(arrays) {}
  std::string kernel() const override;
  SourcePlace place(std::uint32_t instruction) const override;
  std::vector<SourcePlace> calls(std::uint32_t instruction) const override { return program_.calls(instruction); }
  std::vector<SourcePlace> called_from(std::uint32_t instruction, std::optional<std::uint32_t> call) const override;
  bool in_loop(std::uint32_t instruction) const override { return roles_.of(instruction).in_loop; }
  bool waits_each_round(std::uint32_t instruction) const override { return roles_.of(instruction).waits_each_round; }
  bool always_executed(std::uint32_t instruction) const override;
  ptx::Opcode opcode(std::uint32_t instruction) const override { return program_.instruction(instruction).opcode; }
  std::optional<SourcePlace> cut_index(std::uint32_t instruction) const override;
  std::optional<ProductOfInts> large_product(std::uint32_t instruction, const LaunchConfig& config, Index3 block,
                                             Index3 thread) const override;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> same_array(std::uint32_t access,
                                                                    std::uint32_t other) const override;
  std::vector<GivenValue> values_given() const override;
  std::optional<SourcePlace> warp_barrier_between(const SourcePlace& first, const SourcePlace& last) const override;
  bool has_block_barrier_between(const SourcePlace& first, const SourcePlace& last) const override;
  bool follows_without_block_barrier(std::uint32_t first, std::uint32_t last) const override;
  std::vector<AccessGuard> guards(std::uint32_t access) const override { return roles_.guards(access); }
  BarrierPlace barrier(std::uint32_t instruction) const override { return roles_.barrier(instruction); }
  std::optional<NamedRange> nearest(MemorySpace space, std::uint64_t address) const override;
  std::optional<InputArray> input(std::uint64_t address, std::uint64_t bytes) const override;

  /// What the launch gave for a parameter of a pointer's size.
  std::optional<std::uint64_t> pointer_given(std::uint32_t parameter) const;

 private:
  std::optional<NamedRange> nearest_shared(std::uint64_t address) const;
  SourcePlace place_in_kernel(std::uint32_t instruction) const;
  std::shared_ptr<const ptx::DataType> type_of(const std::string& symbol) const;

  const Program& program_;
  const ptx::VariableTypes& types_;
  const InstructionRoles& roles_;
  const KernelInfo& kernel_;
  const GlobalMemory& memory_;
  std::uint32_t shared_bytes_;
  GivenArrays arrays_;
};

}  // namespace cudalabs::vgpu
