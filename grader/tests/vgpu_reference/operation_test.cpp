// The reference semantics against results worked out by hand from the PTX ISA.
#include "operation.h"

#include <bit>
#include <cmath>
#include <limits>

#include "catch/catch.h"
#include "rounded.h"

using namespace cudalabs::reference;

namespace {

Outcome outcome_of(const std::string& text, const Arguments& arguments, bool carry_in = false) {
  cudalabs::vgpu::ptx::Instruction instruction;
  std::size_t begin = 0;
  for (std::size_t dot = text.find('.'); begin <= text.size(); dot = text.find('.', begin)) {
    const std::string part = text.substr(begin, dot == std::string::npos ? std::string::npos : dot - begin);
    if (begin == 0) {
      instruction.opcode = part;
    } else {
      instruction.suffixes.push_back(part);
    }
    if (dot == std::string::npos) break;
    begin = dot + 1;
  }
  const auto operation = operation_of(instruction);
  REQUIRE(operation);
  return evaluate(*operation, arguments, carry_in);
}

std::uint64_t compute(const std::string& text, const Arguments& arguments) {
  return outcome_of(text, arguments).value;
}

std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
std::uint64_t u32(std::int64_t value) {
  return static_cast<std::uint32_t>(value);
}
std::uint64_t u64(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}

constexpr std::uint64_t kIntMin = 0x80000000;
constexpr std::uint64_t kNaN32 = 0x7FFFFFFF;
constexpr std::uint64_t kNaN64 = 0x7FF8000000000000;

}  // namespace

TEST_CASE("integer sums wrap unless they saturate") {
  CHECK(compute("add.s32", {0x7FFFFFFF, 1}) == kIntMin);
  CHECK(compute("add.sat.s32", {0x7FFFFFFF, 1}) == 0x7FFFFFFF);
  CHECK(compute("sub.sat.s32", {kIntMin, 1}) == kIntMin);
  CHECK(compute("sub.u16", {0, 1}) == 0xFFFF);
  CHECK(compute("add.u64", {~0ull, 2}) == 1);
}

TEST_CASE("carries run through extended-precision arithmetic") {
  CHECK(outcome_of("add.cc.u32", {0xFFFFFFFF, 1}).carry);
  CHECK_FALSE(outcome_of("add.cc.u32", {0xFFFFFFFE, 1}).carry);
  CHECK(outcome_of("addc.u32", {1, 2}, true).value == 4);
  CHECK(outcome_of("addc.cc.u64", {~0ull, 0}, true).carry);
  CHECK(outcome_of("sub.cc.u32", {0, 1}).carry);
  CHECK(outcome_of("subc.u32", {5, 2}, true).value == 2);
  CHECK(outcome_of("subc.cc.u32", {2, 2}, true).carry);
  CHECK(outcome_of("mad.lo.cc.u32", {0x10000, 0x10000, 7}).value == 7);
  CHECK(outcome_of("madc.hi.u32", {0x10000, 0x10000, 7}, true).value == 9);
  CHECK(outcome_of("mad.hi.cc.u32", {0xFFFFFFFF, 0xFFFFFFFF, 5}).carry);
}

TEST_CASE("products give their low half, high half or all") {
  CHECK(compute("mul.lo.s32", {u32(-3), 7}) == u32(-21));
  CHECK(compute("mul.hi.s32", {u32(-1), 1}) == 0xFFFFFFFF);
  CHECK(compute("mul.hi.u32", {0xFFFFFFFF, 0xFFFFFFFF}) == 0xFFFFFFFE);
  CHECK(compute("mul.hi.u64", {~0ull, ~0ull}) == ~0ull - 1);
  CHECK(compute("mul.hi.s64", {u64(-1), u64(-1)}) == 0);
  CHECK(compute("mul.wide.s16", {0x8000, 0x8000}) == 0x40000000);
  CHECK(compute("mul.wide.s32", {u32(-2), 3}) == u64(-6));
  CHECK(compute("mul.wide.u32", {u32(-2), 3}) == 0x2FFFFFFFA);
  CHECK(compute("mad.wide.s32", {u32(-2), 3, u64(-1)}) == u64(-7));
  CHECK(compute("mad.hi.s32", {kIntMin, 2, 5}) == 4);
  CHECK(compute("mad.hi.sat.s32", {0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFF}) == 0x7FFFFFFF);
  CHECK(compute("mul24.lo.s32", {0x00FFFFFF, 3}) == u32(-3));
  CHECK(compute("mul24.lo.u32", {0xFF000002, 3}) == 6);
  CHECK(compute("mul24.hi.u32", {0x00FFFFFF, 0x00FFFFFF}) == 0xFFFFFE00);
  CHECK(compute("mad24.hi.s32", {0x00800000, 0x00800000, 1}) == 0x40000001);
}

