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
  if (space == MemorySpace::shared) return nearest_shared(address);
  if (space == MemorySpace::local) return std::nullopt;
  const auto allocation = memory_.explain(address);
  if (!allocation) return std::nullopt;
  return NamedRange{allocation->address, allocation->bytes, allocation->name, !allocation->live};
}

std::optional<NamedRange> ProgramNames::nearest_shared(std::uint64_t address) const {
  const NamedRange all{0, shared_bytes_, {}, false};
  if (address >= std::uint64_t{1} << 31) address = 0;  // 32 bits: it came from an index below 0
  const SharedVariable* below = nullptr;
  for (const SharedVariable& variable : kernel_.shared) {
    if (variable.offset > address) continue;
    // Arrays whose size the launch gives begin at the same place: which of them was meant, nobody can tell.
    if (below != nullptr && below->offset == variable.offset) return all;
    below = &variable;
  }
  if (below == nullptr) return all;
  return NamedRange{below->offset, below->size != 0 ? below->size : shared_bytes_ - below->offset, below->name, false};
}

std::optional<InputArray> ProgramNames::input(std::uint64_t address, std::uint64_t bytes) const {
  const auto found =
      std::ranges::find_if(inputs_, [&](const InputArray& input) { return input.meets(address, bytes); });
  if (found == inputs_.end()) return std::nullopt;
  return *found;
}

}  // namespace cudalabs::vgpu
