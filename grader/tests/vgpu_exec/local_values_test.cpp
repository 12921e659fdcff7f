// What made the values that registers have at a place in a block.
#include "vgpu/exec/decode/local_values.h"

#include "catch/catch.h"

using namespace cudalabs::vgpu::exec;
using ir::Opcode;
using ir::Operation;
using ir::Value;

namespace {

Operation sum(std::uint32_t to, std::uint32_t a, std::uint32_t b) {
  Operation made{.opcode = Opcode::add, .type = ir::Type::u32};
  made.defs = {to};
  made.uses = {Value::of_register(a), Value::of_register(b)};
  return made;
}

/// Has executed these operations, as those of one block.
LocalValues after(const std::vector<Operation>& operations) {
  LocalValues values(8);
  values.begin_block();
  for (std::size_t i = 0; i < operations.size(); ++i) values.note(operations[i], i);
  return values;
}

}  // namespace

TEST_CASE("the last operation that wrote a register made its value", "[vgpu]") {
  const std::vector<Operation> operations{sum(0, 1, 2), sum(0, 3, 4), sum(5, 0, 1)};
  const LocalValues values = after(operations);
  CHECK(values.maker(operations, 0) == 1u);
  CHECK(values.maker(operations, 5) == 2u);
  CHECK_FALSE(values.maker(operations, 1));  // it comes from elsewhere
}

TEST_CASE("what made a value is not told when a source has changed since", "[vgpu]") {
  const std::vector<Operation> operations{sum(0, 1, 2), sum(2, 3, 4)};
  CHECK_FALSE(after(operations).maker(operations, 0));
  const std::vector<Operation> own_source{sum(0, 0, 1)};
  CHECK_FALSE(after(own_source).maker(own_source, 0));
}

TEST_CASE("what made a value is not told when the operation may have left the register as it was", "[vgpu]") {
  std::vector<Operation> operations{sum(0, 1, 2)};
  operations[0].guard = 7;
  CHECK_FALSE(after(operations).maker(operations, 0));
}

TEST_CASE("values of another block are not known", "[vgpu]") {
  const std::vector<Operation> operations{sum(0, 1, 2)};
  LocalValues values = after(operations);
  values.begin_block();
  CHECK_FALSE(values.maker(operations, 0));
}
