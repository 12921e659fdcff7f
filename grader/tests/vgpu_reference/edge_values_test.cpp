// Single instructions at the edges of what the PTX ISA says, on the virtual GPU and on the reference machine; and that
// the reference knows every form that the virtual GPU executes lane by lane.
#include <fmt/format.h>

#include <cstring>
#include <set>

#include "catch/catch.h"
#include "forms.h"
#include "operation.h"
#include "vgpu/exec/handlers/lane_form.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::reference;

namespace {

// "sin.approx.f32" as the parser gives it.
vgpu::ptx::Instruction parsed(const std::string& form) {
  vgpu::ptx::Instruction instruction;
  std::string_view rest = form;
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t dot = rest.find('.');
    const std::string word(rest.substr(0, dot));
    if (first) {
      instruction.opcode = word;
    } else {
      instruction.suffixes.push_back(word);
    }
    rest = dot == std::string_view::npos ? "" : rest.substr(dot + 1);
  }
  return instruction;
}

// Operands as PTX declares, loads and stores them.
std::string bits_of(Type type) {
  return type == Type::f32 || type == Type::f64 ? std::string(vgpu::ptx::name_of(type))
                                                : fmt::format("b{}", width_of(type));
}

// One thread loads the operands, 8 bytes apart, computes, and stores the result behind them.
std::uint64_t on_virtual_gpu(const std::string& form, const Signature& signature, const Arguments& arguments) {
  std::string declared = fmt::format("\t.reg .{} %x;\n", bits_of(signature.result)), loads, operands = "%x";
  for (std::size_t i = 0; i < signature.sources.size(); ++i) {
    const bool is_predicate = signature.sources[i] == Type::pred;
    const std::string type = is_predicate ? "b32" : bits_of(signature.sources[i]);
    declared += fmt::format("\t.reg .{} %a{};\n\t.reg .pred %q{};\n", type, i, i);
    loads += fmt::format("\tld.global.{} %a{}, [%p+{}];\n", type, i, 8 * i);
    if (is_predicate) loads += fmt::format("\tsetp.ne.u32 %q{}, %a{}, 0;\n", i, i);
    operands += fmt::format(", %{}{}", is_predicate ? 'q' : 'a', i);
  }
  const std::string ptx =
      ".version 8.0\n.target sm_86\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\t.reg .b64 %p;\n" +
      declared + "\tld.param.u64 %p, [p];\n" + loads + fmt::format("\t{} {};\n", form, operands) +
      fmt::format("\tst.global.{} [%p+40], %x;\n\tret;\n}}\n", bits_of(signature.result));
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("t4");
  vgpu::VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const vgpu::DeviceAddress memory = gpu.allocate(48);
  REQUIRE(gpu.fill(memory, 0, 48));
  REQUIRE(gpu.copy_in(memory, std::as_bytes(std::span(arguments))));
  const auto status = gpu.launch(module, "k", {}, std::as_bytes(std::span(&memory, 1))).status;
  for (const auto& refusal : gpu.refusals()) FAIL_CHECK(vgpu::ptx::describe(refusal));
  CHECK(status == vgpu::LaunchStatus::ok);
  std::uint64_t result = 0;
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(&result, 1)), memory + 40));
  return result;
}

void check(const std::string& form, const Arguments& arguments, std::uint64_t expected) {
  INFO(form << fmt::format(" of {:#x}, {:#x}, {:#x}, {:#x}", arguments[0], arguments[1], arguments[2], arguments[3]));
  const auto operation = operation_of(parsed(form));
  REQUIRE(operation);
  CHECK(evaluate(*operation, arguments).value == expected);
  CHECK(on_virtual_gpu(form, signature_of(*operation), arguments) == expected);
}

constexpr std::uint64_t kOnes = ~0ull, kTop = 1ull << 63;
constexpr std::uint64_t kInfinity = 0x7F80'0000, kMinusInfinity = 0xFF80'0000, kNaN = 0x7FFF'FFFF, kOne = 0x3F80'0000;
constexpr std::uint64_t kSign = 0x8000'0000;

}  // namespace

