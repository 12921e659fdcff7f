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

/// A barrier lies in shared memory. In a cluster, blocks wait at their own barriers for arrivals of others by
/// instructions that name no scope, which is that of the block: published code does, and GPUs order it.
void Translator::barrier_suffixes(ir::MemoryFields& memory, Suffixes& suffixes) const {
  memory_suffixes(memory, suffixes);
  require(memory.space == ptx::Space::shared || memory.space == ptx::Space::generic, "this state space");
  require(memory.lanes == 1, "vectors");
  if (surroundings_.uses_clusters && memory.scope == MemoryScope::block) memory.scope = MemoryScope::cluster;
}

void Translator::mbarrier(const ptx::Instruction& instruction, Suffixes& suffixes) {
  if (suffixes.take("init")) return set_barrier(instruction, suffixes, true);
  if (suffixes.take("inval")) return set_barrier(instruction, suffixes, false);
  if (suffixes.take("arrive")) return arrive_at_barrier(instruction, suffixes, false);
  if (suffixes.take("arrive_drop")) return arrive_at_barrier(instruction, suffixes, true);
  if (suffixes.take("expect_tx")) return count_bytes(instruction, suffixes, AtomicOperation::barrier_expect);
  if (suffixes.take("complete_tx")) return count_bytes(instruction, suffixes, AtomicOperation::barrier_complete);
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

/// "state, [bar], count", or with bytes to come in the place of the count.
void Translator::arrive_at_barrier(const ptx::Instruction& instruction, Suffixes& suffixes, bool drops) {
  suffixes.take("noComplete");  // a caller that counts right does not complete the phase
  const bool expecting = suffixes.take("expect_tx");
  const AtomicOperation arrival =
      expecting ? (drops ? AtomicOperation::barrier_drop_expecting : AtomicOperation::barrier_arrive_expecting)
                : (drops ? AtomicOperation::barrier_drop : AtomicOperation::barrier_arrive);
  Operation operation{.opcode = Opcode::atomic, .detail = static_cast<std::uint32_t>(arrival)};
  const bool relaxed = suffixes.take("relaxed");
  barrier_suffixes(operation.memory, suffixes);
  operation.memory.order = relaxed ? MemoryOrder::relaxed : MemoryOrder::acq_rel;
  operation.type = take_type(suffixes);
  require(operation.type == Type::b64, "a type other than b64");
  expect_operands(instruction, expecting ? 3 : 2, 3);
  const Value count = instruction.operands.size() == 3 ? widened(operand(instruction, 2)) : Value::of_bits(1);
  operation.uses = {address(operand(instruction, 1), operation.memory), in_register(count, Type::b64)};
  operation.flag = !std::holds_alternative<ptx::Discard>(operand(instruction, 0).value);
  require(!operation.flag || !operation.memory.of_cluster, "the state of a barrier that may be another block's");
  if (operation.flag) operation.defs = {def(operand(instruction, 0), Type::b64)};
  append(std::move(operation));
}

/// "[bar], bytes": of copies that are to come, or that have.
void Translator::count_bytes(const ptx::Instruction& instruction, Suffixes& suffixes, AtomicOperation change) {
  Operation operation{.opcode = Opcode::atomic, .detail = static_cast<std::uint32_t>(change)};
  barrier_suffixes(operation.memory, suffixes);
  operation.memory.order = MemoryOrder::relaxed;
  operation.type = take_type(suffixes);
  require(operation.type == Type::b64, "a type other than b64");
  expect_operands(instruction, 2, 2);
  operation.uses.push_back(address(operand(instruction, 0), operation.memory));
  operation.uses.push_back(widened(operand(instruction, 1)));
  append(std::move(operation));
}

/// Whether the phase of a state, or of a parity, is over. A wait that may suspend the thread looks once as well.
void Translator::look_at_barrier(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation look{.opcode = Opcode::barrier_look};
  const bool by_parity = suffixes.take("parity"), relaxed = suffixes.take("relaxed");
  barrier_suffixes(look.memory, suffixes);
  require(!look.memory.of_cluster, "a wait at a barrier that may be another block's");
  look.memory.order = relaxed ? MemoryOrder::relaxed : MemoryOrder::acquire;
  look.type = take_type(suffixes);
  require(look.type == Type::b64, "a type other than b64");
  expect_operands(instruction, 3, 4);  // the fourth is a time
  const Value state =
      by_parity ? widened(operand(instruction, 2)) : in_register(use(operand(instruction, 2), Type::b64), Type::b64);
  look.uses.push_back(address(operand(instruction, 1), look.memory));
  look.uses.push_back(in_register(state, Type::b64));
  look.flag = by_parity;
  look.defs = {def(operand(instruction, 0), Type::pred)};
  append(std::move(look));
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
