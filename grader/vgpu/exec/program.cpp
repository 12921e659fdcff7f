// A module ready to run: its instructions as a flat list that observers can ask about, its kernels and its functions.
#include "vgpu/exec/program.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <variant>

#include "vgpu/analysis/text_blocks.h"
#include "vgpu/exec/decode/build_kernel.h"
#include "vgpu/exec/decode/instruction_info.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/ptx/module.h"
#include "vgpu/ptx/shared_names.h"

namespace cudalabs::vgpu {

using exec::Surroundings;

UnsupportedPtx::UnsupportedPtx(std::uint32_t line, const std::string& message, ptx::Defect defect, ptx::Location place)
    : std::runtime_error("PTX line " + std::to_string(line) + ": " + message),
      line_(line),
      defect_(defect),
      place_(place) {}

namespace {

constexpr std::uint64_t kCodeStep = 16;  // bytes of address between functions
constexpr std::uint64_t kLargestHostPage = 64 << 10;
constexpr std::uint64_t kFourGiB = std::uint64_t{1} << 32;

std::uint64_t code_address(std::size_t function) {
  return kCodeBase + (function + 1) * kCodeStep;
}

// Every variable gets memory of its own: zeros, then what the module says.
void place_variables(const ptx::Module& module, GlobalMemory& memory, Surroundings& surroundings,
                     std::vector<GlobalVariable>& variables) {
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    if (variable.is_extern) continue;  // what uses it is refused
    const bool constant = variable.space == ptx::Space::constant;
    const std::uint64_t address =
        memory.allocate(variable.size, 0, constant ? AllocationKind::constant : AllocationKind::variable,
                        display_name(variable.name), variable.is_managed ? kLargestHostPage : 0);
    if (address == 0) throw UnsupportedPtx(variable.ptx_line, "no memory for the variable `" + variable.name + "`");
    memory.fill(address, 0, variable.size);
    surroundings.variables[variable.name] = address;
    if (constant && address + variable.size - kGlobalBase > kFourGiB) surroundings.narrow_constants = false;
    const bool floating = variable.type == ptx::Type::f32 || variable.type == ptx::Type::f64;
    variables.push_back({variable.name, address, variable.size, constant, variable.is_managed, floating});
  }
  const std::set<std::string_view> shared = ptx::shared_names(module);
  for (const ptx::Variable& variable : module.variables) {
    const auto placed = surroundings.variables.find(variable.name);
    if (placed == surroundings.variables.end() || variable.initial.empty()) continue;
    std::vector<std::uint8_t> bytes = variable.initial;
    for (const ptx::Variable::Relocation& relocation : variable.relocations) {
      std::uint64_t value = static_cast<std::uint64_t>(relocation.addend);
      if (const auto at = surroundings.variables.find(relocation.symbol); at != surroundings.variables.end()) {
        value += at->second;
      } else if (const auto code = surroundings.functions.find(relocation.symbol);
                 code != surroundings.functions.end()) {
        value += code->second;
      } else if (shared.contains(relocation.symbol)) {
        surroundings.shared_pointers.push_back({placed->second + relocation.offset, variable.name, relocation});
      } else {
        throw UnsupportedPtx(variable.ptx_line, "`" + variable.name + "` is initialised with the address of `" +
                                                    relocation.symbol + "`, which has none");
      }
      std::memcpy(bytes.data() + relocation.offset, &value,
                  std::min<std::size_t>(sizeof value, bytes.size() - relocation.offset));
    }
    memory.copy_in(placed->second, std::as_bytes(std::span(bytes)));
  }
}

using Definitions = decltype(Surroundings::definitions);

/// In the order of the program's instructions.
std::vector<DirectCall> direct_calls(const ptx::Module& module, const Definitions& definitions) {
  std::vector<DirectCall> calls;
  std::uint32_t number = 0;
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.instructions) {
      const std::uint32_t own = number++;
      if (instruction.code != ptx::Opcode::call || instruction.operands.size() < 2) continue;
      const auto* target = std::get_if<ptx::SymbolRef>(&instruction.operands[1].value);
      const auto found = target == nullptr ? definitions.end() : definitions.find(target->name);
      if (found == definitions.end()) continue;
      calls.push_back({own, static_cast<std::uint32_t>(found->second - module.functions.data())});
    }
  }
  return calls;
}

}  // namespace

