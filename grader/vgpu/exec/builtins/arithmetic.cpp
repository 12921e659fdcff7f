// libdevice's integer and bit functions. Compilers usually inline them as PTX; a call is for code that was not
// optimised.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "vgpu/exec/builtins/lane_builtin.h"
#include "vgpu/exec/builtins/tables.h"
#include "vgpu/exec/handlers/half_bits.h"

namespace cudalabs::vgpu::exec {

namespace {

using I = std::int32_t;
using U = std::uint32_t;
using L = std::int64_t;
using UL = std::uint64_t;
__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

BuiltinTable arithmetic_table() {
  BuiltinTable table;
  add(table, "abs", [](I a) { return static_cast<I>(a < 0 ? U{0} - static_cast<U>(a) : static_cast<U>(a)); });
  add(table, "llabs", [](L a) { return static_cast<L>(a < 0 ? UL{0} - static_cast<UL>(a) : static_cast<UL>(a)); });
  add(table, "min", [](I a, I b) { return std::min(a, b); });
  add(table, "max", [](I a, I b) { return std::max(a, b); });
  add(table, "umin", [](U a, U b) { return std::min(a, b); });
  add(table, "umax", [](U a, U b) { return std::max(a, b); });
  add(table, "llmin", [](L a, L b) { return std::min(a, b); });
  add(table, "llmax", [](L a, L b) { return std::max(a, b); });
  add(table, "ullmin", [](UL a, UL b) { return std::min(a, b); });
  add(table, "ullmax", [](UL a, UL b) { return std::max(a, b); });
  add(table, "mulhi", [](I a, I b) { return static_cast<I>(L{a} * L{b} >> 32); });
  add(table, "umulhi", [](U a, U b) { return static_cast<U>(UL{a} * UL{b} >> 32); });
  add(table, "mul64hi", [](L a, L b) { return static_cast<L>(static_cast<Signed128>(a) * b >> 64); });
  add(table, "umul64hi", [](UL a, UL b) { return static_cast<UL>(static_cast<Unsigned128>(a) * b >> 64); });
  add(table, "umul24", [](U a, U b) { return (a & 0xFF'FFFF) * (b & 0xFF'FFFF); });
  add(table, "mul24", [](I a, I b) {
    const auto extended = [](I value) { return L{static_cast<I>(static_cast<U>(value) << 8) >> 8}; };
    return static_cast<I>(extended(a) * extended(b));
  });
  add(table, "sad", [](I a, I b, U c) { return static_cast<U>(std::llabs(L{a} - L{b})) + c; });
  add(table, "usad", [](U a, U b, U c) { return (a < b ? b - a : a - b) + c; });
  add(table, "hadd", [](I a, I b) { return static_cast<I>((L{a} + L{b}) >> 1); });
  add(table, "uhadd", [](U a, U b) { return static_cast<U>((UL{a} + UL{b}) >> 1); });
  add(table, "rhadd", [](I a, I b) { return static_cast<I>((L{a} + L{b} + 1) >> 1); });
  add(table, "urhadd", [](U a, U b) { return static_cast<U>((UL{a} + UL{b} + 1) >> 1); });
  add(table, "popc", [](U a) -> I { return std::popcount(a); });
  add(table, "popcll", [](UL a) -> I { return std::popcount(a); });
  add(table, "clz", [](U a) -> I { return std::countl_zero(a); });
  add(table, "clzll", [](UL a) -> I { return std::countl_zero(a); });
  add(table, "ffs", [](U a) -> I { return a == 0 ? 0 : std::countr_zero(a) + 1; });
  add(table, "ffsll", [](UL a) -> I { return a == 0 ? 0 : std::countr_zero(a) + 1; });
  add(table, "brev", [](U a) {
    U result = 0;
    for (int i = 0; i < 32; ++i) result |= (a >> i & 1) << (31 - i);
    return result;
  });
  add(table, "brevll", [](UL a) {
    UL result = 0;
    for (int i = 0; i < 64; ++i) result |= (a >> i & 1) << (63 - i);
    return result;
  });
  add(table, "byte_perm", [](U a, U b, U selector) {
    const UL bytes = UL{b} << 32 | a;
    U result = 0;
    for (U i = 0; i < 4; ++i) result |= static_cast<U>(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xFF) << (8 * i);
    return result;
  });
  add(table, "float_as_int", [](float a) { return std::bit_cast<I>(a); });
  add(table, "float_as_uint", [](float a) { return std::bit_cast<U>(a); });
  table.emplace("__nv_int_as_float", LaneBuiltin<decltype([](U a) { return a; })>::builtin());
  table.emplace("__nv_uint_as_float", LaneBuiltin<decltype([](U a) { return a; })>::builtin());
  table.emplace("__nv_double_as_longlong", LaneBuiltin<decltype([](UL a) { return a; })>::builtin());
  table.emplace("__nv_longlong_as_double", LaneBuiltin<decltype([](UL a) { return a; })>::builtin());
  add(table, "double2hiint", [](UL a) { return static_cast<U>(a >> 32); });
  add(table, "double2loint", [](UL a) { return static_cast<U>(a); });
  add(table, "hiloint2double", [](U high, U low) { return UL{high} << 32 | low; });
  add(table, "half2float", [](U a) { return static_cast<float>(Half::widened(static_cast<std::uint16_t>(a))); });
  add(table, "float2half_rn", [](float a) { return U{Half::rounded(double{a}, RoundTo::nearest_even)}; });
  return table;
}

}  // namespace

const BuiltinTable& libdevice_arithmetic() {
  static const BuiltinTable kTable = arithmetic_table();
  return kTable;
}

}  // namespace cudalabs::vgpu::exec
