#include "vgpu/mutation/function_values.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include "vgpu/ptx/mentions.h"
#include "vgpu/ptx/result.h"

namespace cudalabs::vgpu {
namespace {

using ptx::Opcode;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kBuiltins{{
    {"%tid", "threadIdx"},
    {"%ctaid", "blockIdx"},
    {"%ntid", "blockDim"},
    {"%nctaid", "gridDim"},
}};

template <typename Visit>
void for_each_register(const ptx::Operand& operand, const Visit& visit) {
  ptx::for_each_mention(operand, visit, [](const std::string&) {});
}

/// It holds what its source holds, perhaps as another type.
bool passes_on(const ptx::Instruction& instruction) {
  return (instruction.code == Opcode::mov || instruction.code == Opcode::cvta) && instruction.operands.size() == 2;
}

void take_definition(const ptx::Function& function, std::uint32_t number, std::vector<FunctionValue>& values) {
  const ptx::Instruction& instruction = function.instructions[number];
  for_each_register(instruction.operands.front(), [&](std::uint32_t reg) {
    FunctionValue& value = values[reg];
    if (value.definitions++ > 0) {
      value.parameter.reset();
      value.builtin.clear();
      // What a loop does at its end has a line more often than what it begins with.
      if (instruction.location.line != 0) value.where = instruction.location;
      return;
    }
    value.first_definition = number;
    value.where = instruction.location;
    value.parameter = loaded_parameter(instruction, function);
    if (!passes_on(instruction)) return;
    if (const auto* special = std::get_if<ptx::SpecialRegister>(&instruction.operands[1].value))
      value.builtin = builtin_name(*special);
    if (const auto* source = std::get_if<ptx::RegisterRef>(&instruction.operands[1].value)) {
      value.parameter = values[source->index].parameter;
      value.builtin = values[source->index].builtin;
    }
  });
}

/// What a value is a copy of, through copies of copies; null: it is made by itself.
const FunctionValue* copied_from(const FunctionValue& value, const ptx::Function& function,
                                 const std::vector<FunctionValue>& values) {
  constexpr int kMostCopies = 16;
  const FunctionValue* original = nullptr;
  const FunctionValue* copy = &value;
  for (int i = 0; i < kMostCopies && copy->definitions == 1; ++i) {
    const ptx::Instruction& made = function.instructions[copy->first_definition];
    const auto* source = passes_on(made) ? std::get_if<ptx::RegisterRef>(&made.operands[1].value) : nullptr;
    if (source == nullptr) break;
    original = copy = &values[source->index];
  }
  return original;
}

}  // namespace

std::string builtin_name(const ptx::SpecialRegister& special) {
  const auto* const found =
      std::ranges::find(kBuiltins, special.name, &std::pair<std::string_view, std::string_view>::first);
  if (found == kBuiltins.end() || special.component == 0) return {};
  return std::string(found->second) + '.' + special.component;
}

std::optional<std::uint32_t> loaded_parameter(const ptx::Instruction& instruction, const ptx::Function& function) {
  if (instruction.code != Opcode::ld || instruction.operands.size() != 2 || !function.is_entry) return std::nullopt;
  if (instruction.suffixes.empty() || instruction.suffixes.front() != "param") return std::nullopt;
  const auto* address = std::get_if<ptx::Address>(&instruction.operands[1].value);
  const auto* symbol = address == nullptr ? nullptr : std::get_if<ptx::SymbolRef>(&address->base);
  if (symbol == nullptr || address->offset != 0 || symbol->offset != 0) return std::nullopt;
  const auto parameter = std::ranges::find(function.parameters, symbol->name, &ptx::Variable::name);
  // Of a structure it would be a member.
  const bool is_whole = parameter != function.parameters.end() &&
                        parameter->size == std::uint64_t{ptx::size_in_bytes(parameter->type)} * parameter->vector_size;
  if (!is_whole) return std::nullopt;
  return static_cast<std::uint32_t>(parameter - function.parameters.begin());
}

std::vector<FunctionValue> values_of(const ptx::Function& function) {
  std::vector<FunctionValue> values(function.registers.size());
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const ptx::Instruction& instruction = function.instructions[i];
    const bool has_result = ptx::has_result(instruction) && !instruction.operands.empty();
    if (has_result) take_definition(function, i, values);
    for (std::size_t k = has_result ? 1 : 0; k < instruction.operands.size(); ++k)
      for_each_register(instruction.operands[k], [&](std::uint32_t reg) { ++values[reg].uses; });
  }
  // A copy of a variable that changes, made where a round of a loop begins: it is not what that began with.
  for (FunctionValue& value : values) {
    const FunctionValue* original = copied_from(value, function, values);
    if (original == nullptr || original->definitions <= 1) continue;
    value.where = original->where;
    value.parameter.reset();
    value.builtin.clear();
  }
  return values;
}

std::vector<std::uint32_t> variables_among(const std::vector<FunctionValue>& values) {
  constexpr std::size_t kMost = 256;
  std::vector<std::uint32_t> variables;
  for (std::uint32_t reg = 0; reg < values.size() && variables.size() < kMost; ++reg) {
    if (values[reg].is_variable()) variables.push_back(reg);
  }
  return variables;
}

}  // namespace cudalabs::vgpu
