// Integer operations done one lane at a time: divisions, bit fields, carries, permutations.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "vgpu/exec/handlers/lane_call.h"
#include "vgpu/exec/handlers/select.h"

namespace cudalabs::vgpu::exec {

namespace {

using ir::Opcode;
using ir::Type;

template <class T>
using Unsigned = std::make_unsigned_t<T>;
__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

template <class T>
constexpr std::uint32_t kBits = 8 * sizeof(T);

// Division by zero yields all ones, quotient and remainder, as on the device; the one overflow wraps.
template <class T>
T divide(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>) {
    if (b == T{-1}) return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
  }
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if (b == 0) return static_cast<T>(~T{0});
  if constexpr (std::is_signed_v<T>) {
    if (b == T{-1}) return 0;
  }
  return static_cast<T>(a % b);
}

template <class T>
T add_saturating(T a, T b) {
  const std::int64_t sum = std::int64_t{a} + std::int64_t{b};
  return static_cast<T>(std::clamp<std::int64_t>(sum, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
template <class T>
T sub_saturating(T a, T b) {
  const std::int64_t difference = std::int64_t{a} - std::int64_t{b};
  return static_cast<T>(
      std::clamp<std::int64_t>(difference, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

template <class T>
T high_of_product(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> 64);
  } else {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<Wide>(a) * static_cast<Wide>(b)) >> kBits<T>);
  }
}
template <class T>
T wrapping_sum(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)));
}
template <class T>
T low_of_product(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
template <class T>
T mad_high(T a, T b, T c) {
  return wrapping_sum<T>(high_of_product<T>(a, b), c);
}
std::int32_t mad_high_saturating(std::int32_t a, std::int32_t b, std::int32_t c) {
  return add_saturating<std::int32_t>(high_of_product<std::int32_t>(a, b), c);
}

template <class T>
T sum_of_absolute_difference(T a, T b, T c) {
  const Unsigned<T> difference =
      a < b ? static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(b) - static_cast<Unsigned<T>>(a))
            : static_cast<Unsigned<T>>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  return static_cast<T>(static_cast<Unsigned<T>>(difference + static_cast<Unsigned<T>>(c)));
}

// 24-bit multiplication: the operands' low 24 bits, extended as the type says.
template <class T>
std::int64_t product24(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    const auto extend = [](T value) {
      return static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << 8) >> 8);
    };
    return extend(a) * extend(b);
  } else {
    return static_cast<std::int64_t>(std::uint64_t{a & 0xFF'FFFFu} * std::uint64_t{b & 0xFF'FFFFu});
  }
}
template <class T>
T mul24_low(T a, T b) {
  return static_cast<T>(product24<T>(a, b));
}
template <class T>
T mul24_high(T a, T b) {
  return static_cast<T>(product24<T>(a, b) >> 16);
}
template <class T>
T mad24_low(T a, T b, T c) {
  return wrapping_sum<T>(mul24_low<T>(a, b), c);
}
template <class T>
T mad24_high(T a, T b, T c) {
  return wrapping_sum<T>(mul24_high<T>(a, b), c);
}

