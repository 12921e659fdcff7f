// A module of PTX on the device: its program, and what is known of its instructions before they run.
#include "vgpu/loaded_module.h"

#include <utility>

#include "vgpu/ptx/call_places.h"
#include "vgpu/ptx/debug_entries.h"
#include "vgpu/ptx/inlined_places.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

namespace {

/// What the debug information says, and of arrays whose size the launch gives what their alignment lets assume: clang
/// says nothing of them.
ptx::VariableTypes types_of(const ptx::Module& module, const ptx::DebugEntries& entries) {
  constexpr std::uint32_t kWidestNumber = 8;  // bytes
  ptx::VariableTypes types = ptx::variable_types(entries);
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space != ptx::Space::shared || variable.size != 0 || variable.alignment == 0 ||
        variable.alignment > kWidestNumber)
      continue;
    ptx::DataType assumed = ptx::array_of_scalars(variable.alignment, {0});
    assumed.assumed = true;
    types.emplace(variable.name, std::make_shared<ptx::DataType>(std::move(assumed)));
  }
  return types;
}

}  // namespace

CodePlace code_place(const Program& program, std::uint32_t instruction) {
  const std::uint32_t function = program.instruction(instruction).function;
  return {function, instruction - program.functions()[function].first};
}

std::uint32_t instruction_at(const Program& program, CodePlace place) {
  return program.functions()[place.function].first + place.instruction;
}

LoadedModule load_module(std::string_view ptx, GlobalMemory& memory, bool check_races, bool count_in_detail) {
  ptx::Module parsed = ptx::parse(ptx);
  const ptx::DebugEntries entries = ptx::debug_entries(ptx);
  ptx::place_inlined(parsed, entries);
  ptx::place_without_line(parsed);
  ptx::place_at_calls(parsed);
  LoadedModule loaded;
  loaded.types = types_of(parsed, entries);
  loaded.program = std::make_unique<Program>(parsed, memory);
  loaded.instructions = instruction_table(*loaded.program);
  if (check_races) loaded.roles = instruction_roles(parsed, *loaded.program);
  if (check_races) loaded.origins = value_origins(parsed);
  loaded.branches = branch_table(parsed, *loaded.program);
  if (count_in_detail) loaded.schedule = schedule_table(parsed, *loaded.program);
  for (const KernelInfo& kernel : loaded.program->kernels()) {
    if (!kernel.refusal) continue;
    ptx::Refusal refusal =
        ptx::refusal_of(ptx, kernel.refusal->line(), kernel.refusal->what(), kernel.refusal->defect());
    refusal.kernel = kernel.display;
    // What was called or inlined from the toolkit's headers has the place of the call.
    if (const ptx::Location& place = kernel.refusal->place(); place.line != 0)
      refusal.where = {loaded.program->files()[place.file], place.line, place.column};
    loaded.refusals.emplace(kernel.name, std::move(refusal));
  }
  return loaded;
}

}  // namespace cudalabs::vgpu
