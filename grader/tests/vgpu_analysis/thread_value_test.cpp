// What kernels compute from their parameters and the numbers of a thread.
#include "vgpu/analysis/thread_value.h"

#include <cstring>
#include <string>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Of "`instruction` %x, a, b", for constants.
std::optional<std::uint64_t> computed(const std::string& instruction, std::vector<std::uint64_t> operands) {
  std::string text = "  " + instruction + " %x0";
  for (std::size_t i = 0; i < operands.size(); ++i) text += ", %x" + std::to_string(i + 1);
  const ptx::Module module = ptx::parse(
      ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n.reg .b64 %x<9>;\n" + text + ";\n}\n");
  const auto step = step_of(module.functions[0].instructions[0]);
  if (!step) return std::nullopt;
  ThreadValue value;
  for (const std::uint64_t operand : operands) {
    ValueStep constant;
    constant.bits = operand;
    value.push_back(constant);
  }
  value.push_back(*step);
  return value_of(value, {});
}

constexpr std::uint64_t kMinusOne = 0xFFFF'FFFF;

}  // namespace

TEST_CASE("integers are computed as the device does", "[vgpu]") {
  CHECK(computed("add.s32", {kMinusOne, 2}) == 1);
  CHECK(computed("sub.s32", {1, 2}) == kMinusOne);
  CHECK(computed("mul.lo.s32", {1 << 20, 1 << 12}) == 0);
  CHECK(computed("mul.wide.s32", {kMinusOne, 4}) == 0xFFFF'FFFF'FFFF'FFFCu);
  CHECK(computed("mul.wide.u32", {kMinusOne, 4}) == 0x3'FFFF'FFFCu);
  CHECK(computed("mad.lo.s32", {3, 4, kMinusOne}) == 11);
  CHECK(computed("div.s32", {kMinusOne - 6, 2}) == kMinusOne - 2);
  CHECK(computed("div.u32", {kMinusOne, 2}) == 0x7FFF'FFFF);
  CHECK(computed("rem.s32", {7, 0}) == std::nullopt);
  CHECK(computed("div.s32", {0x8000'0000, kMinusOne}) == 0x8000'0000);
  CHECK(computed("shr.s32", {kMinusOne, 40}) == kMinusOne);
  CHECK(computed("shr.u32", {kMinusOne, 28}) == 15);
  CHECK(computed("shl.b32", {3, 31}) == 0x8000'0000);
  CHECK(computed("shl.b32", {3, 32}) == 0);
  CHECK(computed("min.s32", {kMinusOne, 2}) == kMinusOne);
  CHECK(computed("max.u32", {kMinusOne, 2}) == kMinusOne);
  CHECK(computed("and.b32", {12, 10}) == 8);
  CHECK(computed("neg.s32", {1}) == kMinusOne);
  CHECK(computed("cvt.s64.s32", {kMinusOne}) == ~std::uint64_t{0});
  CHECK(computed("cvt.u64.u32", {kMinusOne}) == kMinusOne);
  CHECK(computed("mov.u32", {5}) == 5);
}

TEST_CASE("what is not known to be an integer's arithmetic is refused", "[vgpu]") {
  for (const std::string other : {"mul.hi.s32", "add.sat.s32", "add.f32", "popc.b32"}) {
    CAPTURE(other);
    CHECK(computed(other, other == "popc.b32" ? std::vector<std::uint64_t>{1} : std::vector<std::uint64_t>{1, 2}) ==
          std::nullopt);
  }
}

TEST_CASE("parameters and the numbers of the thread are those of the launch", "[vgpu]") {
  const std::int32_t n = -3;
  std::byte bytes[4];
  std::memcpy(bytes, &n, sizeof n);
  ThreadOfLaunch thread{{4, 5, 6}, {7, 8, 9}, {1, 2, 3}, {3, 4, 5}, {bytes}};
  const auto special = [&](const std::string& name, char axis) {
    const auto step = step_of(ptx::SpecialRegister{name, axis});
    return step ? value_of({*step}, thread) : std::nullopt;
  };
  CHECK(special("%tid", 'y') == 4);
  CHECK(special("%ctaid", 'z') == 3);
  CHECK(special("%ntid", 'x') == 7);
  CHECK(special("%nctaid", 'x') == 4);
  CHECK(special("%laneid", 0) == std::nullopt);
  ValueStep parameter{ValueStep::Kind::parameter, ptx::Opcode::unknown, ptx::Type::s32, ptx::Type::s32};
  CHECK(int_of({parameter}, thread) == -3);
  parameter.offset = 1;
  CHECK(int_of({parameter}, thread) == std::nullopt);
  parameter.bits = 1;
  CHECK(int_of({parameter}, thread) == std::nullopt);
}