template <class T>
WithBit<T> add_carry_out(T a, T b) {
  const T sum = static_cast<T>(a + b);
  return {sum, sum < a};
}
template <class T>
WithBit<T> add_carry(T a, T b, Bit carry) {
  const T partial = static_cast<T>(a + b);
  const T sum = static_cast<T>(partial + (carry.value ? 1 : 0));
  return {sum, partial < a || sum < partial};
}
template <class T>
T add_carry_in(T a, T b, Bit carry) {
  return add_carry<T>(a, b, carry).value;
}
// CC.CF holds the borrow after a subtraction.
template <class T>
WithBit<T> sub_carry_out(T a, T b) {
  return {static_cast<T>(a - b), a < b};
}
template <class T>
WithBit<T> sub_carry(T a, T b, Bit borrow) {
  const T partial = static_cast<T>(a - b);
  const T result = static_cast<T>(partial - (borrow.value ? 1 : 0));
  return {result, a < b || (borrow.value && partial == 0)};
}
template <class T>
T sub_carry_in(T a, T b, Bit borrow) {
  return sub_carry<T>(a, b, borrow).value;
}
template <class T, bool kHigh>
Unsigned<T> product_part(T a, T b) {
  return static_cast<Unsigned<T>>(kHigh ? high_of_product<T>(a, b) : low_of_product<T>(a, b));
}
template <class T, bool kHigh>
WithBit<Unsigned<T>> mad_carry_out(T a, T b, Unsigned<T> c) {
  return add_carry_out<Unsigned<T>>(product_part<T, kHigh>(a, b), c);
}
template <class T, bool kHigh>
WithBit<Unsigned<T>> mad_carry(T a, T b, Unsigned<T> c, Bit carry) {
  return add_carry<Unsigned<T>>(product_part<T, kHigh>(a, b), c, carry);
}
template <class T, bool kHigh>
Unsigned<T> mad_carry_in(T a, T b, Unsigned<T> c, Bit carry) {
  return mad_carry<T, kHigh>(a, b, c, carry).value;
}

template <class T>
std::uint32_t count_ones(T a) {
  return static_cast<std::uint32_t>(std::popcount(a));
}
template <class T>
std::uint32_t leading_zeros(T a) {
  return static_cast<std::uint32_t>(std::countl_zero(a));
}
template <class T>
T reversed(T a) {
  T result = 0;
  for (std::uint32_t i = 0; i < kBits<T>; ++i)
    result = static_cast<T>(result | (static_cast<T>(a >> i & 1) << (kBits<T> - 1 - i)));
  return result;
}
// The most significant bit that is not a sign bit; all ones when there is none.
template <class T>
std::uint32_t find_bit(T a) {
  const auto bits = static_cast<Unsigned<T>>(std::is_signed_v<T> && a < 0 ? ~a : a);
  return bits == 0 ? 0xFFFF'FFFF : kBits<T> - 1 - static_cast<std::uint32_t>(std::countl_zero(bits));
}
template <class T>
std::uint32_t find_shift(T a) {
  const std::uint32_t bit = find_bit<T>(a);
  return bit == 0xFFFF'FFFF ? bit : kBits<T> - 1 - bit;
}

template <class T>
T extract_field(T a, std::uint32_t position, std::uint32_t length) {
  const std::uint32_t at = position & 0xFF;
  const std::uint32_t count = length & 0xFF;
  const std::uint32_t last = std::min(at + count - 1, kBits<T> - 1);  // wraps to the top bit for no bits at 0
  const auto bits = static_cast<Unsigned<T>>(a);
  const bool sign = std::is_signed_v<T> && count != 0 && (bits >> std::min(last, kBits<T> - 1) & 1) != 0;
  Unsigned<T> result = 0;
  for (std::uint32_t i = 0; i < kBits<T>; ++i) {
    const bool bit = i < count && at + i < kBits<T> ? (bits >> (at + i) & 1) != 0 : sign;
    result = static_cast<Unsigned<T>>(result | (static_cast<Unsigned<T>>(bit) << i));
  }
  return static_cast<T>(result);
}
template <class T>
T insert_field(T a, T b, std::uint32_t position, std::uint32_t length) {
  const std::uint32_t at = position & 0xFF;
  const std::uint32_t count = length & 0xFF;
  T result = b;
  for (std::uint32_t i = 0; i < count && at + i < kBits<T>; ++i) {
    const T bit = static_cast<T>(T{1} << (at + i));
    result = (a >> i & 1) != 0 ? static_cast<T>(result | bit) : static_cast<T>(result & ~bit);
  }
  return result;
}
// `detail`: 1 wraps position and width at 32, 0 clamps them.
std::uint32_t bit_mask(std::uint32_t position, std::uint32_t width, const MicroOp& op) {
  const bool wrap = op.extra != 0;
  const std::uint32_t at = wrap ? position & 31 : position;
  const std::uint32_t count = wrap ? width & 31 : width;
  const std::uint64_t ones = count >= 32 ? 0xFFFF'FFFFull : (1ull << count) - 1;
  return at >= 32 ? 0 : static_cast<std::uint32_t>(ones << at);
}
template <class T>
T extend_from(T a, std::uint32_t position, const MicroOp& op) {
  const std::uint32_t bits = op.extra != 0 ? position & 31 : position;
  if (bits >= 32) return a;
  if (bits == 0) return 0;
  const auto shifted = static_cast<T>(static_cast<std::uint32_t>(a) << (32 - bits));
  return static_cast<T>(shifted >> (32 - bits));
}
// The offset-th set (or, backwards, previous) bit from `base` on.
std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : 0xFFFF'FFFF;
  const std::int32_t step = offset > 0 ? 1 : -1;
  std::int32_t left = offset > 0 ? offset : -offset;
  for (std::int64_t at = base; at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(at);
  }
  return 0xFFFF'FFFF;
}

