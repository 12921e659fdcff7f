// Changes of what an instruction works on.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "vgpu/mutation/instruction_mutants.h"
#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/result.h"

namespace cudalabs::vgpu {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

/// So many other variables are tried in the place of one.
constexpr std::size_t kMostVariables = 8;

/// Its operands are numbers that it computes with. Of others some are masks, or numbers of barriers.
bool computes(const Instruction& instruction) {
  switch (ptx::facts_of(instruction.code).family) {
    case ptx::Family::abs_or_neg:
    case ptx::Family::add_or_sub:
    case ptx::Family::cvt:
    case ptx::Family::div:
    case ptx::Family::fma:
    case ptx::Family::logic:
    case ptx::Family::mad:
    case ptx::Family::min_or_max:
    case ptx::Family::mov:
    case ptx::Family::mul:
    case ptx::Family::selp:
    case ptx::Family::set:
    case ptx::Family::setp:
    case ptx::Family::shift:
    case ptx::Family::store:
      return true;
    case ptx::Family::lanes:  // rem, among others
      return instruction.code == Opcode::rem;
    default:
      return false;
  }
}

/// The first of the operands that it reads.
std::size_t first_read(const Instruction& instruction) {
  return ptx::has_result(instruction) ? 1 : 0;
}

Mutation& add(MutationKind kind, const Instruction& instruction, std::size_t operand, Operand other,
              std::vector<Mutation>& to) {
  Mutation& mutation = to.emplace_back();
  mutation.kind = kind;
  InstructionChange& change = mutation.changes.emplace_back();
  change.mutant = instruction;
  change.mutant.operands[operand] = std::move(other);
  return mutation;
}

Operand integer(std::int64_t value) {
  return {ptx::IntegerImmediate{static_cast<std::uint64_t>(value)}, false, std::nullopt};
}

Operand real(double value, bool single) {
  const std::uint64_t bits =
      single ? std::bit_cast<std::uint32_t>(static_cast<float>(value)) : std::bit_cast<std::uint64_t>(value);
  return {ptx::FloatImmediate{value, single, bits}, false, std::nullopt};
}

/// A compiler shifts to the left where the source multiplies.
std::string number_text(const Instruction& instruction, std::size_t operand, std::int64_t value) {
  const bool is_power = instruction.code == Opcode::shl && operand == 2 && value >= 0 && value < 31;
  return fmt::format("{}", is_power ? std::int64_t{1} << value : value);
}

void add_integers(const Instruction& instruction, std::size_t operand, std::int64_t value, std::vector<Mutation>& to) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 31;
  if (value < -kLarge || value > kLarge) return;
  std::set<std::int64_t> tried{value};
  for (const std::int64_t other : {value + 1, value - 1, std::int64_t{0}, std::int64_t{1}, 2 * value, value / 2, -value,
                                   std::int64_t{2}, 4 * value}) {
    if (!tried.insert(other).second) continue;
    Mutation& mutation = add(MutationKind::constant, instruction, operand, integer(other), to);
    mutation.original = number_text(instruction, operand, value);
    mutation.replacement = number_text(instruction, operand, other);
  }
}

void add_reals(const Instruction& instruction, std::size_t operand, const ptx::FloatImmediate& number,
               std::vector<Mutation>& to) {
  std::set<double> tried{number.value};
  for (const double other : {0.0, 1.0, -number.value, 2 * number.value, number.value / 2}) {
    if (!tried.insert(other).second) continue;
    Mutation& mutation = add(MutationKind::constant, instruction, operand, real(other, number.single), to);
    mutation.original = fmt::format("{:.9g}", number.value);
    mutation.replacement = fmt::format("{:.9g}", other);
  }
}

/// Its type but for what its bits mean.
std::uint32_t width(const ptx::Register& reg) {
  const bool real = reg.type == ptx::Type::f32 || reg.type == ptx::Type::f64;
  return ptx::size_in_bytes(reg.type) * 2 + (real ? 1 : 0);
}

bool may_stand_for_another(const ptx::Register& reg) {
  return reg.vector_size == 1 && reg.type != ptx::Type::pred && reg.type != ptx::Type::none;
}

void describe(const FunctionValue& value, std::string& name, std::optional<std::uint32_t>& parameter,
              ptx::Location& place) {
  name = value.builtin;
  parameter = value.parameter;
  if (name.empty() && !parameter) place = value.where;
}

