// What the wrong values of an output have in common.
#include "check/value_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "check/tolerance.h"

namespace cudalabs {
namespace {

constexpr double kHalfPrecision = 0x1p-9;

/// What a pattern says about one element: its prediction fits, does not fit, or the pattern predicts nothing for it.
enum class Fit : std::uint8_t { yes, no, free };

/// True when no wrong element contradicts and at least kEnough confirm. A wrong element that is nothing special (its
/// prediction equals its reference) cannot occur: it would be right.
bool all_wrong_fit(const Comparison& comparison, const std::function<Fit(std::int64_t)>& fit) {
  std::int64_t confirmed = 0;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    const Fit answer = fit(i);
    if (answer == Fit::no) return false;
    if (answer == Fit::yes) ++confirmed;
  }
  return confirmed >= kEnough;
}

/// The value at `index` is the reference of the place `source`, as exact as that place has to be.
Fit holds_reference_of(const Comparison& comparison, std::int64_t index, std::int64_t source) {
  const Element there = comparison.at(source);
  return within(comparison.at(index).got, there.expected, there.bound) ? Fit::yes : Fit::no;
}

struct Shift {
  std::int64_t rows, columns;
  std::string_view what;
};
constexpr std::array<Shift, 4> kShifts{{
    {0, 1, "every wrong element holds the value of its right neighbour: off by one column"},
    {0, -1, "every wrong element holds the value of its left neighbour: off by one column"},
    {1, 0, "every wrong element holds the value of the next row: off by one row"},
    {-1, 0, "every wrong element holds the value of the previous row: off by one row"},
}};

bool shifted_by(const Comparison& comparison, const Shift& shift) {
  const GridShape shape = comparison.grid();
  return all_wrong_fit(comparison, [&](std::int64_t i) {
    const std::int64_t row = i / shape.columns + shift.rows, column = i % shape.columns + shift.columns;
    if (row < 0 || row >= shape.rows || column < 0 || column >= shape.columns) return Fit::free;
    return holds_reference_of(comparison, i, row * shape.columns + column);
  });
}

bool is_floating(datasets::ElementType type) {
  return type == datasets::ElementType::f32 || type == datasets::ElementType::f64;
}

/// "2 times", "half", "-1 times", or with three digits.
std::string factor_text(double factor) {
  for (const int number : {2, 3, 4, 8, 16, 32}) {
    if (std::abs(factor - number) < 1e-4 * number) return fmt::format("{} times", number);
    if (std::abs(factor * number - 1) < 1e-4) return fmt::format("1/{} of", number);
  }
  if (std::abs(factor + 1) < 1e-4) return "-1 times";
  return fmt::format("{:.3g} times", factor);
}

}  // namespace

std::optional<ValuePattern> all_zero(const Comparison& comparison) {
  const bool zero =
      all_wrong_fit(comparison, [&](std::int64_t i) { return comparison.at(i).got == 0 ? Fit::yes : Fit::no; });
  if (!zero) return std::nullopt;
  const std::string_view help =
      comparison.type == datasets::ElementType::u8
          ? "look for a factor that is 0 and was never set, and for a step that is kept in a byte, which drops what is "
            "above 255: compute in `int`, store the byte last"
          : "the sum or the value that is stored stayed 0: nothing was added to it, a conversion to an integer cut it "
            "off, something stored 0 over it, or the host read it before it was there";
  return ValuePattern{ValueKind::zero, "every wrong element is 0", std::string(help)};
}

std::optional<ValuePattern> directed_rounding(const Comparison& comparison) {
  if (comparison.type != datasets::ElementType::f32) return std::nullopt;
  constexpr std::int64_t kEnoughOneSided = 12;  // of fewer, that all are on one side may be chance
  constexpr float kFar = std::numeric_limits<float>::infinity();
  bool toward_zero = true, down = true, up = true;
  std::int64_t confirmed = 0;
  const bool all_beside = all_wrong_fit(comparison, [&](std::int64_t i) {
    const Element element = comparison.at(i);
    const auto expected = static_cast<float>(element.expected), got = static_cast<float>(element.got);
    if (static_cast<double>(expected) != element.expected || expected == 0) return Fit::no;
    toward_zero = toward_zero && got == std::nextafter(expected, 0.0F);
    down = down && got == std::nextafter(expected, -kFar);
    up = up && got == std::nextafter(expected, kFar);
    ++confirmed;
    return toward_zero || down || up ? Fit::yes : Fit::no;
  });
  if (!all_beside || confirmed < kEnoughOneSided) return std::nullopt;
  const std::string_view where = toward_zero && (down || up) ? "next to it, on the side of zero"
                                 : toward_zero               ? "next to it toward zero"
                                 : down                      ? "next below it"
                                                             : "next above it";
  return ValuePattern{ValueKind::directed_rounding,
                      fmt::format("in place of each wrong element stands the `float` {}", where),
                      "the arithmetic rounds to one side, and not to the nearest number: `+`, `*` and functions that "
                      "end in `_rn` round to the nearest; those in `_rz`, `_rd` and `_ru` do not"};
}