TEST_CASE("division and remainder have their edges defined") {
  CHECK(compute("div.s32", {u32(-7), 2}) == u32(-3));
  CHECK(compute("rem.s32", {u32(-7), 2}) == u32(-1));
  CHECK(compute("div.u32", {u32(-7), 2}) == 0x7FFFFFFC);
  CHECK(compute("div.s32", {kIntMin, u32(-1)}) == kIntMin);
  CHECK(compute("rem.s32", {kIntMin, u32(-1)}) == 0);
  CHECK(compute("div.s64", {u64(std::numeric_limits<std::int64_t>::min()), u64(-1)}) == 1ull << 63);
  CHECK(compute("div.u32", {5, 0}) == 0xFFFFFFFF);
  CHECK(compute("div.u16", {5, 0}) == 0xFFFF);
  CHECK(compute("div.s64", {5, 0}) == ~0ull);
  CHECK(compute("rem.u32", {5, 0}) == 0xFFFFFFFF);
  CHECK(compute("rem.s16", {5, 0}) == 0xFFFF);
}

TEST_CASE("absolute differences, extrema and signs") {
  CHECK(compute("sad.s32", {u32(-5), 3, 10}) == 18);
  CHECK(compute("sad.u32", {u32(-5), 3, 10}) == 2);  // 2^32 - 8 + 10
  CHECK(compute("abs.s32", {kIntMin}) == kIntMin);
  CHECK(compute("neg.s16", {0x8000}) == 0x8000);
  CHECK(compute("min.s32", {u32(-1), 1}) == u32(-1));
  CHECK(compute("min.u32", {u32(-1), 1}) == 1);
  CHECK(compute("max.s64", {u64(-1), 1}) == 1);
}

TEST_CASE("dot products of packed integers") {
  CHECK(compute("dp4a.u32.u32", {0x01020304, 0x01010101, 5}) == 15);
  CHECK(compute("dp4a.s32.s32", {0xFFFFFFFF, 0x02020202, 0}) == u32(-8));
  CHECK(compute("dp4a.u32.s32", {0x000000FF, 0x000000FF, 0}) == u32(-255));
  CHECK(compute("dp2a.lo.s32.u32", {0xFFFF0002, 0xFFFF0304, 1}) == u32(2 * 4 - 3 + 1));
  CHECK(compute("dp2a.hi.u32.u32", {0x00010002, 0x0506FFFF, 0}) == 12 + 5);
}

TEST_CASE("absolute differences of packed integers") {
  CHECK(compute("vabsdiff4.u32.u32.u32", {0x01FF0080, 0x03000180, 7}) == 0x02FF0100);
  CHECK(compute("vabsdiff4.u32.u32.u32.add", {0x01FF0080, 0x03000180, 7}) == 2 + 255 + 1 + 7);
  CHECK(compute("vabsdiff4.u32.s32.s32", {0x80FF0001, 0x7F0100FF, 7}) == 0xFF020002);
  CHECK(compute("vabsdiff2.u32.u32.u32", {0x0001FFFF, 0x00030000, 7}) == 0x0002FFFF);
  CHECK(compute("vabsdiff2.u32.s32.s32.add", {0x80000000, 0x7FFFFFFF, 1}) == 0xFFFF + 1 + 1);
}

