// Backwards from uses to definitions, whatever the order of the instructions.
#include "vgpu/analysis/value_flow.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/result.h"

namespace cudalabs::vgpu {
namespace {

using Kind = ReachedMemory::Kind;

/// Addresses are computed in few steps.
constexpr int kMostSteps = 40;

const ptx::RegisterRef* register_in(const ptx::Operand& operand) {
  return std::get_if<ptx::RegisterRef>(&operand.value);
}

/// Calls `visit` with each operand, the elements of vectors and lists for themselves.
template <class Visit>
void for_each_single(const ptx::Operand& operand, const Visit& visit) {
  if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
    for (const ptx::Operand& element : vector->elements) for_each_single(element, visit);
  } else if (const auto* list = std::get_if<ptx::ListOperand>(&operand.value)) {
    for (const ptx::Operand& element : list->elements) for_each_single(element, visit);
  } else {
    visit(operand);
  }
}

/// `bar.red` gives what all threads of the block have brought together; other barriers have no result.
bool is_reduction_at_barrier(const ptx::Instruction& instruction) {
  return (instruction.code == ptx::Opcode::bar || instruction.code == ptx::Opcode::barrier) &&
         has_suffix_named(instruction, "red");
}

bool writes_first(const ptx::Instruction& instruction) {
  return (ptx::has_result(instruction) || is_reduction_at_barrier(instruction)) && !instruction.operands.empty();
}

const ptx::Operand* address_in(const ptx::Instruction& instruction) {
  const auto found = std::ranges::find_if(instruction.operands, [](const ptx::Operand& operand) {
    return std::holds_alternative<ptx::Address>(operand.value);
  });
  return found == instruction.operands.end() ? nullptr : &*found;
}

const std::string* parameter_in(const ptx::Instruction& instruction) {
  const ptx::Operand* operand = address_in(instruction);
  const auto* symbol =
      operand == nullptr ? nullptr : std::get_if<ptx::SymbolRef>(&std::get<ptx::Address>(operand->value).base);
  return symbol == nullptr ? nullptr : &symbol->name;
}

std::vector<std::string> names_in_list(const ptx::Operand& operand) {
  std::vector<std::string> names;
  for_each_single(operand, [&](const ptx::Operand& element) {
    if (const auto* symbol = std::get_if<ptx::SymbolRef>(&element.value)) names.push_back(symbol->name);
  });
  return names;
}

bool accesses_parameter(const ptx::Instruction& instruction) {
  return has_suffix_named(instruction, "param");
}

}  // namespace

bool is_load(const ptx::Instruction& instruction) {
  return instruction.code == ptx::Opcode::ld || instruction.code == ptx::Opcode::ldu;
}

bool is_store(const ptx::Instruction& instruction) {
  return instruction.code == ptx::Opcode::st || instruction.code == ptx::Opcode::atom ||
         instruction.code == ptx::Opcode::red;
}

bool has_suffix_named(const ptx::Instruction& instruction, std::string_view name) {
  return std::ranges::any_of(instruction.suffixes, [&](std::string_view suffix) {
    return suffix == name || (suffix.starts_with(name) && suffix.substr(name.size()).starts_with("::"));
  });
}

bool ReachedMemory::meets(const ReachedMemory& other) const {
  if (kind == Kind::unknown || kind != other.kind || name != other.name || function != other.function) return false;
  // Variables of a thread lie in one array: those that are not indexed are where they are.
  if (kind != Kind::local) return true;
  if (indexed && other.indexed) return offset == other.offset;
  return indexed ? other.offset >= offset : other.indexed ? offset >= other.offset : offset == other.offset;
}

