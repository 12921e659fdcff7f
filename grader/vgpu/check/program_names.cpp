// Adapter: source places from the program, ranges from memory's allocation list.
#include "vgpu/check/program_names.h"

#include <algorithm>

#include "vgpu/exec/program.h"
#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

std::string ProgramNames::kernel() const {
  return kernel_.display;
}

SourcePlace ProgramNames::place(std::uint32_t instruction) const {
  return program_.location(instruction);
}

std::optional<NamedRange> ProgramNames::nearest(MemorySpace space, std::uint64_t address) const {
  if (space == MemorySpace::shared) return NamedRange{0, shared_bytes_, {}, false};
  if (space == MemorySpace::local) return std::nullopt;
  const auto allocation = memory_.explain(address);
  if (!allocation) return std::nullopt;
  return NamedRange{allocation->address, allocation->bytes, allocation->name, !allocation->live};
}

std::optional<InputArray> ProgramNames::input(std::uint64_t address, std::uint64_t bytes) const {
  const auto found =
      std::ranges::find_if(inputs_, [&](const InputArray& input) { return input.meets(address, bytes); });
  if (found == inputs_.end()) return std::nullopt;
  return *found;
}

}  // namespace cudalabs::vgpu
