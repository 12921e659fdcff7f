// Held to an H100: additions keep subnormal numbers, a NaN that comes of them is the canonical one, and of a NaN and a
// number the smaller one and the larger one is the number.
#include "vgpu/exec/bulk_reduction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "vgpu/exec/handlers/float_bits.h"
#include "vgpu/exec/handlers/half_bits.h"

namespace cudalabs::vgpu::exec {

namespace {

using ptx::Type;

template <class T>
T combined(AtomicOperation operation, T old, T value) {
  using U = std::make_unsigned_t<T>;
  switch (operation) {
    case AtomicOperation::add:
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
    case AtomicOperation::min:
      return std::min(old, value);
    case AtomicOperation::max:
      return std::max(old, value);
    case AtomicOperation::bit_and:
      return static_cast<T>(old & value);
    case AtomicOperation::bit_or:
      return static_cast<T>(old | value);
    case AtomicOperation::bit_xor:
      return static_cast<T>(old ^ value);
    case AtomicOperation::increment:
      return old >= value ? T{0} : static_cast<T>(old + 1);
    case AtomicOperation::decrement:
      return old == 0 || old > value ? value : static_cast<T>(old - 1);
    default:
      return old;
  }
}

template <class F>
std::uint16_t combined_halves(AtomicOperation operation, std::uint16_t old, std::uint16_t value) {
  if (operation == AtomicOperation::add) return F::rounded(F::widened(old) + F::widened(value), RoundTo::nearest_even);
  if (F::is_nan(old)) return F::is_nan(value) ? F::kCanonical : value;
  if (F::is_nan(value)) return old;
  const double a = F::widened(old), b = F::widened(value);
  const bool first = a != b ? a < b : std::signbit(a);  // -0 is below 0
  return (operation == AtomicOperation::min) == first ? old : value;
}

template <class T, class Combine>
void change(std::byte* target, const std::byte* value, Combine combine) {
  T old{}, given{};
  std::memcpy(&old, target, sizeof old);
  std::memcpy(&given, value, sizeof given);
  const T fresh = combine(old, given);
  std::memcpy(target, &fresh, sizeof fresh);
}

}  // namespace

void reduce_element(AtomicOperation operation, Type type, std::byte* target, const std::byte* value) {
  const auto whole = [operation](auto old, auto given) { return combined(operation, old, given); };
  switch (type) {
    case Type::s32:
      return change<std::int32_t>(target, value, whole);
    case Type::s64:
      return change<std::int64_t>(target, value, whole);
    case Type::u64:
    case Type::b64:
      return change<std::uint64_t>(target, value, whole);
    case Type::f16:
      return change<std::uint16_t>(target, value, [operation](std::uint16_t old, std::uint16_t given) {
        return combined_halves<Half>(operation, old, given);
      });
    case Type::bf16:
      return change<std::uint16_t>(target, value, [operation](std::uint16_t old, std::uint16_t given) {
        return combined_halves<Bfloat>(operation, old, given);
      });
    case Type::f32:
      return change<float>(target, value, [](float old, float given) { return canonical(old + given); });
    case Type::f64:
      return change<double>(target, value, [](double old, double given) { return settled(old + given, given, old); });
    default:
      return change<std::uint32_t>(target, value, whole);
  }
}

}  // namespace cudalabs::vgpu::exec