template <bool kSignedA, bool kSignedB>
std::uint32_t dot4(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (std::uint32_t i = 0; i < 32; i += 8) {
    const std::int32_t x = kSignedA ? static_cast<std::int8_t>(a >> i) : static_cast<std::int32_t>(a >> i & 0xFF);
    const std::int32_t y = kSignedB ? static_cast<std::int8_t>(b >> i) : static_cast<std::int32_t>(b >> i & 0xFF);
    c += static_cast<std::uint32_t>(x * y);
  }
  return c;
}
template <bool kSignedA, bool kSignedB>
std::uint32_t dot2(std::uint32_t a, std::uint32_t b, std::uint32_t c, const MicroOp& op) {
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t half = a >> (16 * i);
    const std::uint32_t byte = b >> (8 * i + 16 * op.extra);
    const std::int32_t x = kSignedA ? static_cast<std::int16_t>(half) : static_cast<std::int32_t>(half & 0xFFFF);
    const std::int32_t y = kSignedB ? static_cast<std::int8_t>(byte) : static_cast<std::int32_t>(byte & 0xFF);
    c += static_cast<std::uint32_t>(x * y);
  }
  return c;
}

/// Packed: as many parts as there are in 32 bits, none of which overflows.
template <class Part>
std::uint32_t absolute_differences(std::uint32_t a, std::uint32_t b) {
  constexpr std::uint32_t kBits = 8 * sizeof(Part);
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 32; i += kBits) {
    const std::int32_t difference = std::int32_t{static_cast<Part>(a >> i)} - static_cast<Part>(b >> i);
    result |= static_cast<std::uint32_t>(std::abs(difference)) << i;
  }
  return result;
}
template <class Part>
std::uint32_t add_absolute_differences(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  constexpr std::uint32_t kBits = 8 * sizeof(Part);
  const std::uint32_t differences = absolute_differences<Part>(a, b);
  for (std::uint32_t i = 0; i < 32; i += kBits) c += static_cast<std::make_unsigned_t<Part>>(differences >> i);
  return c;
}

std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t selector, const MicroOp& op) {
  const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
  const auto byte = [&](std::uint32_t index) { return static_cast<std::uint32_t>(bytes >> (8 * (index & 7)) & 0xFF); };
  const std::uint32_t s = selector & 3;
  std::uint32_t from[4] = {};
  switch (op.extra) {
    case 0: {
      std::uint32_t result = 0;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t control = selector >> (4 * i) & 0xF;
        std::uint32_t value = byte(control);
        if ((control & 8) != 0) value = (value & 0x80) != 0 ? 0xFF : 0;  // its sign, eight times
        result |= value << (8 * i);
      }
      return result;
    }
    case 1:  // forward 4 extract
      for (std::uint32_t i = 0; i < 4; ++i) from[i] = s + i;
      break;
    case 2:  // backward 4 extract
      for (std::uint32_t i = 0; i < 4; ++i) from[i] = s - i;
      break;
    case 3:  // replicate 8
      for (std::uint32_t i = 0; i < 4; ++i) from[i] = s;
      break;
    case 4:  // edge clamp left
      for (std::uint32_t i = 0; i < 4; ++i) from[i] = std::max(i, s);
      break;
    case 5:  // edge clamp right
      for (std::uint32_t i = 0; i < 4; ++i) from[i] = std::min(i, s);
      break;
    default:  // replicate 16
      for (std::uint32_t i = 0; i < 4; ++i) from[i] = (i & 1) + 2 * (s & 1);
      break;
  }
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) result |= byte(from[i]) << (8 * i);
  return result;
}