/// `make`: the operand with the register in the place of its own.
template <typename Make>
void add_variables(const ptx::Function& function, std::uint32_t number, std::size_t operand, std::uint32_t own,
                   const std::vector<FunctionValue>& values, const std::vector<std::uint32_t>& variables,
                   const Make& make, std::vector<Mutation>& to) {
  const Instruction& instruction = function.instructions[number];
  if (!may_stand_for_another(function.registers[own])) return;
  std::size_t tried = 0;
  for (const std::uint32_t reg : variables) {
    if (tried == kMostVariables) return;
    const FunctionValue& other = values[reg];
    if (reg == own || other.first_definition >= number) continue;
    if (!may_stand_for_another(function.registers[reg]) ||
        width(function.registers[reg]) != width(function.registers[own]))
      continue;
    // The same under another name.
    if (other.parameter && other.parameter == values[own].parameter) continue;
    if (!other.builtin.empty() && other.builtin == values[own].builtin) continue;
    ++tried;
    Mutation& mutation = add(MutationKind::value, instruction, operand, make(reg), to);
    describe(values[own], mutation.original, mutation.original_parameter, mutation.original_place);
    describe(other, mutation.replacement, mutation.replacement_parameter, mutation.replacement_place);
  }
}

void add_small_numbers(const ptx::Function& function, std::uint32_t number, std::size_t operand, std::uint32_t own,
                       const std::vector<FunctionValue>& values, std::vector<Mutation>& to) {
  const ptx::Type type = function.registers[own].type;
  const bool is_real = type == ptx::Type::f32 || type == ptx::Type::f64;
  if (!may_stand_for_another(function.registers[own])) return;
  for (const int small : {0, 1}) {
    Mutation& mutation = add(MutationKind::value, function.instructions[number], operand,
                             is_real ? real(small, type == ptx::Type::f32) : integer(small), to);
    describe(values[own], mutation.original, mutation.original_parameter, mutation.original_place);
    mutation.replacement = std::to_string(small);
  }
}

bool is_word(const ptx::Register& reg) {
  return reg.vector_size == 1 && ptx::size_in_bytes(reg.type) == 4 && reg.type != ptx::Type::f32 &&
         reg.type != ptx::Type::f16x2 && reg.type != ptx::Type::bf16x2;
}

/// So many factors are tried.
constexpr std::size_t kFactors = 5;

/// The register that is the `added`th of those that a mutation adds.
std::uint32_t result_of(const ptx::Function& function, std::uint32_t added) {
  return static_cast<std::uint32_t>(function.registers.size()) + added;
}

Operand operand_of(std::uint32_t reg) {
  return {ptx::RegisterRef{reg}, false, std::nullopt};
}

Instruction made(Opcode code, std::vector<std::string> suffixes, std::vector<Operand> operands) {
  Instruction instruction;
  instruction.code = code;
  instruction.opcode = ptx::facts_of(code).name;
  instruction.suffixes = std::move(suffixes);
  instruction.operands = std::move(operands);
  return instruction;
}

Instruction product(std::uint32_t result, std::uint32_t reg, Operand factor) {
  return made(Opcode::mul, {"lo", "s32"}, {operand_of(result), operand_of(reg), std::move(factor)});
}

Instruction reading(std::uint32_t result, const ptx::SpecialRegister& special) {
  return made(Opcode::mov, {"u32"}, {operand_of(result), {special, false, std::nullopt}});
}

/// "%ntid.x" for "blockDim.y"; nothing where the value is none of these along x or y.
std::optional<ptx::SpecialRegister> along_other_axis(std::string_view name) {
  for (const char* special : {"%tid", "%ctaid", "%ntid", "%nctaid"}) {
    for (const char component : {'x', 'y'}) {
      if (builtin_name({special, component}) != name) continue;
      return ptx::SpecialRegister{special, component == 'x' ? 'y' : 'x'};
    }
  }
  return std::nullopt;
}

/// The instruction with a new register in the place of the one that it reads; what computes that is for the caller to
/// say.
Mutation& add_computed(MutationKind kind, const ptx::Function& function, std::uint32_t number, std::size_t operand,
                       ptx::Type type, std::vector<Mutation>& to) {
  Mutation& mutation = add(kind, function.instructions[number], operand, operand_of(result_of(function, 0)), to);
  mutation.changes.front().registers.push_back({"%computed", type, 1});
  return mutation;
}

/// Of a store or a move its type, where that is one of numbers.
ptx::Type number_type(const Instruction& instruction) {
  if (instruction.suffixes.empty()) return ptx::Type::none;
  const ptx::Type type = ptx::type_from_name(instruction.suffixes.back()).value_or(ptx::Type::none);
  switch (type) {
    case ptx::Type::s32:
    case ptx::Type::u32:
    case ptx::Type::f32:
    case ptx::Type::f64:
      return type;
    default:
      return ptx::Type::none;
  }
}