Program::Program(const ptx::Module& module, GlobalMemory& memory)
    : files_(module.files), calls_(module.calls), memory_(memory) {
  constexpr std::size_t kLongestPath = 1024;  // it is told again with every place in the file
  for (std::string& file : files_) file.resize(std::min(file.size(), kLongestPath));
  Surroundings surroundings;
  surroundings.module = &module;
  std::vector<std::uint32_t> first_instruction;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const ptx::Function& function = module.functions[i];
    surroundings.functions[function.name] = code_address(i);
    surroundings.definitions[function.name] = &function;
    FunctionInfo info;
    info.name = function.name;
    info.display = display_name(function.name);
    info.kernel = function.is_entry;
    info.first = static_cast<std::uint32_t>(instructions_.size());
    info.count = static_cast<std::uint32_t>(function.instructions.size());
    info.ptx_line = function.ptx_line;
    first_instruction.push_back(info.first);
    const std::vector<bool> always =
        function.is_entry ? always_executed(function) : std::vector<bool>(function.instructions.size());
    for (std::size_t at = 0; at < function.instructions.size(); ++at) {
      const ptx::Instruction& instruction = function.instructions[at];
      InstructionInfo described = exec::describe_instruction(instruction);
      described.function = static_cast<std::uint32_t>(i);
      described.always = always[at];
      if (instruction.location.line != 0) {
        described.file = instruction.location.file;
        described.line = instruction.location.line;
        described.column = instruction.location.column;
        described.call = instruction.call;
      }
      instructions_.push_back(described);
    }
    functions_.push_back(std::move(info));
  }
  for (const auto& [name, target] : module.aliases) {
    const auto found = surroundings.definitions.find(target);
    if (found == surroundings.definitions.end()) continue;
    surroundings.definitions[name] = found->second;
    surroundings.functions[name] = surroundings.functions[target];
  }
  direct_calls_ = direct_calls(module, surroundings.definitions);
  try {
    place_variables(module, memory, surroundings, variables_);
    exec::SharedAddresses shared_addresses;
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
      const ptx::Function& function = module.functions[i];
      if (!function.is_entry || function.is_declaration) continue;
      exec::BuiltKernel built;
      KernelInfo info;
      try {
        built = exec::build_kernel(surroundings, static_cast<std::uint32_t>(i), first_instruction, instructions_);
        if (!exec::add_addresses(shared_addresses, built.shared_addresses)) {
          throw UnsupportedPtx(function.ptx_line,
                               "a variable begins with the address of a shared variable, which has another place in "
                               "another kernel");
        }
      } catch (const UnsupportedPtx& why) {
        info.refusal = why;
      }
      info.name = function.name;
      info.display = functions_[i].display;
      info.function = static_cast<std::uint32_t>(i);
      for (const ptx::Variable& parameter : function.parameters) {
        const std::uint32_t alignment = std::max(1u, parameter.alignment);
        info.parameter_bytes = (info.parameter_bytes + alignment - 1) / alignment * alignment;
        info.parameters.push_back({info.parameter_bytes, static_cast<std::uint32_t>(parameter.size)});
        info.parameter_bytes += static_cast<std::uint32_t>(parameter.size);
      }
      if (info.parameter_bytes > 32764) {
        throw UnsupportedPtx(function.ptx_line, "more than 32,764 bytes of kernel parameters");
      }
      info.static_shared_bytes = built.static_shared_bytes;
      info.shared = std::move(built.shared);
      info.local_bytes = built.local_bytes;
      info.registers = built.registers;
      info.max_threads = function.max_threads.value_or(1024);
      info.concurrent = built.concurrent;
      info.allocates = built.allocates;
      info.uses_grid_group = built.uses_grid_group;
      info.uses_clusters = built.uses_clusters;
      info.copies_in_bulk = built.code != nullptr && !built.code->bulk_copies.empty();
      if (function.required_cluster) info.required_cluster = Index3(*function.required_cluster);
      info.explicit_cluster = function.explicit_cluster;
      info.most_cluster_blocks = function.most_cluster_blocks;
      info.functions = std::move(built.functions);
      kernel_numbers_.emplace(info.name, kernels_.size());
      kernels_.push_back(std::move(info));
      codes_.push_back(std::move(built.code));
    }
    exec::write_addresses(memory, shared_addresses);
  } catch (...) {
    for (const GlobalVariable& variable : variables_) {
      memory.free(variable.address, 0, variable.constant ? AllocationKind::constant : AllocationKind::variable);
    }
    throw;
  }
}

