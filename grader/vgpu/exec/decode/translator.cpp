// The frame of the translation: declarations, blocks, operands. The instructions themselves are in translate_*.cpp.
#include "vgpu/exec/decode/translator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "vgpu/exec/handlers/lane_form.h"
#include "vgpu/exec/program.h"
#include "vgpu/exec/special_register.h"
#include "vgpu/memory/address_space.h"

namespace cudalabs::vgpu::exec {

using ir::kNoRegister;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

std::uint32_t row_width(Type type) {
  switch (type) {
    case Type::pred:
      return 0;
    case Type::b8:
    case Type::u8:
    case Type::s8:
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16:
      return 2;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64:
      return 8;
    default:
      return 4;
  }
}

Translator::Translator(const Surroundings& surroundings, const ptx::Function& function, std::uint32_t first_instruction)
    : surroundings_(surroundings), source_(function), first_instruction_(first_instruction) {}

void Translator::refuse(const std::string& why, ptx::Defect defect) const {
  if (instruction_ == nullptr) throw UnsupportedPtx(source_.ptx_line, "`" + source_.name + "`: " + why, defect);
  std::string name = instruction_->opcode;
  for (const std::string& suffix : instruction_->suffixes) name += "." + suffix;
  throw UnsupportedPtx(instruction_->ptx_line, "`" + name + "`: " + why, defect, instruction_->location);
}

// --- Declarations ---------------------------------------------------------------------------------------------------

void Translator::declare_registers() {
  register_base_.reserve(source_.registers.size());
  for (const ptx::Register& declared : source_.registers) {
    if (declared.type == Type::b128) refuse("128-bit registers are not supported");
    register_base_.push_back(static_cast<std::uint32_t>(out_.registers.size()));
    for (std::uint32_t i = 0; i < declared.vector_size; ++i) out_.registers.push_back({declared.type, 0});
  }
}

void Translator::declare_local_variables() {
  for (const ptx::Variable& variable : source_.variables) {
    if (variable.space == ptx::Space::param) {
      declare_parameter(variable);
    } else if (variable.space == ptx::Space::local) {
      local_[variable.name] = reserve_in_frame(variable.size, std::max(1u, variable.alignment));
    }
  }
  out_.local_bytes = static_cast<std::uint32_t>((frame_bytes_ + 15) / 16 * 16);
}

// --- Blocks ---------------------------------------------------------------------------------------------------------

void Translator::find_blocks() {
  block_of_.assign(source_.instructions.size() + 1, kNoRegister);
  for (const auto& [name, index] : source_.labels) {
    if (block_of_[index] == kNoRegister) block_of_[index] = new_block();
  }
}

std::uint32_t Translator::block_at(const std::string& label) const {
  const auto found = source_.labels.find(label);
  if (found == source_.labels.end()) refuse("no label `" + label + "` in this function");
  return block_of_[found->second];
}

std::uint32_t Translator::new_block() {
  out_.blocks.emplace_back();
  return static_cast<std::uint32_t>(out_.blocks.size() - 1);
}

void Translator::start_block(std::uint32_t block) {
  current_ = block;
}

bool Translator::block_is_open() const {
  const ir::Block& block = out_.blocks[current_];
  return block.operations.empty() || !ir::ends_block(block.operations.back().opcode);
}

ir::Function Translator::translate() {
  declare_registers();
  declare_parameters();
  declare_local_variables();
  start_block(new_block());
  find_blocks();
  receive_parameters();
  for (std::uint32_t index = 0; index < source_.instructions.size(); ++index) translate_instruction(index);

  // Falling off the end of a function is a return.
  const std::size_t end = source_.instructions.size();
  instruction_ = nullptr;
  if (block_of_[end] != kNoRegister) {
    if (block_is_open()) terminate({.opcode = Opcode::jump, .targets = {block_of_[end]}});
    start_block(block_of_[end]);
  }
  if (block_is_open()) return_from_function();
  return std::move(out_);
}

void Translator::translate_instruction(std::uint32_t index) {
  if (block_of_[index] != kNoRegister) {
    if (block_is_open()) terminate({.opcode = Opcode::jump, .targets = {block_of_[index]}});
    start_block(block_of_[index]);
  } else if (!block_is_open()) {
    start_block(new_block());  // unreachable code after a jump
  }
  instruction_ = &source_.instructions[index];
  instruction_index_ = first_instruction_ + index;
  if (instruction_->code == ptx::Opcode::unknown) refuse("PTX has no such instruction", ptx::Defect::malformed);
  const ptx::InstructionFacts& facts = ptx::facts_of(instruction_->code);
  Suffixes suffixes(instruction_->suffixes);
  const std::uint32_t entered = current_;
  if (const LaneForm* form = find_lane_form(*instruction_)) {
    translate_lanes(*form, *instruction_);
  } else {
    translate_as(facts.family, *instruction_, suffixes);
    if (!suffixes.empty()) refuse("the virtual GPU does not execute this form of the instruction");
  }
  // Unguarded instructions count with the block they began in; guarded ones keep their own count (see open_guard).
  if (!instruction_->guard || facts.counts_all()) out_.blocks[entered].counted.push_back(instruction_index_);
}

// --- Emitting -------------------------------------------------------------------------------------------------------

Operation& Translator::append(Operation operation) {
  operation.instruction = instruction_index_;
  if (instruction_ != nullptr && instruction_->guard && !after_guard_ && !ir::ends_block(operation.opcode)) {
    operation.guard = register_base_[instruction_->guard->predicate];
    operation.guard_negated = instruction_->guard->negated;
  }
  out_.blocks[current_].operations.push_back(std::move(operation));
  return out_.blocks[current_].operations.back();
}

Operation& Translator::emit(Opcode opcode, Type type, std::vector<std::uint32_t> defs, std::vector<Value> uses) {
  Operation operation;
  operation.opcode = opcode;
  operation.type = type;
  operation.defs = std::move(defs);
  operation.uses = std::move(uses);
  return append(std::move(operation));
}

void Translator::terminate(Operation operation) {
  operation.instruction = instruction_index_;
  out_.blocks[current_].operations.push_back(std::move(operation));
}

void Translator::emit_ending_block(Operation operation) {
  const std::uint32_t next = new_block();
  operation.targets = {next};
  terminate(std::move(operation));
  start_block(next);
}

void Translator::open_guard() {
  if (!instruction_->guard) return;
  const std::uint32_t inside = new_block();
  after_guard_ = new_block();
  Operation branch{.opcode = Opcode::branch};
  branch.uses = {Value::of_register(register_base_[instruction_->guard->predicate])};
  branch.flag = instruction_->guard->negated;
  branch.targets = {inside, *after_guard_};
  terminate(std::move(branch));
  start_block(inside);
  out_.blocks[inside].counted.push_back(instruction_index_);
}

void Translator::close_guard() {
  if (!after_guard_) return;
  if (block_is_open()) terminate({.opcode = Opcode::jump, .targets = {*after_guard_}});
  start_block(*after_guard_);
  after_guard_.reset();
}

std::uint32_t Translator::temporary(Type type) {
  out_.registers.push_back({type, 0});
  return static_cast<std::uint32_t>(out_.registers.size() - 1);
}

// --- Operands -------------------------------------------------------------------------------------------------------

const ptx::Operand& Translator::operand(const ptx::Instruction& instruction, std::size_t index) const {
  if (index >= instruction.operands.size()) refuse("too few operands", ptx::Defect::malformed);
  return instruction.operands[index];
}

void Translator::expect_operands(const ptx::Instruction& instruction, std::size_t least, std::size_t most) const {
  if (instruction.operands.size() < least) refuse("too few operands", ptx::Defect::malformed);
  if (instruction.operands.size() > most) refuse("too many operands");
}

std::uint32_t Translator::register_of(const ptx::Operand& operand, std::uint32_t index) const {
  const ptx::Register& declared = source_.registers[index];
  if (!operand.component) {
    require(declared.vector_size == 1, "a vector register where a scalar is needed");
    return register_base_[index];
  }
  static constexpr std::string_view kComponents = "xyzw";
  static constexpr std::string_view kColours = "rgba";
  std::size_t component = kComponents.find(*operand.component);
  if (component == std::string_view::npos) component = kColours.find(*operand.component);
  require(component < declared.vector_size, "no such component of the vector register");
  return register_base_[index] + static_cast<std::uint32_t>(component);
}

// The address of a variable or function, in its own space.
Value Translator::symbol_value(const ptx::SymbolRef& symbol) {
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  if (const auto found = local_.find(symbol.name); found != local_.end()) {
    return frame_address(found->second + offset);
  }
  if (const auto found = surroundings_.shared.find(symbol.name); found != surroundings_.shared.end()) {
    return Value::of_bits(found->second + offset);
  }
  if (const auto found = surroundings_.variables.find(symbol.name); found != surroundings_.variables.end()) {
    return Value::of_bits(found->second + offset);
  }
  if (const auto found = surroundings_.functions.find(symbol.name); found != surroundings_.functions.end()) {
    return Value::of_bits(found->second + offset);
  }
  if (std::ranges::find(surroundings_.module->variables, symbol.name, &ptx::Variable::name) !=
      surroundings_.module->variables.end()) {
    refuse("`" + symbol.name + "` is declared, and defined nowhere", ptx::Defect::undefined_variable);
  }
  refuse("`" + symbol.name + "` has no address");
}

Value Translator::use(const ptx::Operand& operand, Type type) {
  require(!operand.negated, "a negated operand that is no predicate");
  if (const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value)) {
    const std::uint32_t index = register_of(operand, reg->index);
    const Type have = out_.registers[index].type;
    require((type == Type::pred) == (have == Type::pred), "a predicate where a value is needed, or the reverse");
    if (row_width(have) < row_width(type)) refuse("an operand that is narrower than the instruction's type");
    if (row_width(have) > row_width(type)) {  // the low bits count
      const std::uint32_t narrow = temporary(type);
      emit(Opcode::cvt, type, {narrow}, {Value::of_register(index)}).source_type = have;
      return Value::of_register(narrow);
    }
    return Value::of_register(index);
  }
  if (const auto* integer = std::get_if<ptx::IntegerImmediate>(&operand.value)) {
    require(type != Type::f32 && type != Type::f64, "an integer where a floating-point number is needed");
    return Value::of_bits(integer->bits);
  }
  if (const auto* real = std::get_if<ptx::FloatImmediate>(&operand.value)) {
    if (row_width(type) == 8) {
      return Value::of_bits(real->single ? std::bit_cast<std::uint64_t>(real->value) : real->bits);
    }
    require(row_width(type) == 4, "a floating-point number of the wrong size");
    return Value::of_bits(real->single ? real->bits : std::bit_cast<std::uint32_t>(static_cast<float>(real->value)));
  }
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&operand.value)) {
    return resized(symbol_value(*symbol), Type::u64, type);
  }
  if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand.value)) {
    const std::optional<SpecialKind> kind = find_special(*special);
    if (!kind) refuse("the special register `" + special->name + "`");
    const std::uint32_t value = temporary(kind->type);
    emit(Opcode::special, kind->type, {value}, {}).detail = static_cast<std::uint32_t>(kind->special);
    return resized(Value::of_register(value), kind->type, type);
  }
  refuse("an operand of a kind this instruction does not take");
}

