// What lanes do together: shuffles, votes, barriers (PTX ISA: "Parallel Synchronization and Communication
// Instructions", "shfl.sync").
#include "vgpu/exec/decode/translator.h"
#include "vgpu/exec/warp_operation.h"

namespace cudalabs::vgpu::exec {

using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

// For all of these `flag` says that lanes wait for those named by the last use, the member mask.

void Translator::shfl(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::shuffle, .type = Type::b32};
  operation.flag = suffixes.take("sync");
  const auto mode = suffixes.take_one<ShuffleMode>({{"up", ShuffleMode::up},
                                                    {"down", ShuffleMode::down},
                                                    {"bfly", ShuffleMode::butterfly},
                                                    {"idx", ShuffleMode::index}});
  require(mode.has_value(), "this mode");
  operation.detail = static_cast<std::uint32_t>(*mode);
  require(take_type(suffixes) == Type::b32, "a type other than b32");
  const std::size_t count = operation.flag ? 5 : 4;
  expect_operands(instruction, count, count);
  open_guard();
  for (std::size_t i = 1; i < count; ++i) {
    operation.uses.push_back(in_register(use(operand(instruction, i), Type::b32), Type::b32));
  }
  const ptx::Operand& result = operand(instruction, 0);
  if (const auto* pair = std::get_if<ptx::PredicatePair>(&result.value)) {
    operation.defs = {register_base_[pair->first],
                      pair->second ? register_base_[*pair->second] : temporary(Type::pred)};
    require(
        row_width(out_.registers[operation.defs[0]].type) == 4 && out_.registers[operation.defs[1]].type == Type::pred,
        "results of other types");
  } else {
    operation.defs = {def(result, Type::b32), temporary(Type::pred)};
  }
  emit_ending_block(std::move(operation));
  close_guard();
}

void Translator::vote(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::vote};
  operation.flag = suffixes.take("sync");
  const auto mode = suffixes.take_one<VoteMode>(
      {{"all", VoteMode::all}, {"any", VoteMode::any}, {"uni", VoteMode::uniform}, {"ballot", VoteMode::ballot}});
  require(mode.has_value(), "this mode");
  operation.detail = static_cast<std::uint32_t>(*mode);
  operation.type = take_type(suffixes);
  require(operation.type == (*mode == VoteMode::ballot ? Type::b32 : Type::pred), "this type");
  const std::size_t count = operation.flag ? 3 : 2;
  expect_operands(instruction, count, count);
  open_guard();
  operation.uses = {in_register(use_predicate(operand(instruction, 1)), Type::pred)};
  if (operation.flag) operation.uses.push_back(in_register(use(operand(instruction, 2), Type::b32), Type::b32));
  operation.defs = {def(operand(instruction, 0), operation.type)};
  emit_ending_block(std::move(operation));
  close_guard();
}

void Translator::match(const ptx::Instruction& instruction, Suffixes& suffixes) {
  const bool all = suffixes.take("all");
  require(all != suffixes.take("any"), "one of .any and .all");
  Operation operation{.opcode = all ? Opcode::match_all : Opcode::match_any};
  operation.flag = suffixes.take("sync");
  require(operation.flag, "a form without .sync");
  operation.type = take_type(suffixes);
  require(row_width(operation.type) == 4 || row_width(operation.type) == 8, "this type");
  expect_operands(instruction, 3, 3);
  open_guard();
  operation.uses = {in_register(use(operand(instruction, 1), operation.type), operation.type),
                    in_register(use(operand(instruction, 2), Type::b32), Type::b32)};
  const ptx::Operand& result = operand(instruction, 0);
  if (const auto* pair = std::get_if<ptx::PredicatePair>(&result.value)) {
    require(all, "a predicate result without .all");
    operation.defs = {register_base_[pair->first],
                      pair->second ? register_base_[*pair->second] : temporary(Type::pred)};
  } else {
    operation.defs = {def(result, Type::b32)};
    if (all) operation.defs.push_back(temporary(Type::pred));
  }
  emit_ending_block(std::move(operation));
  close_guard();
}

void Translator::redux(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::redux};
  operation.flag = suffixes.take("sync");
  require(operation.flag, "a form without .sync");
  const auto op = suffixes.take_one<ReduceOperation>({{"add", ReduceOperation::add},
                                                      {"min", ReduceOperation::min},
                                                      {"max", ReduceOperation::max},
                                                      {"and", ReduceOperation::bit_and},
                                                      {"or", ReduceOperation::bit_or},
                                                      {"xor", ReduceOperation::bit_xor}});
  require(op.has_value(), "this operation");
  operation.detail = static_cast<std::uint32_t>(*op);
  operation.type = take_type(suffixes);
  require(operation.type == Type::u32 || operation.type == Type::s32 || operation.type == Type::b32, "this type");
  expect_operands(instruction, 3, 3);
  open_guard();
  operation.uses = {in_register(use(operand(instruction, 1), Type::b32), Type::b32),
                    in_register(use(operand(instruction, 2), Type::b32), Type::b32)};
  operation.defs = {def(operand(instruction, 0), Type::b32)};
  emit_ending_block(std::move(operation));
  close_guard();
}