std::optional<ValuePattern> transposed(const Comparison& comparison) {
  const GridShape shape = comparison.grid();
  if (shape.rows < 2 || shape.columns < 2) return std::nullopt;
  const bool fits = all_wrong_fit(comparison, [&](std::int64_t i) {
    // The flat place i belongs to (row, column) of an array with `rows` columns: there the transposed reference lies.
    const std::int64_t row = i % shape.rows, column = i / shape.rows;
    return holds_reference_of(comparison, i, row * shape.columns + column);
  });
  if (!fits) return std::nullopt;
  return ValuePattern{ValueKind::transposed, "the result is transposed",
                      "rows and columns are swapped: `x` runs along a row, so it counts columns; element (row, column) "
                      "of an array with `width` columns is at `row * width + column`"};
}

std::optional<ValuePattern> shifted_by_one(const Comparison& comparison) {
  for (const Shift& shift : kShifts) {
    if (shifted_by(comparison, shift)) {
      return ValuePattern{ValueKind::shifted, std::string(shift.what),
                          "an index is one too large or one too small: look for a stray `+ 1`, `- 1` or `<=`"};
    }
  }
  return std::nullopt;
}

std::optional<ValuePattern> constant_factor(const Comparison& comparison) {
  // The factor comes from the element known best: the one whose reference is largest against its bound.
  double factor = 0, best = 0;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    const Element element = comparison.at(i);
    const double certainty =
        element.bound > 0 ? std::abs(element.expected) / element.bound : std::abs(element.expected);
    if (element.expected != 0 && certainty > best) {
      best = certainty;
      factor = element.got / element.expected;
    }
  }
  // So near to 1 no factor is missing: digits are.
  if (factor == 0 || std::abs(factor - 1) <= kHalfPrecision) return std::nullopt;
  const double scale = std::max(1.0, std::abs(factor));
  const bool fits = all_wrong_fit(comparison, [&](std::int64_t i) {
    const Element element = comparison.at(i);
    // Twice the bound: the factor itself was taken from a rounded value.
    return within(element.got, factor * element.expected, 2 * scale * element.bound) ? Fit::yes : Fit::no;
  });
  if (!fits) return std::nullopt;
  return ValuePattern{ValueKind::constant_factor,
                      fmt::format("every wrong element is {} what it should be", factor_text(factor)),
                      "a factor is missing or is there once too often, or sums are added up the wrong number of times"};
}

std::optional<ValuePattern> constant_offset(const Comparison& comparison) {
  if (!is_floating(comparison.type)) return std::nullopt;
  // From the element known best, and well above what rounding explains.
  double offset = 0, least_bound = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    const Element element = comparison.at(i);
    if (element.bound >= least_bound) continue;
    least_bound = element.bound;
    offset = element.got - element.expected;
  }
  if (!(std::abs(offset) > 8 * least_bound)) return std::nullopt;
  const bool fits = all_wrong_fit(comparison, [&](std::int64_t i) {
    const Element element = comparison.at(i);
    return within(element.got, element.expected + offset, 2 * element.bound) ? Fit::yes : Fit::no;
  });
  if (!fits) return std::nullopt;
  return ValuePattern{
      ValueKind::constant_offset,
      fmt::format("every wrong element is {:.3g} too {}", std::abs(offset), offset < 0 ? "small" : "large"),
      "something is added once too often, or left out: look at what a sum starts with, and at which "
      "value is used for elements that do not exist"};
}