template <bool kLeft>
std::uint32_t funnel(std::uint32_t low, std::uint32_t high, std::uint32_t amount, const MicroOp& op) {
  const std::uint32_t by = op.extra != 0 ? amount & 31 : std::min(amount, 32u);
  const std::uint64_t both = std::uint64_t{high} << 32 | low;
  return kLeft ? static_cast<std::uint32_t>(both << by >> 32) : static_cast<std::uint32_t>(both >> by);
}

std::uint32_t logic3(std::uint32_t a, std::uint32_t b, std::uint32_t c, const MicroOp& op) {
  std::uint32_t result = 0;
  for (std::uint32_t row = 0; row < 8; ++row) {
    if ((op.extra >> row & 1) == 0) continue;
    result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
  }
  return result;
}

template <class T>
Handler select_typed(const ir::Operation& operation, unsigned immediates) {
  using U = Unsigned<T>;
  switch (operation.opcode) {
    case Opcode::div:
      return lane_call<&divide<T>>(immediates);
    case Opcode::rem:
      return lane_call<&remainder<T>>(immediates);
    case Opcode::mul_hi:
      return lane_call<&high_of_product<T>>(immediates);
    case Opcode::mad_hi:
      return lane_call<&mad_high<T>>(immediates);
    case Opcode::sad:
      return lane_call<&sum_of_absolute_difference<T>>(immediates);
    default:
      break;
  }
  if constexpr (sizeof(T) >= 4) {
    switch (operation.opcode) {
      case Opcode::add_carry_out:
        return lane_call<&add_carry_out<U>>(immediates);
      case Opcode::add_carry:
        return lane_call<&add_carry<U>>(immediates);
      case Opcode::add_carry_in:
        return lane_call<&add_carry_in<U>>(immediates);
      case Opcode::sub_carry_out:
        return lane_call<&sub_carry_out<U>>(immediates);
      case Opcode::sub_carry:
        return lane_call<&sub_carry<U>>(immediates);
      case Opcode::sub_carry_in:
        return lane_call<&sub_carry_in<U>>(immediates);
      case Opcode::mad_lo_carry_out:
        return lane_call<&mad_carry_out<T, false>>(immediates);
      case Opcode::mad_lo_carry:
        return lane_call<&mad_carry<T, false>>(immediates);
      case Opcode::mad_lo_carry_in:
        return lane_call<&mad_carry_in<T, false>>(immediates);
      case Opcode::mad_hi_carry_out:
        return lane_call<&mad_carry_out<T, true>>(immediates);
      case Opcode::mad_hi_carry:
        return lane_call<&mad_carry<T, true>>(immediates);
      case Opcode::mad_hi_carry_in:
        return lane_call<&mad_carry_in<T, true>>(immediates);
      case Opcode::popc:
        return lane_call<&count_ones<U>>(immediates);
      case Opcode::clz:
        return lane_call<&leading_zeros<U>>(immediates);
      case Opcode::brev:
        return lane_call<&reversed<U>>(immediates);
      case Opcode::bfind:
        return lane_call<&find_bit<T>>(immediates);
      case Opcode::bfind_shift:
        return lane_call<&find_shift<T>>(immediates);
      case Opcode::bfe:
        return lane_call<&extract_field<T>>(immediates);
      case Opcode::bfi:
        return lane_call<&insert_field<U>>(immediates);
      default:
        break;
    }
  }
  if constexpr (sizeof(T) == 4) {
    switch (operation.opcode) {
      case Opcode::mul24_lo:
        return lane_call<&mul24_low<T>>(immediates);
      case Opcode::mul24_hi:
        return lane_call<&mul24_high<T>>(immediates);
      case Opcode::mad24_lo:
        return lane_call<&mad24_low<T>>(immediates);
      case Opcode::mad24_hi:
        return lane_call<&mad24_high<T>>(immediates);
      case Opcode::szext:
        return lane_call<&extend_from<T>>(immediates);
      default:
        break;
    }
  }
  return nullptr;
}

