// A module of PTX on the device: its program, and what is known of its instructions before they run.
#include "vgpu/loaded_module.h"

#include <utility>

#include "vgpu/analysis/object_copies.h"
#include "vgpu/analysis/pure_exchanges.h"
#include "vgpu/ptx/call_places.h"
#include "vgpu/ptx/debug_entries.h"
#include "vgpu/ptx/inlined_places.h"
#include "vgpu/ptx/link_modules.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu {

namespace {

constexpr std::size_t kMostFiles = 1 << 20;  // of all texts

std::vector<ptx::TypedModule> parse_all(std::span<const std::string> texts) {
  std::vector<ptx::TypedModule> parts;
  std::uint64_t initial_budget = ptx::kMostInitialBytes;
  std::size_t files = 0;
  const std::vector<std::uint32_t> first_lines = ptx::first_lines(texts);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ptx::TypedModule part;
    try {
      part.module = ptx::parse(texts[i], initial_budget);
    } catch (const ptx::ParseError& error) {
      throw ptx::ParseError(error.line() + first_lines[i] - 1, error.message());
    }
    files += part.module.files.size();
    if (files > kMostFiles) throw ptx::LinkError("the device code names too many files");
    const ptx::DebugEntries entries = ptx::debug_entries(texts[i]);
    ptx::place_inlined(part.module, entries);
    ptx::place_without_line(part.module);
    part.types = ptx::variable_types(entries);
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Of arrays whose size the launch gives, what their alignment lets assume: clang says nothing of them.
void assume_types(const ptx::Module& module, ptx::VariableTypes& types) {
  constexpr std::uint32_t kWidestNumber = 8;  // bytes
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space != ptx::Space::shared || variable.size != 0 || variable.alignment == 0 ||
        variable.alignment > kWidestNumber)
      continue;
    ptx::DataType assumed = ptx::array_of_scalars(variable.alignment, {0});
    assumed.assumed = true;
    types.emplace(variable.name, std::make_shared<ptx::DataType>(std::move(assumed)));
  }
}

}  // namespace

CodePlace code_place(const Program& program, std::uint32_t instruction) {
  const std::uint32_t function = program.instruction(instruction).function;
  return {function, instruction - program.functions()[function].first};
}

std::uint32_t instruction_at(const Program& program, CodePlace place) {
  return program.functions()[place.function].first + place.instruction;
}

ptx::TypedModule parse_module(std::span<const std::string> texts) {
  ptx::TypedModule linked = ptx::link_modules(parse_all(texts), texts);
  ptx::place_at_calls(linked.module);
  return linked;
}

LoadedModule load_module(const ptx::TypedModule& module, std::span<const std::string> texts, GlobalMemory& memory,
                         bool check_races, bool count_in_detail) {
  const ptx::Module& parsed = module.module;
  LoadedModule loaded;
  loaded.types = module.types;
  assume_types(parsed, loaded.types);
  loaded.program = std::make_unique<Program>(parsed, memory);
  loaded.instructions = instruction_table(*loaded.program);
  if (check_races) loaded.roles = instruction_roles(parsed, *loaded.program);
  if (check_races) loaded.origins = value_origins(parsed);
  for (const CodePlace place : loaded.origins.never_left)
    loaded.never_left.insert(instruction_at(*loaded.program, place));
  for (const CodePlace exchange : pure_exchanges(parsed))
    loaded.pure_exchanges.insert(instruction_at(*loaded.program, exchange));
  for (const auto& [load, unit] : object_copies(parsed))
    loaded.object_copies.emplace(instruction_at(*loaded.program, load), unit);
  std::map<std::uint32_t, std::uint32_t> cuts;
  for (const auto& [access, cut] : loaded.origins.cut_indices)
    cuts.emplace(instruction_at(*loaded.program, access), instruction_at(*loaded.program, cut));
  loaded.roles.set_cut_indices(std::move(cuts));
  std::map<std::uint32_t, std::uint32_t> pointers;
  for (const auto& [access, parameter] : loaded.origins.pointers)
    pointers.emplace(instruction_at(*loaded.program, access), parameter);
  loaded.roles.set_pointers(std::move(pointers));
  std::map<std::uint32_t, std::vector<IndexProduct>> products;
  for (const auto& [access, of_access] : loaded.origins.products)
    products.emplace(instruction_at(*loaded.program, access), of_access);
  loaded.roles.set_products(std::move(products));
  std::map<std::uint32_t, std::vector<AccessGuard>> guards;
  for (const auto& [access, around] : loaded.origins.guards) {
    std::vector<AccessGuard>& of_access = guards[instruction_at(*loaded.program, access)];
    for (const ThreadGuard& guard : around)
      of_access.push_back({instruction_at(*loaded.program, guard.branch), guard.ends_loop, guard.in_loop});
  }
  loaded.roles.set_guards(std::move(guards));
  loaded.branches = branch_table(parsed, *loaded.program);
  if (count_in_detail) loaded.schedule = schedule_table(parsed, *loaded.program);
  for (const KernelInfo& kernel : loaded.program->kernels()) {
    if (!kernel.refusal) continue;
    ptx::Refusal refusal =
        ptx::refusal_of(texts, kernel.refusal->line(), kernel.refusal->what(), kernel.refusal->defect());
    refusal.kernel = kernel.display;
    // What was called or inlined from the toolkit's headers has the place of the call.
    if (const ptx::Location& place = kernel.refusal->place(); place.line != 0)
      refusal.where = {loaded.program->files()[place.file], place.line, place.column};
    loaded.refusals.emplace(kernel.name, std::move(refusal));
  }
  return loaded;
}

}  // namespace cudalabs::vgpu