TEST_CASE("bits are counted, found, reversed, extracted and inserted") {
  CHECK(compute("popc.b64", {0xF0F0F0F000000001}) == 17);
  CHECK(compute("clz.b32", {0}) == 32);
  CHECK(compute("clz.b64", {1}) == 63);
  CHECK(compute("brev.b32", {1}) == kIntMin);
  CHECK(compute("bfind.u32", {0}) == 0xFFFFFFFF);
  CHECK(compute("bfind.s32", {u32(-1)}) == 0xFFFFFFFF);
  CHECK(compute("bfind.s32", {u32(-16)}) == 3);
  CHECK(compute("bfind.shiftamt.u64", {1ull << 60}) == 3);
  CHECK(compute("bfe.u32", {0xABCD1234, 8, 8}) == 0x12);
  CHECK(compute("bfe.s32", {0x0000F000, 12, 4}) == 0xFFFFFFFF);
  CHECK(compute("bfe.s32", {kIntMin, 40, 3}) == 0xFFFFFFFF);
  CHECK(compute("bfe.s32", {kIntMin, 31, 0}) == 0);
  CHECK(compute("bfe.s64", {1ull << 63, 60, 255}) == u64(-8));
  CHECK(compute("bfe.u32", {0xFFFFFFFF, 256 + 4, 256 + 4}) == 0xF);  // only eight bits of each count
  CHECK(compute("bfi.b32", {0xFF, 0, 8, 4}) == 0xF00);
  CHECK(compute("bfi.b32", {0xFF, 0x12345678, 32, 4}) == 0x12345678);
  CHECK(compute("bfi.b64", {~0ull, 0, 60, 20}) == 0xF000000000000000);
  CHECK(compute("lop3.b32", {0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA, 0x1A}) ==
        (((0xF0F0F0F0u & 0xCCCCCCCCu) | 0xAAAAAAAAu) ^ 0xF0F0F0F0u));
  CHECK(compute("bmsk.clamp.b32", {1, 2}) == 6);
  CHECK(compute("bmsk.clamp.b32", {30, 5}) == 0xC0000000);
  CHECK(compute("bmsk.clamp.b32", {32, 5}) == 0);
  CHECK(compute("bmsk.wrap.b32", {33, 34}) == 6);
  CHECK(compute("szext.clamp.s32", {0x80, 8}) == 0xFFFFFF80);
  CHECK(compute("szext.clamp.u32", {0x1234, 40}) == 0x1234);
  CHECK(compute("szext.wrap.u32", {0xFFFFFFFF, 0}) == 0);
  CHECK(compute("fns.b32", {0xAAAAAAAA, 3, 1}) == 3);
  CHECK(compute("fns.b32", {0xAAAAAAAA, 2, u32(-1)}) == 1);
  CHECK(compute("cnot.b32", {0}) == 1);
  CHECK(compute("not.pred", {1}) == 0);
}

TEST_CASE("shifts clamp their amount, funnel shifts clamp or wrap") {
  CHECK(compute("shl.b32", {1, 31}) == kIntMin);
  CHECK(compute("shl.b32", {1, 32}) == 0);
  CHECK(compute("shl.b16", {0xFFFF, 0xFFFFFFFF}) == 0);
  CHECK(compute("shr.s32", {kIntMin, 4}) == 0xF8000000);
  CHECK(compute("shr.s32", {kIntMin, 100}) == 0xFFFFFFFF);
  CHECK(compute("shr.u64", {1ull << 63, 63}) == 1);
  CHECK(compute("shr.b16", {0x8000, 15}) == 1);
  CHECK(compute("shr.s16", {0x8000, 15}) == 0xFFFF);
  CHECK(compute("shf.l.clamp.b32", {0x12345678, 0x9ABCDEF0, 8}) == 0xBCDEF012);
  CHECK(compute("shf.l.clamp.b32", {0x12345678, 0x9ABCDEF0, 99}) == 0x12345678);
  CHECK(compute("shf.l.wrap.b32", {0x12345678, 0x9ABCDEF0, 32}) == 0x9ABCDEF0);
  CHECK(compute("shf.r.clamp.b32", {0x12345678, 0x9ABCDEF0, 32}) == 0x9ABCDEF0);
  CHECK(compute("shf.r.wrap.b32", {0x12345678, 0x9ABCDEF0, 36}) == 0x01234567);
}

