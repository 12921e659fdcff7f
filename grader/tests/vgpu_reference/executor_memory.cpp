// Memory: loads, stores, atomic operations, addresses in their state spaces.
#include <algorithm>
#include <cstring>

#include "executor.h"

namespace cudalabs::reference {

using vgpu::ptx::Address;
using vgpu::ptx::RegisterRef;
using vgpu::ptx::Space;
using vgpu::ptx::SymbolRef;
using vgpu::ptx::VectorOperand;

std::span<std::byte> World::global_bytes(std::uint64_t address, std::uint64_t bytes) {
  if (address < Machine::kGlobalBase || address - Machine::kGlobalBase > global.size() ||
      bytes > global.size() - (address - Machine::kGlobalBase)) {
    throw MachineError("no global memory at " + std::to_string(address));
  }
  return std::span(global).subspan(address - Machine::kGlobalBase, bytes);
}

std::span<std::byte> Executor::bytes_at(Thread& thread, const Decoded& decoded, const Operand& operand,
                                        std::uint64_t bytes) {
  const auto& expression = std::get<Address>(operand.value);
  std::uint64_t address = static_cast<std::uint64_t>(expression.offset);
  Space space = decoded.space;
  if (const auto* const reg = std::get_if<RegisterRef>(&expression.base)) {
    address += thread.frame().registers[reg->index];
  } else if (const auto* const symbol = std::get_if<SymbolRef>(&expression.base)) {
    address += address_of_symbol(thread, symbol->name);
  }
  if (space == Space::param) space = Space::local;  // parameters live in the frames
  if (space == Space::generic && address >= Machine::kLocalWindow) {
    space = Space::local;
    address -= Machine::kLocalWindow;
  } else if (space == Space::generic && address >= Machine::kSharedWindow) {
    space = Space::shared;
    address -= Machine::kSharedWindow;
  }
  if (address % bytes != 0) fail(decoded, "misaligned address");
  if (space == Space::local || space == Space::shared) {
    std::vector<std::byte>& memory = space == Space::local ? thread.local : block_.shared;
    if (address > memory.size() || bytes > memory.size() - address) fail(decoded, "address beyond its memory");
    return std::span(memory).subspan(address, bytes);
  }
  return world_.global_bytes(address, bytes);
}

void Executor::load(Thread& thread, const Decoded& decoded) {
  const auto& operands = decoded.instruction->operands;
  const std::uint64_t size = width_of(decoded.type) / 8;
  const auto from = bytes_at(thread, decoded, operands[1], size * decoded.vector);
  for (std::uint32_t i = 0; i < decoded.vector; ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from.data() + i * size, size);
    const auto* const vector = std::get_if<VectorOperand>(&operands[0].value);
    write(thread, vector != nullptr ? vector->elements[i] : operands[0], decoded.type, bits);
  }
}

void Executor::store(Thread& thread, const Decoded& decoded) {
  const auto& operands = decoded.instruction->operands;
  const std::uint64_t size = width_of(decoded.type) / 8;
  const auto to = bytes_at(thread, decoded, operands[0], size * decoded.vector);
  for (std::uint32_t i = 0; i < decoded.vector; ++i) {
    const auto* const vector = std::get_if<VectorOperand>(&operands[1].value);
    const std::uint64_t bits = read(thread, vector != nullptr ? vector->elements[i] : operands[1], decoded.type);
    std::memcpy(to.data() + i * size, &bits, size);
  }
}

// atom d, [a], b{, c}; red [a], b.
void Executor::atomic(Thread& thread, const Decoded& decoded) {
  const auto& operands = decoded.instruction->operands;
  const bool returns = decoded.instruction->opcode == "atom";
  const std::size_t first = returns ? 1 : 0;
  const Type type = decoded.type;
  const std::uint64_t size = width_of(type) / 8;
  const auto at = bytes_at(thread, decoded, operands[first], size);
  std::uint64_t old = 0;
  std::memcpy(&old, at.data(), size);
  const std::uint64_t b = read(thread, operands[first + 1], type);
  const std::uint64_t c = operands.size() > first + 2 ? read(thread, operands[first + 2], type) : 0;

  std::uint64_t next = b;  // exch
  if (decoded.has("cas")) next = old == b ? c : old;
  if (decoded.has("inc")) next = old >= b ? 0 : old + 1;
  if (decoded.has("dec")) next = old == 0 || old > b ? b : old - 1;
  for (const char* name : {"add", "min", "max", "and", "or", "xor"}) {
    if (!decoded.has(name)) continue;
    Operation operation;
    operation.opcode = name;
    operation.type = operation.source = type;
    operation.ftz = type == Type::f32 && decoded.space == Space::global;
    next = evaluate(operation, {old, b}).value;
  }
  std::memcpy(at.data(), &next, size);
  if (returns) write(thread, operands[0], type, old);
}

void Executor::convert_address(Thread& thread, const Decoded& decoded) {
  const auto& operands = decoded.instruction->operands;
  const std::uint64_t address = read(thread, operands[1], Type::u64);
  const std::uint64_t window = decoded.space == Space::shared  ? Machine::kSharedWindow
                               : decoded.space == Space::local ? Machine::kLocalWindow
                                                               : 0;
  if (decoded.instruction->opcode == "isspacep") {
    const Space actual = address >= Machine::kLocalWindow    ? Space::local
                         : address >= Machine::kSharedWindow ? Space::shared
                                                             : Space::global;
    write(thread, operands[0], Type::pred, actual == decoded.space ? 1 : 0);
    return;
  }
  write(thread, operands[0], Type::u64, decoded.has("to") ? address - window : address + window);
}

}  // namespace cudalabs::reference
