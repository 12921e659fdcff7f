// Parameters, arguments and results: the .param space (PTX ISA: "Parameter State Space").
//
// A kernel's parameters lie in the launch's buffer. Those of other functions travel in registers, arrays as rows of
// words. One whose address is taken gets a place in the function's frame of local memory as well: an input is copied
// there on entry, a result from there on return. So its address is one in local memory, which pointers can go through.
#include <algorithm>
#include <set>

#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/special_register.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

using ir::kNoRegister;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

constexpr std::uint64_t kMostParameterBytes = 64u << 10;
/// Beyond every thread's local memory: where an access past the end of a parameter leads.
constexpr std::uint64_t kNowhereInFrame = std::uint64_t{1} << 31;

// The parameter or result whose bytes `place` names, and which of them; empty where a register does.
const ptx::SymbolRef* symbol_of(const ptx::Address& place) {
  return std::get_if<ptx::SymbolRef>(&place.base);
}

// Input parameters and results that code uses as more than whole values: those whose address it takes, and scalars of
// which it accesses a part.
std::set<std::string> in_need_of_memory(const ptx::Function& function) {
  std::set<std::string> names;
  const auto is_part = [&](const ptx::Instruction& instruction, const ptx::SymbolRef& symbol, std::int64_t offset) {
    std::uint32_t bytes = 0;
    for (const std::string& suffix : instruction.suffixes) {
      if (const auto type = ptx::type_from_name(suffix)) bytes = ptx::size_in_bytes(*type);
    }
    for (const auto* list : {&function.parameters, &function.results}) {
      for (const ptx::Variable& variable : *list) {
        if (variable.name == symbol.name && variable.vector_size == 1 &&
            variable.size == ptx::size_in_bytes(variable.type)) {
          return offset + symbol.offset != 0 || bytes != variable.size;
        }
      }
    }
    return false;
  };
  for (const ptx::Instruction& instruction : function.instructions) {
    if (instruction.code == ptx::Opcode::call) continue;
    for (const ptx::Operand& operand : instruction.operands) {
      if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value)) names.insert(symbol->name);
      if (const auto* place = std::get_if<ptx::Address>(&operand.value)) {
        const ptx::SymbolRef* symbol = symbol_of(*place);
        if (symbol != nullptr && is_part(instruction, *symbol, place->offset)) names.insert(symbol->name);
      }
    }
  }
  return names;
}

// How many instructions may write each register; at least as many as do.
std::vector<std::uint32_t> count_writers(const ptx::Function& function) {
  std::vector<std::uint32_t> writers(function.registers.size());
  const auto note = [&](const auto& self, const ptx::Operand& operand) -> void {
    if (const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value)) ++writers[reg->index];
    if (const auto* pair = std::get_if<ptx::PredicatePair>(&operand.value)) {
      ++writers[pair->first];
      if (pair->second) ++writers[*pair->second];
    }
    if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand.value)) {
      for (const ptx::Operand& element : vector->elements) self(self, element);
    }
    if (const auto* list = std::get_if<ptx::ListOperand>(&operand.value)) {
      for (const ptx::Operand& element : list->elements) self(self, element);
    }
  };
  for (const ptx::Instruction& instruction : function.instructions) {
    if (!instruction.operands.empty()) note(note, instruction.operands[0]);
  }
  return writers;
}

}  // namespace

// --- Declarations ---------------------------------------------------------------------------------------------------

void Translator::declare_parameter(const ptx::Variable& variable) {
  ParameterPlace place;
  place.bytes = variable.size;
  const bool scalar = variable.vector_size == 1 && variable.size == ptx::size_in_bytes(variable.type);
  place.type = scalar ? variable.type : Type::none;
  place.reg = static_cast<std::uint32_t>(out_.registers.size());
  if (scalar) {
    out_.registers.push_back({variable.type, 0});
  } else {
    require(variable.size <= kMostParameterBytes, "a parameter of more than 64 KiB");
    out_.registers.push_back({Type::none, static_cast<std::uint32_t>((variable.size + 3) / 4)});
  }
  parameters_[variable.name] = place;
}