TEST_CASE("bytes are permuted by selectors and by mode") {
  constexpr std::uint64_t kA = 0x33221100, kB = 0x77665584;
  CHECK(compute("prmt.b32", {kA, kB, 0x7531}) == 0x77553311);
  CHECK(compute("prmt.b32", {kA, kB, 0x000C}) == 0x000000FF);
  CHECK(compute("prmt.b32.f4e", {kA, kB, 1}) == 0x84332211);
  CHECK(compute("prmt.b32.b4e", {kA, kB, 1}) == 0x66770011);
  CHECK(compute("prmt.b32.rc8", {kA, kB, 2}) == 0x22222222);
  CHECK(compute("prmt.b32.ecl", {kA, kB, 2}) == 0x33222222);
  CHECK(compute("prmt.b32.ecr", {kA, kB, 2}) == 0x22221100);
  CHECK(compute("prmt.b32.rc16", {kA, kB, 1}) == 0x33223322);
}

TEST_CASE("floating-point results are rounded as the suffix says") {
  const float third_down = 0x1.555554p-2f, third_up = 0x1.555556p-2f;
  CHECK(compute("div.rn.f32", {bits(1.0f), bits(3.0f)}) == bits(third_up));
  CHECK(compute("div.rz.f32", {bits(1.0f), bits(3.0f)}) == bits(third_down));
  CHECK(compute("div.rm.f32", {bits(-1.0f), bits(3.0f)}) == bits(-third_up));
  CHECK(compute("div.rp.f32", {bits(-1.0f), bits(3.0f)}) == bits(-third_down));
  CHECK(compute("add.rp.f64", {bits(1.0), bits(1e-300)}) == bits(std::nextafter(1.0, 2.0)));
  CHECK(compute("add.rm.f32", {bits(1.0f), bits(-1.0f)}) == bits(-0.0f));
  CHECK(compute("add.rn.f32", {bits(1.0f), bits(-1.0f)}) == bits(0.0f));
  CHECK(compute("fma.rn.f32", {bits(0x1.000002p0f), bits(0x1.000002p0f), bits(-0x1.000004p0f)}) == bits(0x1p-46f));
  CHECK(compute("sqrt.rm.f64", {bits(2.0)}) == bits(0x1.6a09e667f3bccp0));
  CHECK(compute("sqrt.rp.f64", {bits(2.0)}) == bits(0x1.6a09e667f3bcdp0));
  CHECK(compute("rcp.rz.f32", {bits(3.0f)}) == bits(third_down));
  CHECK(compute("mul.rz.f32", {bits(0x1.fffffep127f), bits(2.0f)}) == bits(std::numeric_limits<float>::max()));
}

TEST_CASE("subnormals are flushed only where .ftz says so") {
  constexpr std::uint64_t kTiny = 1, kMinusTiny = 0x80000001, kSmallest = 0x00800000;
  CHECK(compute("add.rn.f32", {kTiny, kTiny}) == 2);
  CHECK(compute("add.rn.ftz.f32", {kTiny, kTiny}) == 0);
  CHECK(compute("mul.rn.ftz.f32", {kSmallest, bits(-0.5f)}) == 0x80000000);
  CHECK(compute("abs.ftz.f32", {kMinusTiny}) == 0);
  CHECK(compute("neg.ftz.f32", {kTiny}) == 0x80000000);
  CHECK(compute("setp.eq.ftz.f32", {kTiny, kMinusTiny}) == 1);
  CHECK(compute("setp.eq.f32", {kTiny, kMinusTiny}) == 0);
}

TEST_CASE("saturation clamps to [0, 1] and turns NaN into zero") {
  CHECK(compute("add.rn.sat.f32", {bits(0.75f), bits(0.5f)}) == bits(1.0f));
  CHECK(compute("mul.rn.sat.f32", {bits(-2.0f), bits(0.5f)}) == 0);
  CHECK(compute("add.rn.sat.f32", {kNaN32, 0}) == 0);
  CHECK(compute("mul.rn.sat.f32", {bits(-0.0f), bits(1.0f)}) == 0);
}