ValueFlow::ValueFlow(const ptx::Module& module) : module_(module) {
  std::size_t size = 0;
  for (const ptx::Function& function : module.functions) {
    first_.push_back(size);
    size += function.instructions.size();
  }
  memory_numbers_.resize(size);
  sources_.resize(size);
  sources_known_.resize(size);
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    auto& defined = definitions_.emplace_back(function.registers.size());
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const ptx::Instruction& instruction = function.instructions[i];
      if (instruction.code == ptx::Opcode::call) add_call({f, i});
      if (is_store(instruction) && !accesses_parameter(instruction)) stores_.push_back({f, i});
      if (!writes_first(instruction) && !is_load(instruction)) continue;
      if (instruction.operands.empty()) continue;
      for_each_single(instruction.operands.front(), [&](const ptx::Operand& operand) {
        if (const auto* reg = register_in(operand)) defined[reg->index].push_back(i);
        const auto* pair = std::get_if<ptx::PredicatePair>(&operand.value);
        if (pair == nullptr) return;
        defined[pair->first].push_back(i);
        if (pair->second) defined[*pair->second].push_back(i);
      });
    }
  }
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const auto& code = module.functions[f].instructions;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      const ptx::Operand* address = address_in(code[i]);
      if (address == nullptr || (!is_load(code[i]) && !is_store(code[i])) || accesses_parameter(code[i])) continue;
      memory_numbers_[number_of({f, i})] = static_cast<std::uint32_t>(memories_.size());
      memories_.push_back(memory_at(f, *address, kMostSteps));
    }
  }
}

void ValueFlow::add_call(CodePlace place) {
  const ptx::Instruction& call = at(place);
  if (call.operands.size() < 3) return;
  const auto* target = std::get_if<ptx::SymbolRef>(&call.operands[1].value);
  if (target == nullptr) return;
  const auto callee = std::ranges::find(module_.functions, target->name, &ptx::Function::name);
  if (callee == module_.functions.end()) return;
  calls_.push_back({place, static_cast<std::uint32_t>(callee - module_.functions.begin()),
                    names_in_list(call.operands[2]), names_in_list(call.operands[0])});
}

const ReachedMemory& ValueFlow::memory_of(CodePlace place) const {
  return memories_[memory_numbers_[number_of(place)]];
}

void ValueFlow::add_defined(CodePlace place, const ptx::Operand& operand, std::vector<CodePlace>& to) const {
  const auto& registers = module_.functions[place.function].registers;
  const ptx::Instruction& instruction = at(place);
  const auto add = [&](std::uint32_t reg) {
    for (const std::uint32_t definition : definitions(place.function, reg)) to.push_back({place.function, definition});
  };
  const ptx::RegisterRef* result = writes_first(instruction) ? register_in(instruction.operands.front()) : nullptr;
  const bool decides =
      instruction.code == ptx::Opcode::setp || (result != nullptr && registers[result->index].type == ptx::Type::pred);
  for_each_single(operand, [&](const ptx::Operand& element) {
    const auto* reg = register_in(element);
    if (reg != nullptr && (decides || registers[reg->index].type != ptx::Type::pred)) add(reg->index);
  });
}

std::vector<CodePlace> ValueFlow::stores_of_parameter(std::uint32_t function, const std::string& name) const {
  std::vector<CodePlace> stores;
  const auto& code = module_.functions[function].instructions;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].code != ptx::Opcode::st || !accesses_parameter(code[i])) continue;
    const std::string* stored = parameter_in(code[i]);
    if (stored != nullptr && *stored == name) stores.push_back({function, i});
  }
  return stores;
}

std::vector<std::vector<CodePlace>> ValueFlow::callers() const {
  std::vector<std::vector<CodePlace>> places(module_.functions.size());
  for (const Call& call : calls_) places[call.callee].push_back(call.place);
  return places;
}

/// Of what a function was called with, or of what a call gave back.
std::vector<CodePlace> ValueFlow::sources_of_parameter(CodePlace load) const {
  std::vector<CodePlace> sources;
  const std::string* name = parameter_in(at(load));
  if (name == nullptr) return sources;
  const ptx::Function& function = module_.functions[load.function];
  const auto parameter = std::ranges::find(function.parameters, *name, &ptx::Variable::name);
  const auto number = static_cast<std::size_t>(parameter - function.parameters.begin());
  const auto add = [&](std::uint32_t in, const std::string& of) {
    const std::vector<CodePlace> stores = stores_of_parameter(in, of);
    sources.insert(sources.end(), stores.begin(), stores.end());
  };
  for (const Call& call : calls_) {
    if (parameter != function.parameters.end()) {
      if (call.callee == load.function && number < call.arguments.size())
        add(call.place.function, call.arguments[number]);
      continue;
    }
    if (call.place.function != load.function || std::ranges::find(call.results, *name) == call.results.end()) continue;
    for (const ptx::Variable& result : module_.functions[call.callee].results) add(call.callee, result.name);
  }
  return sources;
}