// The value as one of another size: its low bits, or filled up with zeros.
Value Translator::resized(Value value, Type have, Type want) {
  if (!value.is_register() || row_width(have) == row_width(want)) return value;
  const std::uint32_t converted = temporary(want);
  emit(Opcode::cvt, want, {converted}, {value}).source_type = have;
  return Value::of_register(converted);
}

Value Translator::use_predicate(const ptx::Operand& operand) {
  if (const auto* integer = std::get_if<ptx::IntegerImmediate>(&operand.value)) {
    return Value::of_bits((integer->bits != 0) != operand.negated ? kAllLanes : 0);
  }
  if (std::holds_alternative<ptx::SpecialRegister>(operand.value) && !operand.negated) {
    const Value number = in_register(use(operand, Type::u32), Type::u32);
    const std::uint32_t holds = temporary(Type::pred);
    emit(Opcode::setp, Type::u32, {holds}, {number, Value::of_bits(0)}).compare = ir::Compare::ne;
    return Value::of_register(holds);
  }
  const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value);
  require(reg != nullptr, "a predicate is needed here");
  const std::uint32_t index = register_of(operand, reg->index);
  require(out_.registers[index].type == Type::pred, "a predicate is needed here");
  if (!operand.negated) return Value::of_register(index);
  const std::uint32_t inverted = temporary(Type::pred);
  emit(Opcode::bit_not, Type::pred, {inverted}, {Value::of_register(index)});
  return Value::of_register(inverted);
}

