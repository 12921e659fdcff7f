// One kernel, with all the functions it may call, as executable code.
#include "vgpu/exec/decode/build_kernel.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "vgpu/exec/decode/concurrency.h"
#include "vgpu/exec/decode/delay_loops.h"
#include "vgpu/exec/decode/emit.h"
#include "vgpu/exec/decode/layout.h"
#include "vgpu/exec/decode/optimize.h"
#include "vgpu/exec/decode/past_barriers.h"
#include "vgpu/exec/decode/unset_reads.h"

namespace cudalabs::vgpu::exec {

namespace {

// Functions whose address is taken somewhere in the module: where an indirect call may lead.
std::set<std::string> address_taken(const ptx::Module& module) {
  std::set<std::string> names;
  const auto note = [&](const ptx::Operand& operand) {
    if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value)) names.insert(symbol->name);
  };
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.instructions) {
      if (instruction.code == ptx::Opcode::call) continue;
      for (const ptx::Operand& operand : instruction.operands) note(operand);
    }
  }
  for (const ptx::Variable& variable : module.variables) {
    for (const ptx::Variable::Relocation& relocation : variable.relocations) names.insert(relocation.symbol);
  }
  return names;
}

// Every function the kernel may come to, itself first.
std::vector<const ptx::Function*> reachable(const Surroundings& surroundings, const ptx::Function& kernel) {
  std::vector<const ptx::Function*> found{&kernel};
  std::set<const ptx::Function*> seen{&kernel};
  const auto add = [&](const std::string& name) {
    const auto definition = surroundings.definitions.find(name);
    if (definition == surroundings.definitions.end() || definition->second->is_declaration) return;
    if (definition->second->is_entry) return;  // it is launched, not called
    if (seen.insert(definition->second).second) found.push_back(definition->second);
  };
  bool indirect = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const ptx::Instruction& instruction : found[i]->instructions) {
      if (instruction.code != ptx::Opcode::call || instruction.operands.size() < 2) continue;
      if (const auto* symbol = std::get_if<ptx::SymbolRef>(&instruction.operands[1].value)) {
        add(symbol->name);
      } else if (!indirect) {
        indirect = true;
        for (const std::string& name : address_taken(*surroundings.module)) add(name);
      }
    }
  }
  return found;
}

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return alignment == 0 ? offset : (offset + alignment - 1) / alignment * alignment;
}

/// The name that the debug information has: names of inner scopes are made unique, but those that the linker keeps
/// apart are different variables.
std::string symbol_of(const ptx::Variable& variable) {
  return variable.name.find(ptx::kApart) == std::string::npos ? std::string(ptx::name_in_text(variable.name))
                                                              : variable.name;
}

/// Whether the function has instructions for the blocks of its cluster.
bool mentions_clusters(const ptx::Function* function) {
  return std::ranges::any_of(function->instructions, [](const ptx::Instruction& instruction) {
    const bool of_barrier = ptx::facts_of(instruction.code).family == ptx::Family::barrier;
    return instruction.code == ptx::Opcode::mapa || instruction.code == ptx::Opcode::getctarank ||
           std::ranges::any_of(instruction.suffixes, [&](const std::string& suffix) {
             return suffix == "shared::cluster" || (of_barrier && suffix == "cluster");
           });
  });
}

