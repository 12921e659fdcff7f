// The reference machine: launches, scheduling of threads, memory.
#include "machine.h"

#include <algorithm>
#include <cstring>

#include "executor.h"

namespace cudalabs::reference {

using vgpu::ptx::Function;
using vgpu::ptx::Module;
using vgpu::ptx::Space;
using vgpu::ptx::Variable;

Routine decode(const Function& function) {
  Routine routine{&function, {}};
  for (const vgpu::ptx::Instruction& instruction : function.instructions) {
    Decoded decoded;
    decoded.instruction = &instruction;
    decoded.operation = operation_of(instruction);
    if (decoded.operation) decoded.signature = signature_of(*decoded.operation);
    for (const std::string& suffix : instruction.suffixes) {
      if (const auto type = vgpu::ptx::type_from_name(suffix)) decoded.type = *type;
      if (suffix == "v2" || suffix == "v4") decoded.vector = static_cast<std::uint32_t>(suffix[1] - '0');
      const std::string space = suffix.substr(0, suffix.find("::"));
      if (space == "global") decoded.space = Space::global;
      if (space == "shared") decoded.space = Space::shared;
      if (space == "local") decoded.space = Space::local;
      if (space == "const") decoded.space = Space::constant;
      if (space == "param") decoded.space = Space::param;
    }
    routine.code.push_back(std::move(decoded));
  }
  return routine;
}

struct Machine::State {
  explicit State(const Module& parsed) : module(parsed) {
    for (const Function& function : module.functions) {
      if (!function.is_declaration) world.routines.emplace(function.name, decode(function));
    }
    std::uint64_t code_address = 16;
    for (const Function& function : module.functions) {
      world.symbols[function.name] = code_address;
      world.function_at[code_address] = function.name;
      code_address += 16;
    }
    for (const Variable& variable : module.variables) place(variable);
    for (const Variable& variable : module.variables) relocate(variable);
  }

  void place(const Variable& variable) {
    if (variable.space == Space::shared) return;
    const std::uint64_t address = allocate(variable.size);
    world.symbols[variable.name] = address;
    std::copy(variable.initial.begin(), variable.initial.end(),
              reinterpret_cast<std::uint8_t*>(world.global.data() + (address - kGlobalBase)));
  }

  // Global and constant addresses are generic addresses already, so generic() changes nothing.
  void relocate(const Variable& variable) {
    for (const Variable::Relocation& relocation : variable.relocations) {
      const std::uint64_t value = world.symbols.at(relocation.symbol) + static_cast<std::uint64_t>(relocation.addend);
      std::memcpy(world.global.data() + (world.symbols.at(variable.name) - kGlobalBase) + relocation.offset, &value, 8);
    }
  }

  std::uint64_t allocate(std::uint64_t bytes) {
    const std::uint64_t begin = (world.global.size() + 255) / 256 * 256;
    world.global.resize(begin + bytes);
    return kGlobalBase + begin;
  }

  void place_shared(Block& block, const std::vector<Variable>& variables, std::uint32_t dynamic_bytes) const {
    for (const Variable& variable : variables) {
      if (variable.space != Space::shared || variable.is_extern) continue;
      const std::uint64_t begin =
          (block.shared.size() + variable.alignment - 1) / variable.alignment * variable.alignment;
      block.shared_variables[variable.name] = begin;
      block.shared.resize(begin + variable.size);
    }
    for (const Variable& variable : variables) {
      if (variable.space != Space::shared || !variable.is_extern) continue;
      const std::uint64_t begin = (block.shared.size() + 15) / 16 * 16;
      block.shared_variables[variable.name] = begin;
      block.shared.resize(begin + dynamic_bytes);
    }
  }

  void run_block(const Routine& kernel, const Launch& launch, std::array<std::uint32_t, 3> index) {
    Block block;
    block.index = index;
    std::vector<Variable> variables = module.variables;
    variables.insert(variables.end(), kernel.function->variables.begin(), kernel.function->variables.end());
    place_shared(block, variables, launch.dynamic_shared_bytes);

    const auto [nx, ny, nz] = launch.block;
    block.threads.resize(std::size_t{nx} * ny * nz);
    Executor executor(world, launch, block);
    std::uint32_t linear = 0;
    for (std::uint32_t z = 0; z < nz; ++z) {
      for (std::uint32_t y = 0; y < ny; ++y) {
        for (std::uint32_t x = 0; x < nx; ++x, ++linear) {
          Thread& thread = block.threads[linear];
          thread.index = {x, y, z};
          thread.linear = linear;
          executor.enter(thread, kernel);
        }
      }
    }
    while (executor.advance()) {
    }
  }

  const Module& module;
  World world;
};

Machine::Machine(const Module& module) : state_(std::make_unique<State>(module)) {}
Machine::~Machine() = default;

std::uint64_t Machine::allocate(std::uint64_t bytes) {
  return state_->allocate(bytes);
}

std::span<std::byte> Machine::memory(std::uint64_t address, std::uint64_t bytes) {
  return state_->world.global_bytes(address, bytes);
}

std::uint64_t Machine::address_of(std::string_view variable) const {
  const auto found = state_->world.symbols.find(variable);
  if (found == state_->world.symbols.end()) throw MachineError("no variable " + std::string(variable));
  return found->second;
}

void Machine::launch(std::string_view kernel, const Launch& launch, std::span<const std::byte> parameters) {
  const auto found = state_->world.routines.find(kernel);
  if (found == state_->world.routines.end()) throw MachineError("no kernel " + std::string(kernel));
  state_->world.parameters.assign(parameters.begin(), parameters.end());
  for (std::uint32_t z = 0; z < launch.grid[2]; ++z) {
    for (std::uint32_t y = 0; y < launch.grid[1]; ++y) {
      for (std::uint32_t x = 0; x < launch.grid[0]; ++x) state_->run_block(found->second, launch, {x, y, z});
    }
  }
}

}  // namespace cudalabs::reference