std::span<const CodePlace> ValueFlow::sources(CodePlace place) const {
  const std::size_t number = number_of(place);
  if (!sources_known_[number]) {
    std::vector<CodePlace> found = found_sources(place);
    sources_known_[number] = true;
    if (found.size() <= sources_left_) {
      sources_left_ -= found.size();
      sources_[number] = std::move(found);
    }
  }
  return sources_[number];
}

std::vector<CodePlace> ValueFlow::found_sources(CodePlace place) const {
  std::vector<CodePlace> found;
  const ptx::Instruction& instruction = at(place);
  if (instruction.code == ptx::Opcode::call) return found;
  if (is_load(instruction)) {
    if (accesses_parameter(instruction)) return sources_of_parameter(place);
    const ReachedMemory& memory = memory_of(place);
    if (memory.kind != Kind::shared && memory.kind != Kind::local) return found;
    std::ranges::copy_if(stores_, std::back_inserter(found),
                         [&](CodePlace store) { return memory_of(store).meets(memory); });
    return found;
  }
  const std::size_t first = writes_first(instruction) ? 1 : 0;
  for (std::size_t i = first; i < instruction.operands.size(); ++i) add_defined(place, instruction.operands[i], found);
  return found;
}

std::vector<CodePlace> ValueFlow::address_sources(CodePlace place) const {
  std::vector<CodePlace> found;
  const ptx::Operand* operand = address_in(at(place));
  const auto* base =
      operand == nullptr ? nullptr : std::get_if<ptx::RegisterRef>(&std::get<ptx::Address>(operand->value).base);
  if (base == nullptr) return found;
  for (const std::uint32_t definition : definitions(place.function, base->index))
    found.push_back({place.function, definition});
  return found;
}

std::vector<CodePlace> ValueFlow::all_sources(const std::vector<CodePlace>& from,
                                              const std::function<bool(CodePlace)>& wanted) const {
  std::vector<CodePlace> found;
  std::vector<bool> known(sources_.size());  // by number of the instruction
  const auto add = [&](std::span<const CodePlace> places) {
    for (const CodePlace place : places) {
      if (found.size() == kMostSources) return;
      if (known[number_of(place)] || !wanted(place)) continue;
      known[number_of(place)] = true;
      found.push_back(place);
    }
  };
  for (const CodePlace place : from) add(sources(place));
  for (std::size_t i = 0; i < found.size() && visits_left_ > 0; ++i, --visits_left_) add(sources(found[i]));
  return found;
}

ReachedMemory ValueFlow::memory_of_symbol(std::uint32_t function, const std::string& name, std::int64_t offset) const {
  const auto as = [&](const std::vector<ptx::Variable>& variables) -> const ptx::Variable* {
    const auto found = std::ranges::find(variables, name, &ptx::Variable::name);
    return found == variables.end() ? nullptr : &*found;
  };
  const ptx::Variable* variable = as(module_.functions[function].variables);
  if (variable == nullptr) variable = as(module_.variables);
  if (variable == nullptr) return {};
  switch (variable->space) {
    case ptx::Space::shared:
      return {Kind::shared, name, 0, offset, false};
    case ptx::Space::local:
      return {Kind::local, name, function, offset, false};
    default:
      return {Kind::variable, name, 0, offset, false};
  }
}

ReachedMemory ValueFlow::memory_at(std::uint32_t function, const ptx::Operand& operand, int depth) {
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value))
    return memory_of_symbol(function, symbol->name, symbol->offset);
  if (const auto* reg = register_in(operand)) return memory_in(function, reg->index, depth);
  const auto* address = std::get_if<ptx::Address>(&operand.value);
  if (address == nullptr) return {};
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&address->base))
    return memory_of_symbol(function, symbol->name, symbol->offset + address->offset);
  const auto* base = std::get_if<ptx::RegisterRef>(&address->base);
  if (base == nullptr) return {};
  ReachedMemory memory = memory_in(function, base->index, depth);
  memory.offset += address->offset;
  return memory;
}

