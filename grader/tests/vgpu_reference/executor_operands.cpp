// Operands: registers, immediates, special registers, addresses of symbols.
#include <bit>

#include "executor.h"

namespace cudalabs::reference {

using vgpu::ptx::FloatImmediate;
using vgpu::ptx::IntegerImmediate;
using vgpu::ptx::RegisterRef;
using vgpu::ptx::SpecialRegister;
using vgpu::ptx::SymbolRef;

std::uint64_t Executor::read(Thread& thread, const Operand& operand, Type type) {
  const unsigned width = type == Type::pred ? 1 : width_of(type);
  if (const auto* const reg = std::get_if<RegisterRef>(&operand.value)) {
    const std::uint64_t bits = thread.frame().registers[reg->index];
    return truncate(operand.negated ? ~bits : bits, width);
  }
  if (const auto* const integer = std::get_if<IntegerImmediate>(&operand.value)) return truncate(integer->bits, width);
  if (const auto* const real = std::get_if<FloatImmediate>(&operand.value)) {
    if (type == Type::f32 && !real->single) return std::bit_cast<std::uint32_t>(static_cast<float>(real->value));
    if (type == Type::f64 && real->single) return std::bit_cast<std::uint64_t>(real->value);
    return truncate(real->bits, width);
  }
  if (const auto* const reg = std::get_if<SpecialRegister>(&operand.value)) {
    return truncate(special_register(thread, *reg), width);
  }
  if (const auto* const symbol = std::get_if<SymbolRef>(&operand.value)) {
    return address_of_symbol(thread, symbol->name) + static_cast<std::uint64_t>(symbol->offset);
  }
  throw MachineError("an operand that is no value");
}

// A register wider than the type is filled: with copies of the sign for signed types, with zeros for others.
void Executor::write(Thread& thread, const Operand& operand, Type type, std::uint64_t bits) {
  if (std::holds_alternative<vgpu::ptx::Discard>(operand.value)) return;
  const auto* const reg = std::get_if<RegisterRef>(&operand.value);
  if (reg == nullptr) throw MachineError("a result that is no register");
  const Type have = thread.frame().routine->function->registers[reg->index].type;
  if (have == Type::pred) {
    thread.frame().registers[reg->index] = bits & 1;
    return;
  }
  if (is_signed(type)) bits = static_cast<std::uint64_t>(sign_extend(bits, width_of(type)));
  thread.frame().registers[reg->index] = truncate(bits, width_of(have));
}

std::uint64_t Executor::special_register(const Thread& thread, const SpecialRegister& reg) const {
  const auto component = [&](const std::array<std::uint32_t, 3>& values) -> std::uint64_t {
    if (reg.component == 'x') return values[0];
    if (reg.component == 'y') return values[1];
    if (reg.component == 'z') return values[2];
    throw MachineError("no component of " + reg.name);
  };
  const std::uint32_t lane = thread.linear % 32;
  if (reg.name == "%tid") return component(thread.index);
  if (reg.name == "%ntid") return component(launch_.block);
  if (reg.name == "%ctaid") return component(block_.index);
  if (reg.name == "%nctaid") return component(launch_.grid);
  if (reg.name == "%laneid") return lane;
  if (reg.name == "%warpid") return thread.linear / 32;
  if (reg.name == "%lanemask_eq") return std::uint64_t{1} << lane;
  if (reg.name == "%lanemask_lt") return (std::uint64_t{1} << lane) - 1;
  if (reg.name == "%lanemask_le") return (std::uint64_t{2} << lane) - 1;
  if (reg.name == "%lanemask_gt") return ~((std::uint64_t{2} << lane) - 1);
  if (reg.name == "%lanemask_ge") return ~((std::uint64_t{1} << lane) - 1);
  throw MachineError("no value for " + reg.name);
}

/// The address of a symbol in its own state space.
std::uint64_t Executor::address_of_symbol(Thread& thread, const std::string& name) const {
  if (const auto own = thread.frame().storage.find(name); own != thread.frame().storage.end()) return own->second;
  if (const auto shared = block_.shared_variables.find(name); shared != block_.shared_variables.end()) {
    return shared->second;
  }
  if (const auto global = world_.symbols.find(name); global != world_.symbols.end()) return global->second;
  throw MachineError("no symbol " + name);
}

}  // namespace cudalabs::reference