/// A load from where the instruction stores.
Instruction load_before(const Instruction& store, std::uint32_t result) {
  Instruction load = store;
  load.code = Opcode::ld;
  load.opcode = ptx::facts_of(Opcode::ld).name;
  load.operands = {operand_of(result), store.operands[0]};
  return load;
}

/// Compilers keep `bool` in 16 bits, or choose 1 or 0: these numbers are none of the source.
bool is_of_truth(const Instruction& instruction) {
  if (instruction.suffixes.empty()) return false;
  const auto type = ptx::type_from_name(instruction.suffixes.back());
  const bool is_bit = std::ranges::all_of(instruction.operands, [](const Operand& operand) {
    const auto* number = std::get_if<ptx::IntegerImmediate>(&operand.value);
    return number == nullptr || number->bits <= 1;
  });
  return is_bit && (instruction.code == Opcode::selp || (type && ptx::size_in_bytes(*type) == 2));
}

}  // namespace

void add_constants(const Instruction& instruction, std::vector<Mutation>& to) {
  if (!computes(instruction) || is_of_truth(instruction)) return;
  for (std::size_t k = first_read(instruction); k < instruction.operands.size(); ++k) {
    const auto& value = instruction.operands[k].value;
    if (const auto* whole = std::get_if<ptx::IntegerImmediate>(&value))
      add_integers(instruction, k, static_cast<std::int64_t>(whole->bits), to);
    if (const auto* number = std::get_if<ptx::FloatImmediate>(&value)) add_reals(instruction, k, *number, to);
  }
}

void add_builtins(const Instruction& instruction, std::vector<Mutation>& to) {
  if (instruction.code != Opcode::mov || instruction.operands.size() != 2) return;
  const auto* special = std::get_if<ptx::SpecialRegister>(&instruction.operands[1].value);
  if (special == nullptr) return;
  const std::string original = builtin_name(*special);
  if (original.empty()) return;
  for (const char* name : {"%tid", "%ctaid", "%ntid", "%nctaid"}) {
    for (const char component : {'x', 'y'}) {
      const ptx::SpecialRegister other{name, component};
      if (builtin_name(other) == original) continue;
      Mutation& mutation = add(MutationKind::builtin, instruction, 1, {other, false, std::nullopt}, to);
      mutation.original = original;
      mutation.replacement = builtin_name(other);
    }
  }
}

void add_axes(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
              std::vector<Mutation>& to) {
  const Instruction& instruction = function.instructions[number];
  if (!computes(instruction) || instruction.code == Opcode::mov) return;
  for (std::size_t k = first_read(instruction); k < instruction.operands.size(); ++k) {
    const auto* reg = std::get_if<ptx::RegisterRef>(&instruction.operands[k].value);
    if (reg == nullptr || !is_word(function.registers[reg->index]) || values[reg->index].uses < 2) continue;
    const auto other = along_other_axis(values[reg->index].builtin);
    if (!other) continue;
    Mutation& mutation = add_computed(MutationKind::builtin, function, number, k, ptx::Type::b32, to);
    mutation.changes.front().before.push_back(reading(result_of(function, 0), *other));
    mutation.original = values[reg->index].builtin;
    mutation.replacement = builtin_name(*other);
  }
}

void add_parameters(const Instruction& instruction, const ptx::Function& function, std::vector<Mutation>& to) {
  const auto own = loaded_parameter(instruction, function);
  if (!own) return;
  const ptx::Variable& parameter = function.parameters[*own];
  for (std::uint32_t i = 0; i < function.parameters.size(); ++i) {
    const ptx::Variable& other = function.parameters[i];
    if (i == *own || other.size != parameter.size || other.type != parameter.type) continue;
    Mutation& mutation = add(MutationKind::parameter, instruction, 1,
                             {ptx::Address{ptx::SymbolRef{other.name, 0}, 0}, false, std::nullopt}, to);
    mutation.original_parameter = *own;
    mutation.replacement_parameter = i;
  }
}