/// One number alone, such as a sum: a `float` below this is a whole number by chance once in 256 times.
bool is_whole_number_alone(const Comparison& comparison) {
  constexpr double kEightBitsOfFraction = 65'536;
  if (comparison.elements() != 1 || comparison.fault[0] != Fault::wrong) return false;
  const Element element = comparison.at(0);
  return std::abs(element.got) >= 1 && std::abs(element.got) < kEightBitsOfFraction &&
         element.got == std::trunc(element.got) && element.expected != std::trunc(element.expected);
}

std::optional<ValuePattern> whole_numbers(const Comparison& comparison) {
  if (!is_floating(comparison.type)) return std::nullopt;
  constexpr std::string_view kHelp =
      "look at the type of each factor and each sum, also as a parameter or as the result of a function: an `int` "
      "drops "
      "the digits after the decimal point; keep them in `float`";
  if (is_whole_number_alone(comparison))
    return ValuePattern{ValueKind::whole_numbers, "it is a whole number, and should be none", std::string(kHelp)};
  double largest = 0;
  for (const double value : comparison.expected) largest = std::max(largest, std::abs(value));
  std::int64_t with_fraction = 0;
  const bool fits = all_wrong_fit(comparison, [&](std::int64_t i) {
    const Element element = comparison.at(i);
    // A sum loses less than one with each product; what is far off has another cause.
    if (element.got != std::trunc(element.got) || std::abs(element.got - element.expected) > largest) return Fit::no;
    with_fraction += element.expected != std::trunc(element.expected) ? 1 : 0;
    return Fit::yes;
  });
  if (!fits || 2 * with_fraction < comparison.count(Fault::wrong)) return std::nullopt;
  return ValuePattern{ValueKind::whole_numbers, "every wrong element is a whole number", std::string(kHelp)};
}

std::optional<ValuePattern> low_precision(const Comparison& comparison) {
  if (!is_floating(comparison.type)) return std::nullopt;
  if (2 * comparison.count(Fault::wrong) < comparison.elements()) return std::nullopt;
  double largest = 0;
  for (const double value : comparison.expected) largest = std::max(largest, std::abs(value));
  const bool fits = all_wrong_fit(comparison, [&](std::int64_t i) {
    const Element element = comparison.at(i);
    return std::abs(element.got - element.expected) <= kHalfPrecision * largest ? Fit::yes : Fit::no;
  });
  if (!fits) return std::nullopt;
  return ValuePattern{ValueKind::low_precision, "nearly right everywhere, but too coarse for single precision",
                      "keep every factor and every sum in `float`: a half-precision number holds three digits"};
}

std::optional<ValuePattern> untouched_bytes(const Comparison& comparison) {
  if (comparison.type != datasets::ElementType::u8 || comparison.knows_writes) return std::nullopt;
  const bool fits = all_wrong_fit(
      comparison, [&](std::int64_t i) { return comparison.at(i).got == kPoisonByte ? Fit::yes : Fit::no; });
  if (!fits) return std::nullopt;
  return ValuePattern{ValueKind::untouched_bytes, "every wrong element is 255, as it was before the call",
                      "each element must be stored by one thread: look at the number of blocks and at the guard"};
}

std::optional<ValuePattern> one_off(const Comparison& comparison) {
  if (is_floating(comparison.type)) return std::nullopt;
  for (const int off : {-1, 1}) {
    const bool fits = all_wrong_fit(comparison, [&](std::int64_t i) {
      const Element element = comparison.at(i);
      return element.got == element.expected + off ? Fit::yes : Fit::no;
    });
    if (!fits) continue;
    return ValuePattern{
        ValueKind::one_off, fmt::format("every wrong element is 1 too {}", off < 0 ? "small" : "large"),
        "look at where digits are lost: a division, a shift or a conversion of integers drops what is "
        "left over, and a narrow type what it has no room for; to round to the nearest, half the divisor "
        "is added before the division, once"};
  }
  return std::nullopt;
}

std::optional<ValuePattern> explain_values(const Comparison& comparison) {
  for (const auto& detect : {untouched_bytes, all_zero, directed_rounding, transposed, shifted_by_one, one_off,
                             constant_factor, whole_numbers, constant_offset, low_precision}) {
    if (auto pattern = detect(comparison)) return pattern;
  }
  return std::nullopt;
}

}  // namespace cudalabs