Handler select_dot(const ir::Operation& operation, unsigned immediates) {
  const bool a = operation.type == Type::s32;
  const bool b = operation.source_type == Type::s32;
  if (operation.opcode == Opcode::dp4a) {
    return a ? (b ? lane_call<&dot4<true, true>>(immediates) : lane_call<&dot4<true, false>>(immediates))
             : (b ? lane_call<&dot4<false, true>>(immediates) : lane_call<&dot4<false, false>>(immediates));
  }
  return a ? (b ? lane_call<&dot2<true, true>>(immediates) : lane_call<&dot2<true, false>>(immediates))
           : (b ? lane_call<&dot2<false, true>>(immediates) : lane_call<&dot2<false, false>>(immediates));
}

template <class Part>
Handler select_absolute_difference(const ir::Operation& operation, unsigned immediates) {
  return operation.detail != 0 ? lane_call<&add_absolute_differences<Part>>(immediates)
                               : lane_call<&absolute_differences<Part>>(immediates);
}

}  // namespace

Handler select_rare_integer(const ir::Operation& operation, unsigned immediates) {
  switch (operation.opcode) {
    case Opcode::dp4a:
    case Opcode::dp2a:
      return select_dot(operation, immediates);
    case Opcode::vabsdiff2:
      return operation.source_type == Type::s32 ? select_absolute_difference<std::int16_t>(operation, immediates)
                                                : select_absolute_difference<std::uint16_t>(operation, immediates);
    case Opcode::vabsdiff4:
      return operation.source_type == Type::s32 ? select_absolute_difference<std::int8_t>(operation, immediates)
                                                : select_absolute_difference<std::uint8_t>(operation, immediates);
    case Opcode::prmt:
      return lane_call<&permute>(immediates);
    case Opcode::shf_left:
      return lane_call<&funnel<true>>(immediates);
    case Opcode::shf_right:
      return lane_call<&funnel<false>>(immediates);
    case Opcode::lop3:
      return lane_call<&logic3>(immediates);
    case Opcode::bmsk:
      return lane_call<&bit_mask>(immediates);
    case Opcode::fns:
      return lane_call<&find_nth_set>(immediates);
    case Opcode::add_sat:
      return lane_call<&add_saturating<std::int32_t>>(immediates);
    case Opcode::sub_sat:
      return lane_call<&sub_saturating<std::int32_t>>(immediates);
    case Opcode::mad_hi_sat:
      return lane_call<&mad_high_saturating>(immediates);
    default:
      break;
  }
  switch (operation.type) {
    case Type::u16:
    case Type::b16:
      return select_typed<std::uint16_t>(operation, immediates);
    case Type::s16:
      return select_typed<std::int16_t>(operation, immediates);
    case Type::u32:
    case Type::b32:
      return select_typed<std::uint32_t>(operation, immediates);
    case Type::s32:
      return select_typed<std::int32_t>(operation, immediates);
    case Type::u64:
    case Type::b64:
      return select_typed<std::uint64_t>(operation, immediates);
    case Type::s64:
      return select_typed<std::int64_t>(operation, immediates);
    default:
      return nullptr;
  }
}

}  // namespace cudalabs::vgpu::exec