TEST_CASE("set gives halves, and pairs of them half by half") {
  constexpr std::uint64_t kTwo = 0x4000, kThree = 0x4200, kHalfNaN = 0x7FFF;  // of half precision
  check("set.lt.f16.f16", {kTwo, kThree}, 0x3C00);
  check("set.lt.f16.f16", {kThree, kTwo}, 0);
  check("set.ne.f16.f16", {kHalfNaN, kTwo}, 0);
  check("set.neu.f16.f16", {kHalfNaN, kTwo}, 0x3C00);
  check("set.eq.bf16.bf16", {0x4000, 0x4000}, 0x3F80);
  check("set.lt.u16.f16", {kTwo, kThree}, 0xFFFF);
  check("set.lt.u32.f16", {kTwo, kThree}, 0xFFFF'FFFF);
  check("set.gt.f16.s32", {5, 4}, 0x3C00);
  check("set.lt.or.f16.f16", {kThree, kTwo, 1}, 0x3C00);
  const std::uint64_t rising = kTwo << 16 | kThree, falling = kThree << 16 | kTwo, with_nan = kHalfNaN << 16 | kTwo;
  check("set.gt.f16x2.f16x2", {rising, falling}, 0x3C00);
  check("set.lt.f16x2.f16x2", {rising, falling}, 0x3C00'0000);
  check("set.eq.f16x2.f16x2", {with_nan, with_nan}, 0x3C00);
  check("set.equ.f16x2.f16x2", {with_nan, with_nan}, 0x3C00'3C00);
  check("set.nan.f16x2.f16x2", {with_nan, rising}, 0x3C00'0000);
  check("set.eq.u32.f16x2", {with_nan, with_nan}, 0xFFFF);
  check("set.ge.s32.f16x2", {rising, falling}, 0xFFFF);
  check("set.le.bf16x2.bf16x2", {0x3F80'4000, 0x4000'3F80}, 0x3F80'0000);
  check("set.le.u32.bf16x2", {0x3F80'4000, 0x4000'3F80}, 0xFFFF'0000);
  check("set.gt.xor.f16x2.f16x2", {rising, falling, 1}, 0x3C00'0000);
}

TEST_CASE("bit fields of 64 bits end at the register's end, wherever they begin") {
  check("bfe.u64", {kOnes, 60, 64}, 0xF);
  check("bfe.u64", {kOnes, 63, 255}, 1);
  check("bfe.u64", {kOnes, 64, 8}, 0);
  check("bfe.u64", {kOnes, 255, 255}, 0);
  check("bfe.u64", {0x1234'5678'9ABC'DEF0, 0, 64}, 0x1234'5678'9ABC'DEF0);
  check("bfe.u64", {0x1234'5678'9ABC'DEF0, 0, 200}, 0x1234'5678'9ABC'DEF0);
  check("bfe.u32", {0xFFFF'FFFF, 256 + 4, 256 + 4}, 0xF);  // of position and length eight bits count
  check("bfe.u64", {kOnes, 256 + 4, 256 + 4}, 0);          // on a GPU only there
  check("bfe.u64", {kOnes, 4, 256}, kOnes >> 4);
  check("bfe.s64", {kTop, 0xFFFF'FFFF, 0xFFFF'FE00}, kOnes);
  check("bfe.s64", {~kTop, 0x1'0001, 3}, 0);
  check("bfe.s64", {kTop, 64, 8}, kOnes);
  check("bfe.s64", {kTop, 200, 100}, kOnes);
  check("bfe.s64", {kTop, 200, 0}, 0);
  check("bfe.s64", {~kTop, 200, 100}, 0);
  check("bfe.s64", {kTop, 60, 255}, static_cast<std::uint64_t>(-8));
  check("bfe.s64", {0x0000'0001'0000'0000, 0, 33}, 0xFFFF'FFFF'0000'0000);
  check("bfi.b64", {kOnes, 0, 60, 64}, 0xF000'0000'0000'0000);
  check("bfi.b64", {kOnes, 5, 64, 8}, 5);
  check("bfi.b64", {kOnes, 5, 255, 255}, 5);
  check("bfi.b64", {0xABCD, kOnes, 0, 64}, 0xABCD);
  check("bfi.b64", {0xABCD, kOnes, 0, 255}, 0xABCD);
  check("bfi.b32", {0xFFFF'FFFF, 0, 256 + 8, 256 + 8}, 0xFF00);
  check("bfi.b64", {kOnes, 7, 256 + 8, 256 + 8}, 7);
  check("bfi.b64", {kOnes, 0, 8, 256 + 8}, kOnes << 8);
  check("bfi.b64", {kOnes, 5, 8, 0}, 5);
}

TEST_CASE("fns counts set bits from the base on, forwards and backwards") {
  check("fns.b32", {0xAAAA'AAAA, 3, 1}, 3);
  check("fns.b32", {0xAAAA'AAAA, 3, 2}, 5);
  check("fns.b32", {0xAAAA'AAAA, 2, 0xFFFF'FFFF}, 1);
  check("fns.b32", {0xAAAA'AAAA, 31, static_cast<std::uint32_t>(-16)}, 1);
  check("fns.b32", {0xAAAA'AAAA, 31, static_cast<std::uint32_t>(-17)}, 0xFFFF'FFFF);
  check("fns.b32", {0xFFFF'FFFF, 0, 32}, 31);
  check("fns.b32", {0xFFFF'FFFF, 0, 33}, 0xFFFF'FFFF);
  check("fns.b32", {4, 2, 0}, 2);
  check("fns.b32", {4, 3, 0}, 0xFFFF'FFFF);
  check("fns.b32", {0xFFFF'FFFF, 32, 1}, 0xFFFF'FFFF);
  check("fns.b32", {0xFFFF'FFFF, 40, 0}, 0xFFFF'FFFF);
  check("fns.b32", {0xFFFF'FFFF, 31, 0x8000'0000}, 0);  // the offset whose negative there is not
  check("fns.b32", {0, 0, 1}, 0xFFFF'FFFF);
}

TEST_CASE("signs of 16-bit numbers: NaN becomes the one that arithmetic makes") {
  for (const std::string operation : {"neg", "abs"}) {
    check(operation + ".f16", {0xFE01}, 0x7FFF);
    check(operation + ".bf16", {0xFFC1}, 0x7FFF);
    const std::uint64_t one = operation == "neg" ? 0xBC00 : 0x3C00;
    check(operation + ".f16x2", {0xFE01'3C00}, 0x7FFF'0000 | one);
    check(operation + ".f16x2", {0x3C00'7C01}, one << 16 | 0x7FFF);
    const std::uint64_t brain = operation == "neg" ? 0xBF80 : 0x3F80;
    check(operation + ".bf16x2", {0x7F81'3F80}, 0x7FFF'0000 | brain);
    check(operation + ".f16x2", {0x7C00'FC00}, operation == "neg" ? 0xFC00'7C00 : 0x7C00'7C00);
  }
}

TEST_CASE("tf32 has a mantissa of ten bits, and infinities") {
  check("cvt.rna.tf32.f32", {kInfinity}, kInfinity);
  check("cvt.rna.tf32.f32", {kMinusInfinity}, kMinusInfinity);
  check("cvt.rna.tf32.f32", {0xFF80'0001}, kMinusInfinity);  // a NaN of which nothing is left
  check("cvt.rna.tf32.f32", {0x7FFF'FFFF}, 0x7FFF'E000);
  check("cvt.rna.tf32.f32", {0xFFC1'FFFF}, 0xFFC1'E000);
  for (const char* const one_nan : {"cvt.rn.tf32.f32", "cvt.rz.tf32.f32"}) check(one_nan, {0xFF80'0001}, 0x7FFF'E000);
  check("cvt.rna.tf32.f32", {0x7F7F'FFFF}, kInfinity);  // the largest number rounds up
  check("cvt.rna.tf32.f32", {0x7F7F'EFFF}, 0x7F7F'E000);
  check("cvt.rna.tf32.f32", {0x3F80'1000}, 0x3F80'2000);
  check("cvt.rna.tf32.f32", {0xBF80'1000}, 0xBF80'2000);
  check("cvt.rna.tf32.f32", {0x3F80'0FFF}, kOne);
  check("cvt.rn.tf32.f32", {0x3F80'1000}, kOne);
  check("cvt.rn.tf32.f32", {0x3F80'3000}, 0x3F80'4000);
  check("cvt.rz.tf32.f32", {0x3F80'1FFF}, kOne);
  check("cvt.rz.tf32.f32", {0x7F7F'FFFF}, 0x7F7F'E000);
}

TEST_CASE("sines and cosines are those of so many turns as a float") {
  for (const std::string flush : {"", ".ftz"}) {
    const std::string sine = "sin.approx" + flush + ".f32", cosine = "cos.approx" + flush + ".f32";
    check(sine, {1}, 0);  // subnormal
    check(sine, {kSign | 0x7F'FFFF}, kSign);
    check(cosine, {kSign | 0x7F'FFFF}, kOne);
    check(sine, {kSign}, kSign);
    check(sine, {0x5000'0000}, 0);  // 2^33: whole turns, as far as a float can tell
    check(cosine, {0x5000'0000}, kOne);
    check(cosine, {0xFF7F'FFFF}, kOne);
    check(sine, {kInfinity}, kNaN);
    check(cosine, {0xFFC0'0000}, kNaN);
    check(sine, {0x3FC9'0FDB}, kOne);            // pi / 2
    check(cosine, {0x4049'0FDB}, kSign | kOne);  // pi
  }
}

TEST_CASE("approximate division multiplies by a reciprocal, which large numbers have none of") {
  for (const std::string flush : {"", ".ftz"}) {
    const std::string division = "div.approx" + flush + ".f32";
    check(division, {kOne, kInfinity}, 0);
    check(division, {kSign | kOne, kInfinity}, kSign);
    check(division, {kInfinity, kInfinity}, kNaN);
    check(division, {kInfinity, 0x7F00'0000}, kNaN);  // by 2^127
    check(division, {0x7F00'0000, 0x7F00'0000}, 0);
    check(division, {kOne, 0xFF7F'FFFF}, kSign);
    check(division, {0x7E80'0000, 0x7E80'0000}, kOne);  // by 2^126
    check(division, {kInfinity, 0x7E80'0000}, kInfinity);
    check(division, {kOne, 0}, kInfinity);
    check(division, {kOne, kNaN}, kNaN);
  }
  check("div.full.f32", {0x7F00'0000, 0x7F00'0000}, kOne);
  check("div.full.f32", {kInfinity, 0x7F00'0000}, kInfinity);
}

TEST_CASE("gross approximations of doubles take and give the upper half") {
  constexpr std::uint64_t kThree = 0x4008'0000'0000'0000, kDoubleNaN = 0x7FFF'FFFF'0000'0000;
  check("rcp.approx.ftz.f64", {kThree}, 0x3FD5'5555'0000'0000);
  check("rcp.approx.ftz.f64", {kThree | 0xFFFF'FFFF}, 0x3FD5'5555'0000'0000);
  check("rcp.approx.ftz.f64", {1}, 0x7FF0'0000'0000'0000);
  check("rcp.approx.ftz.f64", {kTop | 1}, 0xFFF0'0000'0000'0000);
  check("rcp.approx.ftz.f64", {0xFFF0'0000'0000'0000}, kTop);
  check("rcp.approx.ftz.f64", {0x7FE8'0000'0000'0000}, 0);  // its reciprocal is subnormal
  check("rcp.approx.ftz.f64", {0x7FF0'0001'0000'0000}, kDoubleNaN);
  check("rcp.approx.ftz.f64", {0x7FF0'0000'0000'0001}, 0);  // its upper half is that of infinity
  check("rsqrt.approx.ftz.f64", {0x4000'0000'1234'5678}, 0x3FE6'A09E'0000'0000);
  check("rsqrt.approx.ftz.f64", {kTop | 0x3FF0'0000'0000'0000}, kDoubleNaN);
  check("rsqrt.approx.ftz.f64", {0x7FF0'0000'0000'0000}, 0);
}

TEST_CASE("random programs hold every form that is executed lane by lane") {
  std::set<std::string> held;
  for (const Form& form : all_forms()) held.insert(form.instruction);
  for (const auto& [name, form] : vgpu::exec::lane_forms_by_name()) {
    // Carries live from one instruction to the next: the generator makes chains of them.
    const bool carries = name.find(".cc.") != std::string::npos || name.starts_with("addc") ||
                         name.starts_with("subc") || name.starts_with("madc");
    if (!carries && !held.contains(name)) FAIL_CHECK(name << " has no line in the reference (oracle.cpp)");
  }
}
