// Branches, calls, returns (PTX ISA: "Control Flow Instructions").
#include "vgpu/exec/builtins/builtins.h"
#include "vgpu/exec/decode/translator.h"

namespace cudalabs::vgpu::exec {

namespace {

/// What the library cudadevrt defines.
bool is_of_device_runtime(const std::string& name) {
  return name.starts_with("cuda") || name.starts_with("__cudaCDP");
}

}  // namespace

using ir::kNoRegister;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

void Translator::bra(const ptx::Instruction& instruction, Suffixes& suffixes) {
  suffixes.take("uni");
  expect_operands(instruction, 1, 1);
  const auto* label = std::get_if<ptx::LabelRef>(&operand(instruction, 0).value);
  require(label != nullptr, "the target must be a label");
  const std::uint32_t target = block_at(label->name);
  if (!instruction.guard) {
    terminate({.opcode = Opcode::jump, .targets = {target}});
    return;
  }
  Operation branch{.opcode = Opcode::branch};
  branch.uses = {Value::of_register(register_base_[instruction.guard->predicate])};
  branch.flag = instruction.guard->negated;
  const std::uint32_t next = new_block();
  branch.targets = {target, next};
  terminate(std::move(branch));
  start_block(next);
}

void Translator::brx(const ptx::Instruction& instruction, Suffixes& suffixes) {
  require(suffixes.take("idx"), "a form other than brx.idx");
  suffixes.take("uni");
  expect_operands(instruction, 2, 2);
  const auto* name = std::get_if<ptx::LabelRef>(&operand(instruction, 1).value);
  require(name != nullptr, "a table of targets is needed");
  const auto table = source_.branch_targets.find(name->name);
  require(table != source_.branch_targets.end() && !table->second.empty(), "no such table of targets");
  open_guard();
  Operation branch{.opcode = Opcode::branch_table};
  branch.uses = {in_register(use(operand(instruction, 0), Type::u32), Type::u32)};
  for (const std::string& label : table->second) branch.targets.push_back(block_at(label));
  terminate(std::move(branch));
  close_guard();
}

void Translator::call(const ptx::Instruction& instruction, Suffixes& suffixes) {
  suffixes.take("uni");
  expect_operands(instruction, 3, 4);
  const auto* results = std::get_if<ptx::ListOperand>(&operand(instruction, 0).value);
  const auto* arguments = std::get_if<ptx::ListOperand>(&operand(instruction, 2).value);
  require(results != nullptr && arguments != nullptr, "lists of results and arguments are needed");
  open_guard();

  // Arguments and results are `.param` variables of this body, or registers.
  const auto place = [&](const ptx::Operand& item, const ptx::Variable* formal) -> std::uint32_t {
    if (const auto* symbol = std::get_if<ptx::SymbolRef>(&item.value)) {
      const auto found = parameters_.find(symbol->name);
      require(found != parameters_.end() && !found->second.of_kernel && symbol->offset == 0,
              "an argument that is no parameter variable");
      return found->second.reg;
    }
    require(formal != nullptr, "an argument whose type is not known");
    return in_register(use(item, formal->type), formal->type).reg;
  };

  Operation call{.opcode = Opcode::call};
  const ptx::Operand& target = operand(instruction, 1);
  const std::vector<ptx::Variable>* formal_arguments = nullptr;
  const std::vector<ptx::Variable>* formal_results = nullptr;
  const ptx::Function* callee = nullptr;
  if (const auto* symbol = std::get_if<ptx::SymbolRef>(&target.value)) {
    const auto found = surroundings_.definitions.find(symbol->name);
    require(found != surroundings_.definitions.end(), "a call of something that is no function");
    callee = found->second;
    require(!callee->is_entry, "a call of a kernel");
    formal_arguments = &callee->parameters;
    formal_results = &callee->results;
  } else {
    call.uses.push_back(in_register(use(target, Type::u64), Type::u64));
    const auto* label =
        instruction.operands.size() > 3 ? std::get_if<ptx::LabelRef>(&instruction.operands[3].value) : nullptr;
    if (label != nullptr) {
      if (const auto found = source_.call_prototypes.find(label->name); found != source_.call_prototypes.end()) {
        formal_arguments = &found->second.parameters;
        formal_results = &found->second.results;
      }
    }
  }
  if (formal_arguments != nullptr) {
    require(
        arguments->elements.size() == formal_arguments->size() && results->elements.size() == formal_results->size(),
        "a call with the wrong number of arguments or results");
  }
  std::vector<std::uint32_t> argument_registers, result_registers;
  for (std::size_t i = 0; i < arguments->elements.size(); ++i) {
    argument_registers.push_back(
        place(arguments->elements[i], formal_arguments == nullptr ? nullptr : &(*formal_arguments)[i]));
  }
  for (std::size_t i = 0; i < results->elements.size(); ++i) {
    const ptx::Operand& item = results->elements[i];
    if (std::holds_alternative<ptx::RegisterRef>(item.value)) {
      result_registers.push_back(def(item, type_of(item)));
    } else {
      result_registers.push_back(place(item, nullptr));
    }
  }

  if (callee != nullptr && callee->is_declaration) {
    call_builtin(callee->name, argument_registers, result_registers);
    close_guard();
    return;
  }
  if (callee != nullptr) {
    const auto same_shape = [&](std::uint32_t reg, const ptx::Variable& formal) {
      const ir::Register& have = out_.registers[reg];
      const bool scalar = formal.vector_size == 1 && formal.size == ptx::size_in_bytes(formal.type);
      return scalar ? have.words == 0 && row_width(have.type) == row_width(formal.type)
                    : have.words == (formal.size + 3) / 4;
    };
    for (std::size_t i = 0; i < argument_registers.size(); ++i) {
      require(same_shape(argument_registers[i], callee->parameters[i]), "an argument of another size than declared");
    }
    for (std::size_t i = 0; i < result_registers.size(); ++i) {
      require(same_shape(result_registers[i], callee->results[i]), "a result of another size than declared");
    }
    callees_.push_back(callee);
    call.callee = callee;
  }
  for (const std::uint32_t reg : argument_registers) call.uses.push_back(Value::of_register(reg));
  call.defs = result_registers;
  emit_ending_block(std::move(call));
  close_guard();
}

void Translator::call_builtin(const std::string& name, const std::vector<std::uint32_t>& arguments,
                              const std::vector<std::uint32_t>& results) {
  const Builtin* builtin = find_builtin(name);
  if (builtin == nullptr) {
    if (is_of_device_runtime(name)) {
      refuse("`" + name + "` is a call of the CUDA runtime in device code that the virtual GPU does not have");
    }
    // Names with two underscores are the compilers' own.
    refuse("`" + name + "` has no body, and the virtual GPU has none either",
           name.starts_with("__") ? ptx::Defect::not_executed : ptx::Defect::undefined_function);
  }
  require(arguments.size() == builtin->arguments.size() + builtin->extents.size() &&
              results.size() <= (builtin->result == Type::none ? 0u : 1u),
          "a call with the wrong number of arguments or results");
  if (!builtin->extents.empty()) return call_with_extents(*builtin, arguments, results);
  std::vector<Value> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::Register& have = out_.registers[arguments[i]];
    require(have.words == 0 && row_width(have.type) == row_width(builtin->arguments[i]), "an argument of another size");
    values.push_back(Value::of_register(arguments[i]));
  }
  if (!results.empty()) {
    const ir::Register& have = out_.registers[results[0]];
    require(have.words == 0 && row_width(have.type) == row_width(builtin->result), "a result of another size");
  }
  // Results delivered through pointers: computed into temporaries, then stored.
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (builtin->stores.empty() || !builtin->is_pointer(i)) inputs.push_back(values[i]);
  }
  std::vector<std::pair<std::size_t, std::uint32_t>> stored;
  for (const Builtin::Store& store : builtin->stores) {
    const std::uint32_t value = temporary(store.type);
    Operation& operation = emit(Opcode::lane_function, store.type, {value}, inputs);
    operation.handler = store.handler;
    operation.flag = builtin->allocates;
    operation.pinned = builtin->allocates;
    stored.emplace_back(store.argument, value);
  }
  if (builtin->handler != nullptr) {
    std::vector<std::uint32_t> defs = results;
    if (defs.empty() && builtin->result != Type::none) defs.push_back(temporary(builtin->result));
    Operation& operation =
        emit(Opcode::lane_function, builtin->result, std::move(defs), builtin->stores.empty() ? values : inputs);
    operation.handler = builtin->handler;
    operation.flag = builtin->allocates;
    operation.pinned = !name.starts_with("__nv_");
  }
  for (const auto& [argument, value] : stored) {
    Operation store{.opcode = Opcode::store, .type = out_.registers[value].type};
    store.uses = {values[argument], Value::of_register(value)};
    append(std::move(store));
  }
  if (builtin->ends_launch) {
    Operation trap{.opcode = Opcode::trap};
    trap.flag = true;  // the builtin has said why
    terminate(std::move(trap));
  }
}

