// libdevice's integer and bit functions.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "vgpu/exec/builtins/lane_function.h"

namespace cudalabs::vgpu::exec {
namespace {

using I32 = std::int32_t;
using U32 = std::uint32_t;
using I64 = std::int64_t;
using U64 = std::uint64_t;
__extension__ using I128 = __int128;
__extension__ using U128 = unsigned __int128;

template <class T>
T smaller(T a, T b) {
  return std::min(a, b);
}
template <class T>
T larger(T a, T b) {
  return std::max(a, b);
}
template <class U>
U reversed(U x) {
  U result = 0;
  for (unsigned bit = 0; bit < sizeof(U) * 8; ++bit) result |= (x >> bit & 1) << (sizeof(U) * 8 - 1 - bit);
  return result;
}
template <class U>
I32 leading_zeros(U x) {
  return std::countl_zero(x);
}
template <class U>
I32 first_set(U x) {
  return x == 0 ? 0 : std::countr_zero(x) + 1;
}
template <class U>
I32 ones(U x) {
  return std::popcount(x);
}
I32 absolute(I32 x) {
  return x < 0 ? static_cast<I32>(0u - static_cast<U32>(x)) : x;
}
I64 long_absolute(I64 x) {
  return x < 0 ? static_cast<I64>(0u - static_cast<U64>(x)) : x;
}
I32 high_product(I32 a, I32 b) {
  return static_cast<I32>(static_cast<I64>(a) * b >> 32);
}
U32 unsigned_high_product(U32 a, U32 b) {
  return static_cast<U32>(static_cast<U64>(a) * b >> 32);
}
I64 long_high_product(I64 a, I64 b) {
  return static_cast<I64>(static_cast<I128>(a) * b >> 64);
}
U64 unsigned_long_high_product(U64 a, U64 b) {
  return static_cast<U64>(static_cast<U128>(a) * b >> 64);
}
/// The 24 low bits as a signed number.
I32 low24(I32 x) {
  return static_cast<I32>(static_cast<U32>(x) << 8) >> 8;
}
I32 product24(I32 a, I32 b) {
  return static_cast<I32>(static_cast<U32>(static_cast<U64>(static_cast<I64>(low24(a)) * low24(b))));
}
U32 unsigned_product24(U32 a, U32 b) {
  return (a & 0xFFFFFFu) * (b & 0xFFFFFFu);
}
U32 sum_of_differences(I32 a, I32 b, U32 c) {
  return static_cast<U32>(std::abs(static_cast<I64>(a) - b)) + c;
}
U32 unsigned_sum_of_differences(U32 a, U32 b, U32 c) {
  return (a > b ? a - b : b - a) + c;
}
I32 half_sum(I32 a, I32 b) {
  return static_cast<I32>((static_cast<I64>(a) + b) >> 1);
}
U32 unsigned_half_sum(U32 a, U32 b) {
  return static_cast<U32>((static_cast<U64>(a) + b) >> 1);
}
I32 rounded_half_sum(I32 a, I32 b) {
  return static_cast<I32>((static_cast<I64>(a) + b + 1) >> 1);
}
U32 unsigned_rounded_half_sum(U32 a, U32 b) {
  return static_cast<U32>((static_cast<U64>(a) + b + 1) >> 1);
}
U32 permuted_bytes(U32 a, U32 b, U32 selector) {
  const U64 bytes = static_cast<U64>(b) << 32 | a;
  U32 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result |= static_cast<U32>(bytes >> (8 * (selector >> (4 * i) & 7)) & 0xFF) << (8 * i);
  }
  return result;
}

}  // namespace

void add_integer_functions(BuiltinTable& table) {
  add_function<&smaller<I32>>(table, "__nv_min");
  add_function<&larger<I32>>(table, "__nv_max");
  add_function<&smaller<U32>>(table, "__nv_umin");
  add_function<&larger<U32>>(table, "__nv_umax");
  add_function<&smaller<I64>>(table, "__nv_llmin");
  add_function<&larger<I64>>(table, "__nv_llmax");
  add_function<&smaller<U64>>(table, "__nv_ullmin");
  add_function<&larger<U64>>(table, "__nv_ullmax");
  add_function<&absolute>(table, "__nv_abs");
  add_function<&long_absolute>(table, "__nv_llabs");
  add_function<&reversed<U32>>(table, "__nv_brev");
  add_function<&reversed<U64>>(table, "__nv_brevll");
  add_function<&leading_zeros<U32>>(table, "__nv_clz");
  add_function<&leading_zeros<U64>>(table, "__nv_clzll");
  add_function<&first_set<U32>>(table, "__nv_ffs");
  add_function<&first_set<U64>>(table, "__nv_ffsll");
  add_function<&ones<U32>>(table, "__nv_popc");
  add_function<&ones<U64>>(table, "__nv_popcll");
  add_function<&high_product>(table, "__nv_mulhi");
  add_function<&unsigned_high_product>(table, "__nv_umulhi");
  add_function<&long_high_product>(table, "__nv_mul64hi");
  add_function<&unsigned_long_high_product>(table, "__nv_umul64hi");
  add_function<&product24>(table, "__nv_mul24");
  add_function<&unsigned_product24>(table, "__nv_umul24");
  add_function<&sum_of_differences>(table, "__nv_sad");
  add_function<&unsigned_sum_of_differences>(table, "__nv_usad");
  add_function<&half_sum>(table, "__nv_hadd");
  add_function<&unsigned_half_sum>(table, "__nv_uhadd");
  add_function<&rounded_half_sum>(table, "__nv_rhadd");
  add_function<&unsigned_rounded_half_sum>(table, "__nv_urhadd");
  add_function<&permuted_bytes>(table, "__nv_byte_perm");
}

}  // namespace cudalabs::vgpu::exec