void add_accumulations(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                       std::vector<Mutation>& to) {
  const Instruction& instruction = function.instructions[number];
  if (instruction.operands.size() != 2) return;
  const ptx::Type type = number_type(instruction);
  const auto* value = std::get_if<ptx::RegisterRef>(&instruction.operands[1].value);
  if (value == nullptr || type == ptx::Type::none) return;
  const std::string type_name = instruction.suffixes.back();
  if (instruction.code == Opcode::mov) {
    const auto* result = std::get_if<ptx::RegisterRef>(&instruction.operands[0].value);
    if (result == nullptr || values[result->index].definitions < 2) return;
    Mutation& mutation = to.emplace_back();
    mutation.kind = MutationKind::accumulate;
    mutation.changes.emplace_back().mutant = made(
        Opcode::add, {type_name}, {operand_of(result->index), operand_of(result->index), operand_of(value->index)});
  } else if (instruction.code == Opcode::st && instruction.suffixes.front() != "param") {
    Mutation& mutation = add_computed(MutationKind::accumulate, function, number, 1, type, to);
    const std::uint32_t sum = result_of(function, 0), there = result_of(function, 1);
    mutation.changes.front().registers.push_back({"%there", type, 1});
    mutation.changes.front().before = {
        load_before(instruction, there),
        made(Opcode::add, {type_name}, {operand_of(sum), operand_of(there), operand_of(value->index)})};
  }
}

void add_offsets(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                 std::vector<Mutation>& to) {
  const Instruction& instruction = function.instructions[number];
  if (!computes(instruction)) return;
  for (std::size_t k = first_read(instruction); k < instruction.operands.size(); ++k) {
    const auto* reg = std::get_if<ptx::RegisterRef>(&instruction.operands[k].value);
    if (reg == nullptr || !is_word(function.registers[reg->index]) || !values[reg->index].is_variable()) continue;
    for (const int offset : {1, -1}) {
      Mutation& mutation = add_computed(MutationKind::offset, function, number, k, ptx::Type::b32, to);
      mutation.changes.front().before.push_back(
          made(Opcode::add, {"s32"}, {operand_of(result_of(function, 0)), operand_of(reg->index), integer(offset)}));
      describe(values[reg->index], mutation.original, mutation.original_parameter, mutation.original_place);
      mutation.replacement = offset > 0 ? "+ 1" : "- 1";
    }
  }
}

void add_factors(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                 std::vector<Mutation>& to) {
  const Instruction& instruction = function.instructions[number];
  if (!computes(instruction)) return;
  for (std::size_t k = first_read(instruction); k < instruction.operands.size(); ++k) {
    const auto* reg = std::get_if<ptx::RegisterRef>(&instruction.operands[k].value);
    if (reg == nullptr || !is_word(function.registers[reg->index])) continue;
    for (const int factor : {2, 3, 4}) {
      Mutation& mutation = add_computed(MutationKind::factor, function, number, k, ptx::Type::b32, to);
      mutation.changes.front().before.push_back(product(result_of(function, 0), reg->index, integer(factor)));
      mutation.replacement = std::to_string(factor);
    }
    for (const char* name : {"%ntid", "%nctaid"}) {
      const ptx::SpecialRegister special{name, 'x'};
      Mutation& mutation = add_computed(MutationKind::factor, function, number, k, ptx::Type::b32, to);
      mutation.changes.front().registers.push_back({"%factor", ptx::Type::b32, 1});
      const std::uint32_t read = result_of(function, 1);
      mutation.changes.front().before.push_back(reading(read, special));
      mutation.changes.front().before.push_back(product(result_of(function, 0), reg->index, operand_of(read)));
      mutation.replacement = builtin_name(special);
    }
    for (Mutation& mutation : std::span(to).last(kFactors))
      describe(values[reg->index], mutation.original, mutation.original_parameter, mutation.original_place);
  }
}

void add_values(const ptx::Function& function, std::uint32_t number, const std::vector<FunctionValue>& values,
                const std::vector<std::uint32_t>& variables, std::vector<Mutation>& to) {
  const Instruction& instruction = function.instructions[number];
  const bool is_load = instruction.code == Opcode::ld;
  if (!computes(instruction) && !is_load) return;
  for (std::size_t k = first_read(instruction); k < instruction.operands.size(); ++k) {
    const auto& value = instruction.operands[k].value;
    if (const auto* reg = std::get_if<ptx::RegisterRef>(&value); reg != nullptr && !is_load) {
      const auto make = [](std::uint32_t other) { return Operand{ptx::RegisterRef{other}, false, std::nullopt}; };
      add_variables(function, number, k, reg->index, values, variables, make, to);
      add_small_numbers(function, number, k, reg->index, values, to);
    }
    const auto* address = std::get_if<ptx::Address>(&value);
    const auto* base = address == nullptr ? nullptr : std::get_if<ptx::RegisterRef>(&address->base);
    if (base == nullptr) continue;
    const auto make = [&](std::uint32_t other) {
      return Operand{ptx::Address{ptx::RegisterRef{other}, address->offset}, false, std::nullopt};
    };
    add_variables(function, number, k, base->index, values, variables, make, to);
  }
}

}  // namespace cudalabs::vgpu