TEST_CASE("arithmetic makes one NaN, whatever comes in, but in double precision") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(compute("add.rn.f32", {0xFFC12345, 0}) == kNaN32);
  CHECK(compute("sub.rn.f32", {bits(infinity), bits(infinity)}) == kNaN32);
  CHECK(compute("sqrt.rn.f64", {bits(-1.0)}) == (bits(-0.0) | kNaN64));
  CHECK(compute("add.rn.f16", {0x7E01, 0}) == 0x7FFF);
  CHECK(compute("neg.f32", {0x7FC00001}) == kNaN32);
  CHECK(compute("add.rn.f64", {0x7FF0000000000001, bits(1.0)}) == 0x7FF8000000000001);
  CHECK(compute("add.rn.f64", {0x7FF0000000000001, 0xFFF0000000000002}) == 0xFFF8000000000002);
  CHECK(compute("div.rn.f64", {0x7FF0000000000001, 0xFFF0000000000002}) == 0x7FF8000000000001);
  CHECK(compute("fma.rn.f64", {0x7FF0000000000001, bits(1.0), 0xFFF0000000000002}) == 0xFFF8000000000002);
  CHECK(compute("fma.rn.f64", {0x7FF0000000000001, kNaN64, 0xFFF0000000000002}) == kNaN64);
  CHECK(compute("neg.f64", {0x7FF0000000000001}) == 0x7FF8000000000001);
}

