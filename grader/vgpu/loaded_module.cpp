// A module of PTX on the device: its program, and what is known of its instructions before they run.
#include "vgpu/loaded_module.h"

#include <utility>

#include "vgpu/ptx/call_places.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

LoadedModule load_module(std::string_view ptx, GlobalMemory& memory, bool check_races, bool count_in_detail) {
  ptx::Module parsed = ptx::parse(ptx);
  ptx::place_at_calls(parsed);
  LoadedModule loaded;
  loaded.program = std::make_unique<Program>(parsed, memory);
  loaded.instructions = instruction_table(*loaded.program);
  if (check_races) loaded.roles = instruction_roles(parsed, *loaded.program);
  loaded.branches = branch_table(parsed, *loaded.program);
  if (count_in_detail) loaded.schedule = schedule_table(parsed, *loaded.program);
  for (const KernelInfo& kernel : loaded.program->kernels()) {
    if (!kernel.refusal) continue;
    ptx::Refusal refusal =
        ptx::refusal_of(ptx, kernel.refusal->line(), kernel.refusal->what(), kernel.refusal->defect());
    refusal.kernel = kernel.display;
    loaded.refusals.emplace(kernel.name, std::move(refusal));
  }
  return loaded;
}

}  // namespace cudalabs::vgpu