ReachedMemory ValueFlow::memory_in(std::uint32_t function, std::uint32_t reg, int depth) {
  const auto [known, is_new] = pointers_.try_emplace({function, reg});  // unknown, where it depends on itself
  if (!is_new || depth == 0) return known->second;
  for (const std::uint32_t definition : definitions(function, reg)) {
    ReachedMemory memory = memory_from({function, definition}, depth - 1);
    if (memory.kind == Kind::unknown) continue;
    memory.indexed = memory.indexed || definitions(function, reg).size() > 1;
    return known->second = memory;
  }
  return {};
}

/// What the pointer points to that the instruction computes.
ReachedMemory ValueFlow::memory_from(CodePlace place, int depth) {
  const auto& operands = at(place).operands;
  switch (at(place).code) {
    case ptx::Opcode::mov:
    case ptx::Opcode::cvt:  // nvcc widens addresses of shared memory, which have 32 bits, to generic ones
    case ptx::Opcode::cvta:
      return operands.size() > 1 ? memory_at(place.function, operands[1], depth) : ReachedMemory{};
    case ptx::Opcode::add:
    case ptx::Opcode::sub:
      return memory_of_sum(place, depth);
    case ptx::Opcode::mad: {
      ReachedMemory memory = operands.size() == 4 ? memory_at(place.function, operands[3], depth) : ReachedMemory{};
      memory.indexed = true;
      return memory;
    }
    case ptx::Opcode::ld:
      return memory_of_loaded(place, depth);
    default:
      return {};
  }
}

ReachedMemory ValueFlow::memory_of_sum(CodePlace place, int depth) {
  const ptx::Instruction& sum = at(place);
  if (sum.operands.size() != 3) return {};
  for (const std::size_t base : {std::size_t{1}, std::size_t{2}}) {
    ReachedMemory memory = memory_at(place.function, sum.operands[base], depth);
    if (memory.kind == Kind::unknown) continue;
    const auto* constant = std::get_if<ptx::IntegerImmediate>(&sum.operands[3 - base].value);
    memory.indexed = memory.indexed || constant == nullptr;
    const auto bytes = constant == nullptr ? 0 : static_cast<std::int64_t>(constant->bits);
    memory.offset += sum.code == ptx::Opcode::add ? bytes : -bytes;
    return memory;
  }
  return {};
}

/// A pointer that a kernel or a function was given, or that was kept in a variable of the thread.
ReachedMemory ValueFlow::memory_of_loaded(CodePlace place, int depth) {
  const ptx::Instruction& load = at(place);
  const ptx::Function& in = module_.functions[place.function];
  std::vector<CodePlace> kept;
  if (accesses_parameter(load)) {
    const std::string* name = parameter_in(load);
    if (name != nullptr && in.is_entry &&
        std::ranges::find(in.parameters, *name, &ptx::Variable::name) != in.parameters.end())
      return {Kind::parameter, *name, place.function, 0, false};
    kept = sources_of_parameter(place);
  } else if (const ptx::Operand* address = address_in(load)) {
    const ReachedMemory slot = memory_at(place.function, *address, depth);
    if (slot.kind != Kind::local || slot.indexed || steps_left_ < stores_.size()) return {};
    steps_left_ -= stores_.size();
    for (const CodePlace store : stores_) {
      const ptx::Operand* to = address_in(at(store));
      const bool plain = store.function == place.function && at(store).code == ptx::Opcode::st && to != nullptr;
      if (plain && memory_at(store.function, *to, depth).meets(slot)) kept.push_back(store);
    }
  }
  for (const CodePlace store : kept) {
    if (at(store).operands.size() < 2) continue;
    const ReachedMemory memory = memory_at(store.function, at(store).operands[1], depth);
    if (memory.kind != Kind::unknown) return memory;
  }
  return {};
}

}  // namespace cudalabs::vgpu