TEST_CASE("what is subnormal before it is rounded to a subnormal's last place is flushed") {
  constexpr std::uint64_t kLeast = 0x0080'0000, kBelowOne = 0x3F7F'FFFF;
  CHECK(compute("mul.rn.f32", {kLeast, kBelowOne}) == kLeast);
  CHECK(compute("mul.rn.ftz.f32", {kLeast, kBelowOne}) == 0);
  CHECK(compute("div.rn.ftz.f32", {kBelowOne, 0xFE80'0000}) == 0x8000'0000);
  CHECK(compute("fma.rp.ftz.f32", {kLeast, 0x9778'B951, kLeast}) == kLeast);
  CHECK(compute("mul.rn.ftz.f16", {0x0400, 0x3BFF}) == 0);
  CHECK(compute("mul.rn.f16", {0x0400, 0x3BFF}) == 0x0400);
}

TEST_CASE("min and max prefer numbers, and order the zeros") {
  CHECK(compute("min.f32", {kNaN32, bits(1.0f)}) == bits(1.0f));
  CHECK(compute("max.f32", {bits(1.0f), 0x7F800001}) == bits(1.0f));
  CHECK(compute("max.f32", {0x7F800001, 0xFFC00000}) == kNaN32);
  CHECK(compute("min.NaN.f32", {kNaN32, bits(1.0f)}) == kNaN32);
  CHECK(compute("min.f32", {bits(0.0f), bits(-0.0f)}) == bits(-0.0f));
  CHECK(compute("max.f64", {bits(-0.0), bits(0.0)}) == bits(0.0));
  CHECK(compute("max.xorsign.abs.f32", {bits(-3.0f), bits(2.0f)}) == bits(-3.0f));
  CHECK(compute("min.xorsign.abs.f32", {bits(-3.0f), bits(-2.0f)}) == bits(2.0f));
}

TEST_CASE("properties and signs of floats") {
  CHECK(compute("testp.normal.f32", {0}) == 1);
  CHECK(compute("testp.subnormal.f32", {1}) == 1);
  CHECK(compute("testp.normal.f32", {1}) == 0);
  CHECK(compute("testp.finite.f64", {kNaN64}) == 0);
  CHECK(compute("testp.notanumber.f64", {kNaN64}) == 1);
  CHECK(compute("testp.number.f32", {0x7F800000}) == 1);
  CHECK(compute("testp.infinite.f32", {0xFF800000}) == 1);
  CHECK(compute("copysign.f32", {bits(-1.0f), bits(2.0f)}) == bits(-2.0f));
}

TEST_CASE("comparisons know signs, NaN and a second result") {
  CHECK(compute("setp.lt.s32", {u32(-1), 0}) == 1);
  CHECK(compute("setp.lo.u32", {u32(-1), 0}) == 0);
  CHECK(compute("setp.hs.u64", {5, 5}) == 1);
  CHECK(compute("setp.ne.f32", {kNaN32, kNaN32}) == 0);
  CHECK(compute("setp.neu.f32", {kNaN32, kNaN32}) == 1);
  CHECK(compute("setp.geu.f64", {kNaN64, 0}) == 1);
  CHECK(compute("setp.num.f32", {kNaN32, 0}) == 0);
  CHECK(compute("setp.nan.f32", {kNaN32, 0}) == 1);
  const Outcome both = outcome_of("setp.lt.and.s32", {1, 2, 1});
  CHECK(both.value == 1);
  CHECK_FALSE(both.second);
  const Outcome xored = outcome_of("setp.lt.xor.s32", {1, 2, 1});
  CHECK(xored.value == 0);
  CHECK(xored.second);
  CHECK(compute("set.gt.u32.f32", {bits(2.0f), bits(1.0f)}) == 0xFFFFFFFF);
  CHECK(compute("set.gt.f32.s32", {2, 1}) == bits(1.0f));
  CHECK(compute("slct.b32.s32", {1, 2, u32(-1)}) == 2);
  CHECK(compute("slct.b32.f32", {1, 2, bits(-0.0f)}) == 1);
  CHECK(compute("slct.b32.f32", {1, 2, kNaN32}) == 2);
  CHECK(compute("selp.b64", {1, 2, 0}) == 2);
}

TEST_CASE("conversions between integers extend, truncate or saturate") {
  CHECK(compute("cvt.s32.s8", {0x80}) == u32(-128));
  CHECK(compute("cvt.u32.s8", {0x80}) == u32(-128));
  CHECK(compute("cvt.u8.u32", {0x1FF}) == 0xFF);
  CHECK(compute("cvt.sat.u8.s32", {u32(-5)}) == 0);
  CHECK(compute("cvt.sat.s8.u32", {300}) == 127);
  CHECK(compute("cvt.sat.s32.u64", {~0ull}) == 0x7FFFFFFF);
  CHECK(compute("cvt.u64.s32", {u32(-1)}) == ~0ull);
}

TEST_CASE("conversions from floats round, clamp and define NaN") {
  CHECK(compute("cvt.rni.s32.f32", {bits(2.5f)}) == 2);
  CHECK(compute("cvt.rni.s32.f32", {bits(-3.5f)}) == u32(-4));
  CHECK(compute("cvt.rzi.s32.f32", {bits(-3.9f)}) == u32(-3));
  CHECK(compute("cvt.rmi.s32.f32", {bits(-3.1f)}) == u32(-4));
  CHECK(compute("cvt.rpi.u32.f64", {bits(3.1)}) == 4);
  CHECK(compute("cvt.rzi.s32.f32", {bits(1e20f)}) == 0x7FFFFFFF);
  CHECK(compute("cvt.rzi.u32.f32", {bits(-1e20f)}) == 0);
  CHECK(compute("cvt.rzi.u64.f32", {bits(1e30f)}) == ~0ull);
  CHECK(compute("cvt.rzi.s64.f64", {bits(-0x1p63)}) == 1ull << 63);
  CHECK(compute("cvt.rzi.u8.f32", {bits(300.0f)}) == 255);
  CHECK(compute("cvt.rzi.s32.f32", {kNaN32}) == 0);
  CHECK(compute("cvt.rzi.s64.f32", {kNaN32}) == 1ull << 63);
  CHECK(compute("cvt.rzi.s32.f64", {kNaN64}) == kIntMin);
  CHECK(compute("cvt.rpi.ftz.s32.f32", {1}) == 0);
  CHECK(compute("cvt.rpi.s32.f32", {1}) == 1);
  CHECK(compute("cvt.rni.f32.f32", {bits(-0.4f)}) == bits(-0.0f));
}

TEST_CASE("conversions to floats round once") {
  CHECK(compute("cvt.rn.f32.s32", {0x7FFFFFFF}) == bits(0x1p31f));
  CHECK(compute("cvt.rz.f32.s32", {0x7FFFFFFF}) == bits(0x1.fffffep30f));
  CHECK(compute("cvt.rn.f32.u64", {0xFFFFFF8000000001}) == bits(0x1p64f));
  CHECK(compute("cvt.rp.f64.u64", {~0ull}) == bits(0x1p64));
  CHECK(compute("cvt.rm.f64.s64", {u64(-0x7FFFFFFFFFFFFFFF)}) == bits(-0x1p63));
  CHECK(compute("cvt.rn.f16.s32", {65520}) == 0x7C00);
  CHECK(compute("cvt.rz.f16.s32", {65520}) == 0x7BFF);
  CHECK(compute("cvt.rn.f16.f32", {bits(0x1p-25f)}) == 0);
  CHECK(compute("cvt.rp.f16.f32", {bits(0x1p-25f)}) == 1);
  CHECK(compute("cvt.rn.f16.f32", {bits(1.0f)}) == 0x3C00);
  CHECK(compute("cvt.f32.f16", {0x0001}) == bits(0x1p-24f));
  CHECK(compute("cvt.f64.f32", {1}) == bits(0x1p-149));
  CHECK(compute("cvt.rn.f32.f64", {bits(1e-50)}) == 0);
  CHECK(compute("cvt.rn.ftz.f32.f64", {bits(0x1p-130)}) == 0);
  CHECK(compute("cvt.rn.f32.f64", {bits(0x1p-130)}) == bits(0x1p-130f));
  CHECK(compute("cvt.rn.sat.f32.f64", {bits(0x1p-130)}) == bits(0x1p-130f));
  CHECK(compute("cvt.rn.ftz.sat.f32.f64", {bits(0x1p-130)}) == 0);
  CHECK(compute("cvt.sat.f32.f16", {0x4000}) == bits(1.0f));
  CHECK(compute("cvt.rn.f16x2.f32", {bits(1.0f), bits(2.0f)}) == 0x3C004000);
  CHECK(compute("cvt.rn.bf16.f32", {bits(1.00390625f)}) == 0x3F80);
  CHECK(compute("cvt.rn.relu.f16.f32", {bits(-1.0f)}) == 0);
}

TEST_CASE("half precision is rounded once too") {
  CHECK(compute("add.rn.f16", {0x3C00, 0x1000}) == 0x3C00);  // 1 + 2^-11: a tie, to even
  CHECK(compute("add.rn.f16x2", {0x3C003C00, 0x3C004000}) == 0x40004200);
  CHECK(compute("fma.rn.f16", {0x3C01, 0x3C01, 0xBC02}) == 0x0010);  // 2^-20, lost without fusing
  CHECK(compute("fma.rn.relu.f16", {0x3C00, 0xBC00, 0}) == 0);
  CHECK(compute("mul.rn.ftz.f16", {0x0400, 0x3800}) == 0);
  CHECK(compute("mul.rn.f16", {0x0400, 0x3800}) == 0x0200);
  CHECK(compute("max.f16", {0x7E00, 0x3C00}) == 0x3C00);
}

TEST_CASE("rounding into a format agrees with the processor's own") {
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::uint64_t pattern = i * 0x9E3779B97F4A7C15 ^ i << 40;
    const double value = std::bit_cast<double>(pattern);
    if (std::isnan(value)) continue;
    const double scaled = std::ldexp(
        value,
        static_cast<int>(i % 3) == 0 ? 0 : -static_cast<int>(std::ilogb(value)) - 140 + static_cast<int>(i % 300));
    CHECK(round_into(kSingle, scaled, Rounding::nearest) == bits(static_cast<float>(scaled)));
    CHECK(number_of(kDouble, bits(value)) == value);
  }
}

TEST_CASE("operations without a meaning are refused") {
  CHECK_THROWS_AS(compute("add.f16x9", {}), std::invalid_argument);
  CHECK_THROWS_AS(compute("add", {}), std::invalid_argument);
  CHECK_THROWS_AS(compute("sin.approx.u32", {}), std::invalid_argument);
}