void Translator::declare_parameters() {
  if (source_.is_entry) {
    std::uint32_t offset = 0;
    for (const ptx::Variable& variable : source_.parameters) {
      const std::uint32_t alignment = std::max(1u, variable.alignment);
      offset = (offset + alignment - 1) / alignment * alignment;
      parameters_[variable.name] = {
          .type = variable.type, .bytes = variable.size, .kernel_offset = offset, .of_kernel = true};
      offset += static_cast<std::uint32_t>(variable.size);
    }
    writers_ = count_writers(source_);
    return;
  }
  // `.reg` parameters are registers already (the parser lists them in both places); `.param` ones become registers.
  const std::set<std::string> in_memory = in_need_of_memory(source_);
  const auto add = [&](const ptx::Variable& variable, std::vector<std::uint32_t>& list) {
    if (variable.space == ptx::Space::reg) {
      for (std::size_t i = 0; i < source_.registers.size(); ++i) {
        if (source_.registers[i].name == variable.name) {
          list.push_back(register_base_[i]);
          return;
        }
      }
      refuse("a register parameter that is not declared");
    }
    declare_parameter(variable);
    ParameterPlace& place = parameters_[variable.name];
    list.push_back(place.reg);
    if (in_memory.contains(variable.name)) {
      place.in_frame = true;
      place.frame_offset = reserve_in_frame(variable.size, std::max(16u, variable.alignment));
    }
  };
  for (const ptx::Variable& variable : source_.parameters) add(variable, out_.parameters);
  for (const ptx::Variable& variable : source_.results) add(variable, out_.results);
}

std::uint64_t Translator::reserve_in_frame(std::uint64_t bytes, std::uint32_t alignment) {
  const std::uint64_t offset = (frame_bytes_ + alignment - 1) / alignment * alignment;
  frame_bytes_ = offset + bytes;
  require(frame_bytes_ <= (512u << 10), "more than 512 KiB of local variables a thread");
  return offset;
}

Value Translator::frame_address(std::uint64_t offset) {
  if (source_.is_entry) return Value::of_bits(offset);  // its frame is the first
  const std::uint32_t base = temporary(Type::u64);
  emit(Opcode::special, Type::u64, {base}, {}).detail = static_cast<std::uint32_t>(Special::local_base);
  const std::uint32_t sum = temporary(Type::u64);
  emit(Opcode::add, Type::u64, {sum}, {Value::of_register(base), Value::of_bits(offset)});
  return Value::of_register(sum);
}

// Between the register a parameter or result travels in and its place in the frame.
void Translator::copy_with_frame(const ParameterPlace& place, bool to_frame) {
  if (!place.in_frame) return;
  if (place.type == Type::none) {
    Operation copy{.opcode = to_frame ? Opcode::blob_to_frame : Opcode::blob_from_frame};
    copy.detail = static_cast<std::uint32_t>(place.frame_offset);
    if (to_frame) {
      copy.uses = {Value::of_register(place.reg)};
    } else {
      copy.defs = {place.reg};
    }
    append(std::move(copy));
    return;
  }
  Operation access{.opcode = to_frame ? Opcode::store : Opcode::load, .type = place.type};
  access.memory.space = ptx::Space::local;
  access.uses = {in_register(frame_address(place.frame_offset), Type::u64)};
  if (to_frame) {
    access.uses.push_back(Value::of_register(place.reg));
  } else {
    access.defs = {place.reg};
  }
  append(std::move(access));
}

void Translator::receive_parameters() {
  if (source_.is_entry) return;
  instruction_index_ = first_instruction_;
  for (const ptx::Variable& variable : source_.parameters) {
    if (variable.space == ptx::Space::param) copy_with_frame(parameters_[variable.name], true);
  }
}

void Translator::deliver_results() {
  if (source_.is_entry) return;
  for (const ptx::Variable& variable : source_.results) {
    if (variable.space == ptx::Space::param) copy_with_frame(parameters_[variable.name], false);
  }
}

// --- Addresses ------------------------------------------------------------------------------------------------------

void Translator::parameter_address(const ptx::SymbolRef& symbol, const ptx::Operand& result, Type type) {
  const ParameterPlace& place = parameters_.find(symbol.name)->second;
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  const std::uint32_t reg = def(result, type);
  if (place.of_kernel) {
    emit(Opcode::mov, type, {reg}, {Value::of_bits(place.kernel_offset + offset)});
    const auto* written = std::get_if<ptx::RegisterRef>(&result.value);
    if (written != nullptr && writers_[written->index] == 1) parameter_pointers_[reg] = {symbol.name, symbol.offset};
    return;
  }
  require(place.in_frame, "the address of an argument variable");
  emit(Opcode::mov, type, {reg}, {resized(frame_address(place.frame_offset + offset), Type::u64, type)});
}