// f(first, dim3, dim3, others…): the call without them gives what the extents are then told to.
void Translator::call_with_extents(const Builtin& builtin, const std::vector<std::uint32_t>& arguments,
                                   const std::vector<std::uint32_t>& results) {
  constexpr std::uint32_t kWords = 3;
  const std::size_t count = builtin.extents.size();
  std::vector<Value> values;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ir::Register& have = out_.registers[arguments[i]];
    const bool extent = i >= 1 && i <= count;
    require(extent ? have.words == kWords : have.words == 0, "an argument of another size");
    if (!extent) values.push_back(Value::of_register(arguments[i]));
  }
  const std::uint32_t result = results.empty() ? temporary(builtin.result) : results[0];
  const auto emit_pinned = [&](Type type, std::uint32_t def, std::vector<Value> uses, Handler handler) {
    Operation& operation = emit(Opcode::lane_function, type, {def}, std::move(uses));
    operation.handler = handler;
    operation.flag = builtin.allocates;
    operation.pinned = true;
  };
  emit_pinned(builtin.result, result, values, builtin.handler);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Value> uses{Value::of_register(result)};
    for (std::uint32_t word = 0; word < kWords; ++word) {
      const std::uint32_t part = temporary(Type::b32);
      Operation load{.opcode = Opcode::load_blob, .type = Type::b32};
      load.detail = word * 4;
      load.uses = {Value::of_register(arguments[1 + i])};
      load.defs = {part};
      append(std::move(load));
      uses.push_back(Value::of_register(part));
    }
    emit_pinned(Type::b32, temporary(Type::b32), std::move(uses), builtin.extents[i]);
  }
}

void Translator::ret(const ptx::Instruction& instruction, Suffixes& suffixes) {
  suffixes.take("uni");
  expect_operands(instruction, 0, 0);
  open_guard();
  return_from_function();
  close_guard();
}

// Returning reads the results.
void Translator::return_from_function() {
  deliver_results();
  Operation end{.opcode = source_.is_entry ? Opcode::exit : Opcode::ret};
  for (const std::uint32_t reg : out_.results) end.uses.push_back(Value::of_register(reg));
  terminate(std::move(end));
}

void Translator::exit(const ptx::Instruction& instruction, Suffixes&) {
  expect_operands(instruction, 0, 0);
  open_guard();
  terminate({.opcode = Opcode::exit});
  close_guard();
}

void Translator::trap(const ptx::Instruction& instruction, Suffixes&) {
  expect_operands(instruction, 0, 0);
  open_guard();
  terminate({.opcode = Opcode::trap});
  close_guard();
}

}  // namespace cudalabs::vgpu::exec