// Shared variables of the kernel and its callees, one after the other; dynamic ones share what follows.
void place_shared(Surroundings& surroundings, const std::vector<const ptx::Function*>& functions, BuiltKernel& built) {
  std::set<std::string> used;
  for (const ptx::Function* function : functions) {
    for (const ptx::Instruction& instruction : function->instructions) {
      for (const ptx::Operand& operand : instruction.operands) {
        if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value)) used.insert(symbol->name);
        if (const auto* place = std::get_if<ptx::Address>(&operand.value)) {
          if (const auto* base = std::get_if<ptx::SymbolRef>(&place->base)) used.insert(base->name);
        }
      }
    }
  }
  for (const SharedPointer& pointer : surroundings.shared_pointers) {
    if (used.contains(pointer.variable)) used.insert(pointer.of.symbol);
  }
  std::uint64_t bytes = 0;
  std::vector<const ptx::Variable*> dynamic;
  const auto place = [&](const ptx::Variable& variable) {
    if (variable.space != ptx::Space::shared) return;
    if (variable.size == 0) {
      dynamic.push_back(&variable);
      return;
    }
    bytes = aligned(bytes, variable.alignment);
    surroundings.shared[variable.name] = bytes;
    built.shared.push_back({symbol_of(variable), static_cast<std::uint32_t>(bytes), variable.size});
    bytes += variable.size;
  };
  for (const ptx::Variable& variable : surroundings.module->variables) {
    if (used.contains(variable.name)) place(variable);
  }
  for (const ptx::Function* function : functions) {
    for (const ptx::Variable& variable : function->variables) place(variable);
  }
  for (const ptx::Variable* variable : dynamic) {
    bytes = aligned(bytes, std::max(variable->alignment, 16u));
  }
  for (const ptx::Variable* variable : dynamic) {
    surroundings.shared[variable->name] = bytes;
    built.shared.push_back({symbol_of(*variable), static_cast<std::uint32_t>(bytes), 0});
  }
  if (bytes > (1u << 24)) throw UnsupportedPtx(functions[0]->ptx_line, "more shared memory than any device has");
  built.static_shared_bytes = static_cast<std::uint32_t>(bytes);
}

}  // namespace

BuiltKernel build_kernel(const Surroundings& module_surroundings, std::uint32_t function,
                         const std::vector<std::uint32_t>& first_instruction,
                         const std::vector<InstructionInfo>& instructions) {
  Surroundings surroundings = module_surroundings;
  const ptx::Module& module = *surroundings.module;
  const std::vector<const ptx::Function*> functions = reachable(surroundings, module.functions[function]);
  BuiltKernel built;
  place_shared(surroundings, functions, built);
  if (functions[0]->blocks_are_clusters)
    throw UnsupportedPtx(functions[0]->ptx_line, "grids that count clusters (`.blocksareclusters`)");
  surroundings.uses_clusters = built.uses_clusters = std::ranges::any_of(functions, mentions_clusters);
  built.shared_addresses = addresses_of_shared(surroundings);
  built.code = std::make_unique<KernelCode>();
  built.code->static_shared_bytes = built.static_shared_bytes;

  std::map<const ptx::Function*, FunctionCode*> codes;
  std::vector<ir::Function> bodies;
  for (const ptx::Function* source : functions) {
    const auto index = static_cast<std::uint32_t>(source - module.functions.data());
    built.functions.push_back(index);
    auto code = std::make_unique<FunctionCode>();
    code->function = index;
    code->index = static_cast<std::uint32_t>(built.code->functions.size());
    codes[source] = code.get();
    if (const auto address = surroundings.functions.find(source->name); address != surroundings.functions.end()) {
      built.code->by_address[address->second] = code.get();
    }
    built.code->functions.push_back(std::move(code));
    bodies.push_back(Translator(surroundings, *source, first_instruction[index]).translate());
  }
  built.concurrent = may_run_concurrently(bodies);
  built.allocates = may_allocate(bodies);
  built.uses_grid_group = asks_for_grid_workspace(bodies);
  mark_ways_past_barriers(bodies, functions, instructions);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    mark_delay_loops(bodies[i]);
    optimize(bodies[i]);
    check_unset_reads(bodies[i], instructions);
    const FrameLayout layout = lay_out(bodies[i]);
    emit_function(bodies[i], layout, *built.code, *codes[functions[i]], codes, instructions);
    built.registers = std::max(built.registers, layout.registers);
  }
  built.local_bytes = bodies[0].local_bytes;
  return built;
}

}  // namespace cudalabs::vgpu::exec
