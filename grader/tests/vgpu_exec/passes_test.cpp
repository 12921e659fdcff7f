// What the decoder's passes make of small functions in its own form.
#include <algorithm>

#include "catch.h"
#include "vgpu/exec/decode/control_flow.h"
#include "vgpu/exec/decode/effects.h"
#include "vgpu/exec/decode/layout.h"
#include "vgpu/exec/decode/live_ranges.h"
#include "vgpu/exec/decode/operation_facts.h"
#include "vgpu/exec/decode/simplify.h"
#include "vgpu/exec/decode/unset_reads.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::exec;
using ir::Opcode;
using ir::Operation;
using ir::Type;
using ir::Value;

namespace {

Value reg(std::uint32_t index) {
  return Value::of_register(index);
}
Value number(std::uint64_t bits) {
  return Value::of_bits(bits);
}

Operation operation(Opcode opcode, Type type, std::vector<std::uint32_t> defs, std::vector<Value> uses) {
  Operation made{.opcode = opcode, .type = type};
  made.defs = std::move(defs);
  made.uses = std::move(uses);
  return made;
}
Operation load(std::uint32_t to, Value address) {
  return operation(Opcode::load, Type::b32, {to}, {address});
}
Operation store(Value address, Value value) {
  return operation(Opcode::store, Type::b32, {}, {address, value});
}
Operation leads_to(Opcode opcode, std::vector<Value> uses, std::vector<std::uint32_t> targets) {
  Operation made = operation(opcode, Type::none, {}, std::move(uses));
  made.targets = std::move(targets);
  return made;
}

// Registers 0 to 9 have 32 bits, 10 to 19 have 64, 20 is a predicate.
ir::Function function_of(std::vector<std::vector<Operation>> blocks) {
  ir::Function function;
  for (int i = 0; i < 21; ++i) function.registers.push_back({i < 10 ? Type::b32 : i < 20 ? Type::b64 : Type::pred, 0});
  for (std::vector<Operation>& operations : blocks) {
    if (!ir::ends_block(operations.back().opcode)) operations.push_back({.opcode = Opcode::exit});
    ir::Block& block = function.blocks.emplace_back();
    block.operations = std::move(operations);
  }
  return function;
}

std::vector<Opcode> opcodes(const ir::Block& block) {
  std::vector<Opcode> all;
  for (const Operation& one : block.operations) all.push_back(one.opcode);
  return all;
}

}  // namespace

TEST_CASE("constants are computed once, and operands that are constant become so", "[vgpu]") {
  ir::Function function = function_of({{
      operation(Opcode::mov, Type::u32, {0}, {number(6)}),
      operation(Opcode::mul_lo, Type::u32, {1}, {reg(0), number(7)}),
      operation(Opcode::add, Type::u32, {2}, {reg(1), reg(5)}),
      store(reg(10), reg(2)),
  }});
  function.parameters = {5, 10};
  propagate_constants(function);
  const std::vector<Operation>& made = function.blocks[0].operations;
  CHECK(made[1].opcode == Opcode::mov);
  CHECK(made[1].uses == std::vector{number(42)});
  CHECK(made[2].uses == std::vector{reg(5), number(42)});  // constants go second
}

TEST_CASE("a register that is written twice is no constant", "[vgpu]") {
  ir::Function function = function_of({{
      operation(Opcode::mov, Type::u32, {0}, {number(6)}),
      operation(Opcode::mov, Type::u32, {0}, {number(7)}),
      operation(Opcode::add, Type::u32, {1}, {reg(0), reg(0)}),
      store(reg(10), reg(1)),
  }});
  function.parameters = {10};
  propagate_constants(function);
  CHECK(function.blocks[0].operations[2].uses == std::vector{reg(0), reg(0)});
}