std::uint32_t Translator::def(const ptx::Operand& operand, Type type) {
  if (std::holds_alternative<ptx::Discard>(operand.value)) return temporary(type);
  const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value);
  require(reg != nullptr && !operand.negated, "the result must be a register");
  const std::uint32_t index = register_of(operand, reg->index);
  const Type have = out_.registers[index].type;
  require((type == Type::pred) == (have == Type::pred), "a predicate where a value is needed, or the reverse");
  require(row_width(have) == row_width(type), "a result of another size than the instruction's type");
  return index;
}

Value Translator::in_register(Value value, Type type) {
  if (value.is_register()) return value;
  const std::uint32_t reg = temporary(type);
  emit(Opcode::mov, type, {reg}, {value});
  return Value::of_register(reg);
}

Type Translator::type_of(const ptx::Operand& operand) const {
  if (const auto* reg = std::get_if<ptx::RegisterRef>(&operand.value)) return source_.registers[reg->index].type;
  return Type::none;
}

Type Translator::take_type(Suffixes& suffixes) const {
  const std::optional<Type> type = suffixes.take_type();
  if (!type) refuse("no type");
  return *type;
}

std::optional<ir::Rounding> Translator::take_rounding(Suffixes& suffixes) const {
  using ir::Rounding;
  return suffixes.take_one<Rounding>({{"rn", Rounding::nearest_even},
                                      {"rz", Rounding::zero},
                                      {"rm", Rounding::down},
                                      {"rp", Rounding::up},
                                      {"rna", Rounding::nearest_away},
                                      {"rni", Rounding::integer_nearest_even},
                                      {"rzi", Rounding::integer_zero},
                                      {"rmi", Rounding::integer_down},
                                      {"rpi", Rounding::integer_up}});
}

}  // namespace cudalabs::vgpu::exec