Value Translator::generic_parameter_address(const ptx::SymbolRef& symbol) {
  const auto found = parameters_.find(symbol.name);
  require(found != parameters_.end(), "the address of this parameter");
  const ParameterPlace& place = found->second;
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  if (place.of_kernel) return Value::of_bits(kParameterBase + place.kernel_offset + offset);
  require(place.in_frame, "the address of an argument variable");
  const std::uint32_t generic = temporary(Type::u64);
  emit(Opcode::add, Type::u64, {generic},
       {in_register(frame_address(place.frame_offset + offset), Type::u64), Value::of_bits(kLocalBase)});
  return Value::of_register(generic);
}

// Where [param + offset] or [%register + offset] leads when it is a parameter, argument or result that is known here.
const Translator::ParameterPlace* Translator::parameter(const ptx::Operand& operand, std::int64_t& offset) const {
  const auto* place = std::get_if<ptx::Address>(&operand.value);
  require(place != nullptr, "an address is needed");
  offset = place->offset;
  std::string name;
  if (const ptx::SymbolRef* symbol = symbol_of(*place)) {
    name = symbol->name;
    offset += symbol->offset;
  } else if (const auto* reg = std::get_if<ptx::RegisterRef>(&place->base)) {
    const auto found = parameter_pointers_.find(register_base_[reg->index]);
    if (found == parameter_pointers_.end()) return nullptr;
    name = found->second.first;
    offset += found->second.second;
  }
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

// --- Accesses -------------------------------------------------------------------------------------------------------

// An access of [param + offset] as one of memory, of the address space that this parameter has.
void Translator::access_in_memory(Operation operation, const ParameterPlace& place, std::int64_t offset, bool inside) {
  Value at;
  if (place.of_kernel) {
    at = Value::of_bits(place.kernel_offset + static_cast<std::uint64_t>(offset));
  } else {
    operation.memory.space = ptx::Space::local;
    at = inside ? frame_address(place.frame_offset + static_cast<std::uint64_t>(offset))
                : Value::of_bits(kNowhereInFrame);
  }
  operation.uses.insert(operation.uses.begin(), in_register(at, Type::u64));
  append(std::move(operation));
}

// `operation` is complete but for the address.
void Translator::load_parameter(Operation operation, const ptx::Operand& from) {
  std::int64_t offset = 0;
  const ParameterPlace* place = parameter(from, offset);
  if (place == nullptr) {  // through a register
    if (!source_.is_entry) operation.memory.space = ptx::Space::local;
    operation.uses = {address(from, operation.memory)};
    append(std::move(operation));
    return;
  }
  const std::uint64_t bytes = std::uint64_t{operation.memory.lanes} * ptx::size_in_bytes(operation.type);
  const bool inside = offset >= 0 && static_cast<std::uint64_t>(offset) + bytes <= place->bytes;
  if (!inside || place->in_frame) return access_in_memory(std::move(operation), *place, offset, inside);
  if (place->of_kernel) {
    operation.opcode = Opcode::load_parameter;
    operation.detail = place->kernel_offset + static_cast<std::uint32_t>(offset);
  } else if (place->type == Type::none) {
    operation.opcode = Opcode::load_blob;
    operation.detail = static_cast<std::uint32_t>(offset);
    operation.uses = {Value::of_register(place->reg)};
  } else {
    require(bytes == place->bytes && operation.memory.lanes == 1, "part of an argument variable");
    extend_into(operation.defs[0], Value::of_register(place->reg), operation.type);
    return;
  }
  append(std::move(operation));
}

// `operation` is complete but for the address; its uses are the values.
void Translator::store_parameter(Operation operation, const ptx::Operand& to) {
  std::int64_t offset = 0;
  const ParameterPlace* place = parameter(to, offset);
  if (place == nullptr) {  // through a register
    require(!source_.is_entry, "a store to a parameter of a kernel");
    operation.memory.space = ptx::Space::local;
    operation.uses.insert(operation.uses.begin(), address(to, operation.memory));
    append(std::move(operation));
    return;
  }
  require(!place->of_kernel, "a store to a parameter of a kernel");
  const std::uint64_t bytes = std::uint64_t{operation.memory.lanes} * ptx::size_in_bytes(operation.type);
  const bool inside = offset >= 0 && static_cast<std::uint64_t>(offset) + bytes <= place->bytes;
  if (!inside || place->in_frame) return access_in_memory(std::move(operation), *place, offset, inside);
  if (place->type != Type::none) {
    require(bytes == place->bytes && operation.memory.lanes == 1, "part of an argument variable");
    extend_into(place->reg, operation.uses[0], operation.type);
    return;
  }
  operation.opcode = Opcode::store_blob;
  operation.detail = static_cast<std::uint32_t>(offset);
  operation.defs = {place->reg};
  append(std::move(operation));
}

}  // namespace cudalabs::vgpu::exec