void Translator::elect(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation{.opcode = Opcode::elect, .type = Type::b32};
  operation.flag = suffixes.take("sync");
  require(operation.flag, "a form without .sync");
  expect_operands(instruction, 2, 2);
  open_guard();
  operation.uses = {in_register(use(operand(instruction, 1), Type::b32), Type::b32)};
  const auto* pair = std::get_if<ptx::PredicatePair>(&operand(instruction, 0).value);
  require(pair != nullptr && pair->second, "a predicate result is needed");
  operation.defs = {register_base_[pair->first], register_base_[*pair->second]};
  emit_ending_block(std::move(operation));
  close_guard();
}

void Translator::active_mask(const ptx::Instruction& instruction, Suffixes& suffixes) {
  suffixes.take("b32");
  expect_operands(instruction, 1, 1);
  emit(Opcode::active_mask, Type::b32, {def(operand(instruction, 0), Type::b32)}, {});
}

void Translator::barrier(const ptx::Instruction& instruction, Suffixes& suffixes) {
  Operation operation;
  if (suffixes.take("warp")) {
    require(suffixes.take("sync"), "this form of bar.warp");
    expect_operands(instruction, 1, 1);
    open_guard();
    operation.opcode = Opcode::warp_barrier;
    operation.flag = true;
    operation.uses = {in_register(use(operand(instruction, 0), Type::b32), Type::b32)};
    emit_ending_block(std::move(operation));
    close_guard();
    return;
  }
  if (suffixes.take("cluster")) return cluster_barrier(instruction, suffixes);
  suffixes.take("cta");
  suffixes.take("aligned");
  if (suffixes.take("sync")) {
    operation.opcode = Opcode::barrier_sync;
  } else if (suffixes.take("arrive")) {
    operation.opcode = Opcode::barrier_arrive;
  } else {
    require(suffixes.take("red"), "this form of bar");
    operation.opcode = Opcode::barrier_reduce;
    const auto op = suffixes.take_one<BarrierReduction>(
        {{"popc", BarrierReduction::count}, {"and", BarrierReduction::all}, {"or", BarrierReduction::any}});
    require(op.has_value(), "this reduction");
    operation.detail = static_cast<std::uint32_t>(*op);
    operation.type = take_type(suffixes);
  }
  open_guard();
  // Uses: the barrier's number, then the thread count if there is one (`flag`), then the predicate of a reduction.
  std::size_t index = operation.opcode == Opcode::barrier_reduce ? 1 : 0;
  operation.uses = {in_register(use(operand(instruction, index++), Type::u32), Type::u32)};
  const std::size_t predicates = operation.opcode == Opcode::barrier_reduce ? 1 : 0;
  if (instruction.operands.size() > index + predicates) {
    operation.flag = true;
    operation.uses.push_back(in_register(use(operand(instruction, index++), Type::u32), Type::u32));
  }
  require(operation.opcode != Opcode::barrier_arrive || operation.flag, "bar.arrive without a thread count");
  if (predicates != 0) {
    operation.uses.push_back(in_register(use_predicate(operand(instruction, index++)), Type::pred));
    operation.defs = {def(operand(instruction, 0), operation.type)};
  }
  require(index == instruction.operands.size(), "too many operands");
  emit_ending_block(std::move(operation));
  close_guard();
}

// `barrier.cluster`: two halves, of which the second waits. An arrival releases unless the text says `.relaxed`; a wait
// always acquires.
void Translator::cluster_barrier(const ptx::Instruction& instruction, Suffixes& suffixes) {
  suffixes.take("aligned");
  Operation operation{.opcode = Opcode::cluster_wait};
  if (suffixes.take("arrive")) {
    operation.opcode = Opcode::cluster_arrive;
    operation.flag = suffixes.take("release") || !suffixes.take("relaxed");
  } else {
    require(suffixes.take("wait"), "this form of barrier.cluster");
    suffixes.take("acquire");
  }
  expect_operands(instruction, 0, 0);
  open_guard();
  emit_ending_block(std::move(operation));
  close_guard();
}

void Translator::nanosleep(const ptx::Instruction& instruction, Suffixes& suffixes) {
  suffixes.take("u32");
  expect_operands(instruction, 1, 1);
  open_guard();
  emit_ending_block({.opcode = Opcode::nanosleep});
  close_guard();
}

}  // namespace cudalabs::vgpu::exec