TEST_CASE("subtracting a constant is adding its negative", "[vgpu]") {
  ir::Function function =
      function_of({{operation(Opcode::sub, Type::u32, {1}, {reg(0), number(1)}), store(reg(10), reg(1))}});
  function.parameters = {0, 10};
  propagate_constants(function);
  CHECK(function.blocks[0].operations[0].opcode == Opcode::add);
  CHECK(function.blocks[0].operations[0].uses[1] == number(0xFFFF'FFFF));
}

TEST_CASE("what nobody reads is dropped, unless observers see it", "[vgpu]") {
  ir::Function function = function_of({{
      load(0, reg(10)),
      operation(Opcode::add, Type::u32, {1}, {reg(0), number(1)}),
      operation(Opcode::mul_lo, Type::u32, {2}, {reg(1), number(3)}),
      operation(Opcode::fence, Type::none, {}, {}),
  }});
  function.parameters = {10};
  drop_unused(function);
  CHECK(opcodes(function.blocks[0]) == std::vector{Opcode::load, Opcode::fence, Opcode::exit});
}

TEST_CASE("a loop's counter is no copy", "[vgpu]") {
  ir::Function function = function_of({
      {operation(Opcode::mov, Type::u32, {0}, {number(0)}), leads_to(Opcode::jump, {}, {1})},
      {operation(Opcode::add, Type::u32, {1}, {reg(0), number(1)}), operation(Opcode::mov, Type::u32, {0}, {reg(1)}),
       leads_to(Opcode::branch_compare, {reg(1), reg(2)}, {1, 2})},
      {store(reg(10), reg(0))},
  });
  function.parameters = {2, 10};
  read_copies(function);
  CHECK(function.blocks[1].operations[2].uses == std::vector{reg(0), reg(2)});
  lay_out(function);
  CHECK(opcodes(function.blocks[1]) == std::vector{Opcode::add, Opcode::branch_compare});
}

TEST_CASE("a source that is needed once more is read itself", "[vgpu]") {
  const auto uses_after = [](std::vector<Operation> rest, std::vector<Operation> next) {
    std::vector<Operation> first{load(1, reg(10)), operation(Opcode::mov, Type::u32, {0}, {reg(1)}),
                                 operation(Opcode::add, Type::u32, {3}, {reg(1), number(1)})};
    first.insert(first.end(), rest.begin(), rest.end());
    first.push_back(leads_to(Opcode::jump, {}, {1}));
    ir::Function function = function_of({std::move(first), std::move(next)});
    function.parameters = {10};
    read_copies(function);
    return function.blocks[0].operations[2].uses[0];
  };
  const Operation store_copy = store(reg(10), reg(0)), store_source = store(reg(10), reg(1));
  CHECK(uses_after({store(reg(10), reg(3))}, {store_copy}) == reg(0));
  SECTION("in another block") {
    CHECK(uses_after({store(reg(10), reg(3))}, {store_copy, store_source}) == reg(1));
  }
  SECTION("behind a change of the copy") {
    CHECK(uses_after({load(0, reg(10)), store_source}, {store_copy}) == reg(1));
  }
  SECTION("not behind a change of itself") {
    CHECK(uses_after({load(1, reg(10)), store_source}, {store_copy}) == reg(0));
  }
  SECTION("by a change that may leave it") {
    Operation guarded = load(1, reg(10));
    guarded.guard = 20;
    CHECK(uses_after({guarded, store_source}, {store_copy}) == reg(1));
  }
}

TEST_CASE("a product and a sum are one operation, where the product is for nothing else", "[vgpu]") {
  const auto fused = [](bool reads_product) {
    ir::Function function = function_of({{
        operation(Opcode::mul_lo, Type::u32, {2}, {reg(0), reg(1)}),
        operation(Opcode::add, Type::u32, {3}, {reg(2), reg(4)}),
        store(reg(10), reg(3)),
        store(reg(10), reg(reads_product ? 2 : 3)),
    }});
    function.parameters = {0, 1, 4, 10};
    fuse(function);
    return function.blocks[0].operations[1].opcode;
  };
  CHECK(fused(false) == Opcode::mad_lo);
  CHECK(fused(true) == Opcode::add);
}

TEST_CASE("a constant part of an address goes into the access", "[vgpu]") {
  ir::Function function =
      function_of({{operation(Opcode::add, Type::u64, {11}, {reg(10), number(16)}), load(0, reg(11))}});
  function.parameters = {10};
  fuse(function);
  CHECK(function.blocks[0].operations[1].memory.offset == 16);
  CHECK(function.blocks[0].operations[1].uses == std::vector{reg(10)});
}

TEST_CASE("an address is left alone whose parts have changed since", "[vgpu]") {
  ir::Function function = function_of({{
      operation(Opcode::add, Type::u64, {11}, {reg(10), number(16)}),
      operation(Opcode::add, Type::u64, {10}, {reg(10), number(4)}),
      load(0, reg(11)),
  }});
  function.parameters = {10};
  fuse(function);
  CHECK(function.blocks[0].operations[2].memory.offset == 0);
  CHECK(function.blocks[0].operations[2].uses == std::vector{reg(11)});
}

TEST_CASE("blocks that only follow each other are one; those that nobody reaches are gone", "[vgpu]") {
  ir::Function function = function_of({
      {operation(Opcode::mov, Type::u32, {0}, {number(1)}), leads_to(Opcode::jump, {}, {2})},
      {operation(Opcode::mov, Type::u32, {1}, {number(2)})},
      {store(reg(10), reg(0))},
  });
  merge_blocks(function);
  REQUIRE(function.blocks.size() == 1);
  CHECK(opcodes(function.blocks[0]) == std::vector{Opcode::mov, Opcode::store, Opcode::exit});
}

TEST_CASE("a loop is laid out in one piece", "[vgpu]") {
  // 0 -> 1 -> (2 or 3), 3 -> 1: block 2, behind the loop, comes last.
  ir::Function function = function_of({
      {leads_to(Opcode::jump, {}, {1})},
      {leads_to(Opcode::branch, {reg(20)}, {2, 3})},
      {store(reg(10), reg(0))},
      {operation(Opcode::add, Type::u32, {0}, {reg(0), number(1)}), leads_to(Opcode::jump, {}, {1})},
  });
  order_blocks(function);
  CHECK(opcodes(function.blocks[2]).front() == Opcode::add);
  CHECK(opcodes(function.blocks[3]).front() == Opcode::store);
  CHECK(function.blocks[1].operations.back().targets == std::vector<std::uint32_t>{3, 2});
  CHECK(function.blocks[3].priority == 3);
}

TEST_CASE("values that live at once have places of their own, others share", "[vgpu]") {
  ir::Function apart = function_of({{
      load(0, reg(10)),
      load(1, reg(10)),
      operation(Opcode::add, Type::u32, {2}, {reg(0), reg(1)}),
      store(reg(10), reg(2)),
      load(3, reg(10)),
      store(reg(10), reg(3)),
  }});
  apart.parameters = {10};
  const FrameLayout layout = lay_out(apart);
  CHECK(layout.offset[0] != layout.offset[1]);
  CHECK((layout.offset[3] == layout.offset[0] || layout.offset[3] == layout.offset[1] ||
         layout.offset[3] == layout.offset[2]));
  CHECK(layout.registers == 4);  // an address and two words
  CHECK(layout.unset.empty());
}

TEST_CASE("a register that may be read before it is written is checked where it is looked at", "[vgpu]") {
  ir::Function function = function_of({{
      operation(Opcode::mov, Type::u32, {1}, {reg(0)}),
      operation(Opcode::add, Type::u32, {2}, {reg(1), number(1)}),
      store(reg(10), reg(2)),
  }});
  function.parameters = {10};
  check_unset_reads(function, std::vector<InstructionInfo>(1));
  CHECK(opcodes(function.blocks[0]) ==
        std::vector{Opcode::mov, Opcode::check_set, Opcode::add, Opcode::store, Opcode::exit});
}

TEST_CASE("a guarded result keeps what was there before", "[vgpu]") {
  Operation guarded = operation(Opcode::mov, Type::u32, {0}, {number(1)});
  guarded.guard = 20;
  CHECK(defines_partly(guarded));
  ir::Function function = function_of({{load(0, reg(10)), guarded, store(reg(10), reg(0))}});
  function.parameters = {10, 20};
  drop_unused(function);
  CHECK(function.blocks[0].operations.size() == 4);
  LiveRanges ranges;
  REQUIRE(find_live_ranges(function, ranges));
  CHECK(ranges.of[0].size() == 1);  // from the load to the store, without a gap
}

TEST_CASE("only operations without effect are pure", "[vgpu]") {
  CHECK(is_pure({.opcode = Opcode::add}));
  CHECK(is_pure({.opcode = Opcode::lane_function}));
  Operation pinned{.opcode = Opcode::lane_function};
  pinned.pinned = true;
  CHECK_FALSE(is_pure(pinned));
  for (const Opcode opcode : {Opcode::load, Opcode::store, Opcode::atomic, Opcode::fence, Opcode::check_set,
                              Opcode::store_blob, Opcode::shuffle, Opcode::barrier_sync, Opcode::exit}) {
    CHECK_FALSE(is_pure({.opcode = opcode}));
  }
}