Program::~Program() {
  for (const GlobalVariable& variable : variables_) {
    memory_.free(variable.address, 0, variable.constant ? AllocationKind::constant : AllocationKind::variable);
  }
}

const KernelInfo* Program::find_kernel(std::string_view mangled) const {
  const auto found = kernel_numbers_.find(mangled);
  return found == kernel_numbers_.end() ? nullptr : &kernels_[found->second];
}

const KernelInfo* Program::kernel_at(std::uint64_t address) const {
  const std::uint64_t function = (address - kCodeBase) / kCodeStep - 1;
  if (address % kCodeStep != 0 || address <= kCodeBase || function >= functions_.size()) return nullptr;
  return kernel_of(static_cast<std::uint32_t>(function));
}

const KernelInfo* Program::kernel_of(std::uint32_t function) const {
  const auto found = std::ranges::find(kernels_, function, &KernelInfo::function);
  return found == kernels_.end() ? nullptr : &*found;
}

SourcePlace Program::location(std::uint32_t instruction) const {
  const InstructionInfo& info = instructions_[instruction];
  if (info.line == 0) return {};
  return {files_[info.file], info.line, info.column};
}

std::vector<SourcePlace> Program::calls(std::uint32_t instruction) const {
  constexpr std::size_t kMostCalls = 256;
  std::vector<SourcePlace> calls;
  for (std::uint32_t call = instructions_[instruction].call; call != 0; call = calls_[call].caller) {
    if (calls.size() == kMostCalls) return {};
    const ptx::Location& at = calls_[call].at;
    calls.push_back({files_[at.file], at.line, at.column});
  }
  std::ranges::reverse(calls);
  return calls;
}

std::vector<std::uint32_t> Program::calls_leading_to(std::uint32_t function, const KernelInfo& kernel) const {
  std::multimap<std::uint32_t, std::uint32_t> callers;  // by function
  for (const DirectCall& call : direct_calls_) callers.emplace(call.callee, instructions_[call.instruction].function);
  std::set<std::uint32_t> leading{function};
  std::vector<std::uint32_t> left{function};
  while (!left.empty()) {
    const auto [first, last] = callers.equal_range(left.back());
    left.pop_back();
    for (auto caller = first; caller != last; ++caller)
      if (leading.insert(caller->second).second) left.push_back(caller->second);
  }
  std::vector<std::uint32_t> calls;
  for (const DirectCall& call : direct_calls_) {
    const bool of_kernel = instructions_[call.instruction].function == kernel.function;
    if (of_kernel && leading.contains(call.callee)) calls.push_back(call.instruction);
  }
  return calls;
}

const exec::KernelCode& Program::code(const KernelInfo& kernel) const {
  return *codes_[static_cast<std::size_t>(&kernel - kernels_.data())];
}

}  // namespace cudalabs::vgpu
