// What each instruction does to a thread of the reference machine.
#include "executor.h"

#include <algorithm>
#include <cstring>

namespace cudalabs::reference {

using vgpu::ptx::ListOperand;
using vgpu::ptx::RegisterRef;
using vgpu::ptx::Space;
using vgpu::ptx::SymbolRef;
using vgpu::ptx::Variable;
using vgpu::ptx::VectorOperand;

namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;  // of one thread: no random program comes near

}  // namespace

void fail(const Decoded& decoded, const std::string& message) {
  throw MachineError("PTX line " + std::to_string(decoded.instruction->ptx_line) + ": " + decoded.instruction->opcode +
                     ": " + message);
}

void Executor::place_variables(Thread& thread, Frame& frame, const std::vector<Variable>& variables) {
  for (const Variable& variable : variables) {
    if (variable.space != Space::param && variable.space != Space::local) continue;
    const std::uint64_t begin =
        (thread.local.size() + variable.alignment - 1) / variable.alignment * variable.alignment;
    frame.storage[variable.name] = begin;
    thread.local.resize(begin + variable.size);
  }
}

void Executor::enter(Thread& thread, const Routine& kernel) {
  Frame frame;
  frame.routine = &kernel;
  frame.registers.resize(kernel.function->registers.size());
  place_variables(thread, frame, kernel.function->parameters);
  place_variables(thread, frame, kernel.function->variables);
  std::uint64_t offset = 0;
  for (const Variable& parameter : kernel.function->parameters) {
    offset = (offset + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    if (offset + parameter.size > world_.parameters.size()) throw MachineError("too few kernel parameters");
    std::memcpy(thread.local.data() + frame.storage[parameter.name], world_.parameters.data() + offset, parameter.size);
    offset += parameter.size;
  }
  thread.frames.push_back(std::move(frame));
}

bool Executor::advance() {
  for (Thread& thread : block_.threads) run(thread);
  const bool all_done = std::all_of(block_.threads.begin(), block_.threads.end(),
                                    [](const Thread& thread) { return thread.status == ThreadStatus::exited; });
  if (all_done) return false;
  // In this order: a thread that a warp operation lets go on may still be on its way to the barrier.
  if (!complete_warp_operations() && !complete_barriers()) throw MachineError("deadlock: every thread waits");
  return true;
}

void Executor::run(Thread& thread) {
  while (thread.status == ThreadStatus::running) {
    Frame& frame = thread.frame();
    if (frame.next >= frame.routine->code.size()) {
      leave(thread);
      continue;
    }
    const Decoded& decoded = frame.routine->code[frame.next];
    if (++thread.steps > kMostSteps) fail(decoded, "the thread does not end");
    if (const auto& guard = decoded.instruction->guard) {
      if ((frame.registers[guard->predicate] != 0) == guard->negated) {
        ++frame.next;
        continue;
      }
    }
    execute(thread, decoded);
  }
}

void Executor::execute(Thread& thread, const Decoded& decoded) {
  const std::string& opcode = decoded.instruction->opcode;
  const auto& operands = decoded.instruction->operands;
  // These say themselves where the thread goes on.
  if (opcode == "bra") return branch(thread, std::get<vgpu::ptx::LabelRef>(operands[0].value).name);
  if (opcode == "brx") {
    const auto& targets =
        thread.frame().routine->function->branch_targets.at(std::get<vgpu::ptx::LabelRef>(operands[1].value).name);
    const std::uint64_t index = read(thread, operands[0], Type::u32);
    if (index >= targets.size()) fail(decoded, "index beyond the table");
    return branch(thread, targets[index]);
  }
  if (opcode == "call") return call(thread, decoded);
  if (opcode == "ret") return leave(thread);
  if (opcode == "exit") {
    thread.status = ThreadStatus::exited;
    return;
  }
  if (opcode == "bar" || opcode == "barrier") {
    thread.status = decoded.has("warp") ? ThreadStatus::at_warp_operation : ThreadStatus::at_barrier;
    return;
  }
  if (opcode == "shfl" || opcode == "vote" || opcode == "match" || opcode == "redux") {
    thread.status = ThreadStatus::at_warp_operation;
    return;
  }

  if (decoded.operation) {
    arithmetic(thread, decoded);
  } else if (opcode == "mov") {
    move(thread, decoded);
  } else if (opcode == "ld" || opcode == "ldu") {
    load(thread, decoded);
  } else if (opcode == "st") {
    store(thread, decoded);
  } else if (opcode == "atom" || opcode == "red") {
    atomic(thread, decoded);
  } else if (opcode == "cvta" || opcode == "isspacep") {
    convert_address(thread, decoded);
  } else if (opcode != "membar" && opcode != "fence") {  // nothing is reordered here
    fail(decoded, "unknown opcode");
  }
  ++thread.frame().next;
}

void Executor::arithmetic(Thread& thread, const Decoded& decoded) {
  const auto& operands = decoded.instruction->operands;
  const auto& sources = decoded.signature.sources;
  if (operands.size() != sources.size() + 1) fail(decoded, "wrong number of operands");
  Arguments arguments{};
  for (std::size_t i = 0; i < sources.size(); ++i) arguments[i] = read(thread, operands[i + 1], sources[i]);
  const Operation& operation = *decoded.operation;
  const Outcome outcome = evaluate(operation, arguments, thread.carry);
  if (operation.carry_out) thread.carry = outcome.carry;
  if (const auto* const pair = std::get_if<vgpu::ptx::PredicatePair>(&operands[0].value)) {
    thread.frame().registers[pair->first] = outcome.value;
    if (pair->second) thread.frame().registers[*pair->second] = outcome.second ? 1 : 0;
    return;
  }
  write(thread, operands[0], decoded.signature.result, outcome.value);
}

// Scalars, and registers packed into or unpacked from a wider one.
void Executor::move(Thread& thread, const Decoded& decoded) {
  const auto& operands = decoded.instruction->operands;
  std::uint64_t bits = 0;
  if (const auto* const parts = std::get_if<VectorOperand>(&operands[1].value)) {
    const unsigned width = width_of(decoded.type) / static_cast<unsigned>(parts->elements.size());
    const Type part = width == 8 ? Type::b8 : width == 16 ? Type::b16 : Type::b32;
    for (std::size_t i = parts->elements.size(); i-- > 0;)
      bits = bits << width | read(thread, parts->elements[i], part);
  } else {
    bits = read(thread, operands[1], decoded.type);
  }
  if (const auto* const parts = std::get_if<VectorOperand>(&operands[0].value)) {
    const unsigned width = width_of(decoded.type) / static_cast<unsigned>(parts->elements.size());
    const Type part = width == 8 ? Type::b8 : width == 16 ? Type::b16 : Type::b32;
    for (const Operand& element : parts->elements) {
      write(thread, element, part, truncate(bits, width));
      bits >>= width;
    }
  } else {
    write(thread, operands[0], decoded.type, bits);
  }
}

void Executor::branch(Thread& thread, const std::string& label) {
  Frame& frame = thread.frame();
  frame.next = frame.routine->function->labels.at(label);
}

void Executor::call(Thread& thread, const Decoded& decoded) {
  const auto& operands = decoded.instruction->operands;
  std::string name;
  if (const auto* const symbol = std::get_if<SymbolRef>(&operands[1].value)) {
    name = symbol->name;
  } else {
    const auto found = world_.function_at.find(read(thread, operands[1], Type::u64));
    if (found == world_.function_at.end()) fail(decoded, "not the address of a function");
    name = found->second;
  }
  const auto callee = world_.routines.find(name);
  if (callee == world_.routines.end()) fail(decoded, "no function " + name);
  const vgpu::ptx::Function& function = *callee->second.function;

  Frame frame;
  frame.routine = &callee->second;
  frame.registers.resize(function.registers.size());
  place_variables(thread, frame, function.results);
  place_variables(thread, frame, function.parameters);
  place_variables(thread, frame, function.variables);
  const auto& arguments = std::get<ListOperand>(operands[2].value).elements;
  if (arguments.size() != function.parameters.size()) fail(decoded, "wrong number of arguments");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Variable& parameter = function.parameters[i];
    std::byte* const to = thread.local.data() + frame.storage.at(parameter.name);
    const auto* const variable = std::get_if<SymbolRef>(&arguments[i].value);
    if (variable != nullptr) {
      std::memcpy(to, thread.local.data() + thread.frame().storage.at(variable->name), parameter.size);
    } else {
      const std::uint64_t value = read(thread, arguments[i], parameter.type);
      std::memcpy(to, &value, parameter.size);
    }
  }
  thread.frames.push_back(std::move(frame));
}

// The caller's next instruction is still the call, which says where the results go.
void Executor::leave(Thread& thread) {
  const Frame done = std::move(thread.frames.back());
  thread.frames.pop_back();
  if (thread.frames.empty()) {
    thread.status = ThreadStatus::exited;
    return;
  }
  const Decoded& decoded = thread.frame().routine->code[thread.frame().next];
  const auto& results = std::get<ListOperand>(decoded.instruction->operands[0].value).elements;
  const auto& declared = done.routine->function->results;
  for (std::size_t i = 0; i < results.size() && i < declared.size(); ++i) {
    const std::byte* const from = thread.local.data() + done.storage.at(declared[i].name);
    if (const auto* const variable = std::get_if<SymbolRef>(&results[i].value)) {
      std::memcpy(thread.local.data() + thread.frame().storage.at(variable->name), from, declared[i].size);
    } else {
      std::uint64_t value = 0;
      std::memcpy(&value, from, declared[i].size);
      write(thread, results[i], declared[i].type, value);
    }
  }
  ++thread.frame().next;
}

}  // namespace cudalabs::reference
