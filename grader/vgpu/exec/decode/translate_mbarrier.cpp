// Barriers in memory (PTX ISA: "mbarrier"): atomic operations on their word, which release and acquire as those of
// `atom` do, so that everybody who watches sees what they order.
#include <utility>

#include "vgpu/exec/atomic_operation.h"
#include "vgpu/exec/barrier_word.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

/// d = a, an operation of u64, b
Value Translator::computed(Opcode opcode, Value a, Value b) {
  const std::uint32_t result = temporary(Type::u64);
  emit(opcode, Type::u64, {result}, {a, b});
  return Value::of_register(result);
}

Value Translator::widened(const ptx::Operand& operand) {
  const std::uint32_t wide = temporary(Type::u64);
  emit(Opcode::cvt, Type::u64, {wide}, {in_register(use(operand, Type::u32), Type::u32)}).source_type = Type::u32;
  return Value::of_register(wide);
}

/// A barrier lies in shared memory.
void Translator::barrier_suffixes(ir::MemoryFields& memory, Suffixes& suffixes) const {
  memory_suffixes(memory, suffixes);
  require(memory.space == ptx::Space::shared || memory.space == ptx::Space::generic, "this state space");
  require(memory.lanes == 1, "vectors");
}

void Translator::mbarrier(const ptx::Instruction& instruction, Suffixes& suffixes) {
  if (suffixes.take("init")) return set_barrier(instruction, suffixes, true);
  if (suffixes.take("inval")) return set_barrier(instruction, suffixes, false);
  if (suffixes.take("arrive")) return arrive_at_barrier(instruction, suffixes, AtomicOperation::barrier_arrive);
  if (suffixes.take("arrive_drop")) return arrive_at_barrier(instruction, suffixes, AtomicOperation::barrier_drop);
  if (suffixes.take("test_wait") || suffixes.take("try_wait")) return look_at_barrier(instruction, suffixes);
  require(suffixes.take("pending_count"), "this form of mbarrier");
  require(take_type(suffixes) == Type::b64, "a type other than b64");
  expect_operands(instruction, 2, 2);
  const Value state = in_register(use(operand(instruction, 1), Type::b64), Type::b64);
  const Value pending =
      computed(Opcode::bit_and, computed(Opcode::shr, state, Value::of_bits(barrier_word::kPendingShift)),
               Value::of_bits(barrier_word::kCountMask));
  emit(Opcode::cvt, Type::u32, {def(operand(instruction, 0), Type::u32)}, {pending}).source_type = Type::u64;
}

void Translator::set_barrier(const ptx::Instruction& instruction, Suffixes& suffixes, bool valid) {
  Operation operation{.opcode = Opcode::store};
  barrier_suffixes(operation.memory, suffixes);
  operation.type = take_type(suffixes);
  require(operation.type == Type::b64, "a type other than b64");
  expect_operands(instruction, valid ? 2 : 1, valid ? 2 : 1);
  Value word = Value::of_bits(0);
  if (valid) {
    const Value count = widened(operand(instruction, 1));
    word = computed(Opcode::bit_or, count, computed(Opcode::shl, count, Value::of_bits(barrier_word::kPendingShift)));
  }
  operation.uses = {address(operand(instruction, 0), operation.memory), in_register(word, Type::b64)};
  append(std::move(operation));
}

/// "state, [bar], count" or, for copies, "[bar]".
void Translator::arrive_at_barrier(const ptx::Instruction& instruction, Suffixes& suffixes, AtomicOperation arrival) {
  Operation operation{.opcode = Opcode::atomic, .detail = static_cast<std::uint32_t>(arrival)};
  suffixes.take("noComplete");  // a caller that counts right does not complete the phase
  require(!suffixes.take("expect_tx"), "counts of bytes");
  const bool relaxed = suffixes.take("relaxed");
  barrier_suffixes(operation.memory, suffixes);
  operation.memory.order = relaxed ? MemoryOrder::relaxed : MemoryOrder::acq_rel;
  operation.type = take_type(suffixes);
  require(operation.type == Type::b64, "a type other than b64");
  expect_operands(instruction, 2, 3);
  const Value count = instruction.operands.size() == 3 ? widened(operand(instruction, 2)) : Value::of_bits(1);
  operation.uses = {address(operand(instruction, 1), operation.memory), in_register(count, Type::b64)};
  operation.flag = !std::holds_alternative<ptx::Discard>(operand(instruction, 0).value);
  if (operation.flag) operation.defs = {def(operand(instruction, 0), Type::b64)};
  append(std::move(operation));
}

/// Whether the phase of a state, or of a parity, is over. A wait that may suspend the thread looks once as well.
void Translator::look_at_barrier(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation look{.opcode = Opcode::load};
  const bool by_parity = suffixes.take("parity"), relaxed = suffixes.take("relaxed");
  barrier_suffixes(look.memory, suffixes);
  look.memory.order = relaxed ? MemoryOrder::relaxed : MemoryOrder::acquire;
  look.type = take_type(suffixes);
  require(look.type == Type::b64, "a type other than b64");
  expect_operands(instruction, 3, 4);  // the fourth is a time
  const Value state =
      by_parity ? widened(operand(instruction, 2)) : in_register(use(operand(instruction, 2), Type::b64), Type::b64);
  look.uses = {address(operand(instruction, 1), look.memory)};
  const std::uint32_t word = temporary(Type::b64);
  look.defs = {word};
  append(std::move(look));
  const auto phase_of = [&](Value of) { return computed(Opcode::shr, of, Value::of_bits(barrier_word::kPhaseShift)); };
  Value now = phase_of(Value::of_register(word)), then = state;
  if (by_parity) {
    now = computed(Opcode::bit_and, now, Value::of_bits(1));
    then = computed(Opcode::bit_and, then, Value::of_bits(1));
  } else {
    then = phase_of(then);
  }
  Operation comparison{.opcode = Opcode::setp, .type = Type::u64, .compare = ir::Compare::ne};
  comparison.uses = {now, then};
  comparison.defs = {def(operand(instruction, 0), Type::pred)};
  append(std::move(comparison));
}

/// `cp.async.mbarrier.arrive`: an arrival when the thread's copies so far are done. They are done here and now; without
/// `.noinc` the phase takes one arrival more for it, and the counts stay as they are.
void Translator::arrive_after_copies(const ptx::Instruction& instruction, Suffixes& suffixes) {
  require(suffixes.take("arrive"), "this form of cp.async.mbarrier");
  const bool counted = suffixes.take("noinc");
  Operation operation{.opcode = Opcode::atomic};
  operation.detail = static_cast<std::uint32_t>(counted ? AtomicOperation::barrier_arrive : AtomicOperation::add);
  barrier_suffixes(operation.memory, suffixes);
  operation.memory.order = MemoryOrder::acq_rel;
  operation.type = take_type(suffixes);
  require(operation.type == Type::b64, "a type other than b64");
  expect_operands(instruction, 1, 1);
  emit(Opcode::async_wait, Type::none, {}, {}).flag = true;
  operation.uses = {address(operand(instruction, 0), operation.memory),
                    in_register(Value::of_bits(counted ? 1 : 0), Type::b64)};
  append(std::move(operation));
}

}  // namespace cudalabs::vgpu::exec
