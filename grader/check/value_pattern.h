// What the wrong values of an output have in common: all zero, a neighbour's value, transposed, a constant factor, ...
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "check/comparison.h"

namespace cudalabs {

enum class ValueKind : std::uint8_t {
  zero,
  directed_rounding,
  transposed,
  shifted,
  untouched_bytes,
  one_off,
  constant_factor,
  constant_offset,
  whole_numbers,
  low_precision,
  carried_over,     // see carried_value.h
  added_as_float,   // see float_sum.h
  misplaced,        // see misplaced_rows.h
  read_unevenly,    // see input_reads.h
  known_to_the_lab  // see explanations.h
};

struct ValuePattern {
  ValueKind kind = ValueKind::zero;
  std::string what;                                  // continues "`c` is wrong ...": "every wrong element is 0", ...
  std::string help;                                  // what usually causes it; may be empty
  bool sure = true;                                  // false: something else explains these values as well
  std::string detector = {};                         // of what a lab knows: its name
  std::map<std::string, std::int64_t> numbers = {};  // that it tells, by their names

  bool operator==(const ValuePattern&) const = default;
};

// Each detector looks at the elements with Fault::wrong and answers only when all of them fit, and enough of them
// (kEnough) that chance is out of the question. "Fits" means within the element's own bound of the value the pattern
// predicts, and never that both are close to the reference.
constexpr std::int64_t kEnough = 3;

std::optional<ValuePattern> all_zero(const Comparison& comparison);
/// 32-bit floats only: got is the `float` beside the reference, always on the same side of it: the one toward zero, the
/// next smaller or the next larger one. What rounds to the nearest is never so alike.
std::optional<ValuePattern> directed_rounding(const Comparison& comparison);
/// got[row][column] is the reference at the flat place column * rows + row: stored, or computed, the other way round.
std::optional<ValuePattern> transposed(const Comparison& comparison);
/// got[row][column] is the reference one row or one column further on or back; places without such a neighbour are
/// free.
std::optional<ValuePattern> shifted_by_one(const Comparison& comparison);
/// got = k · reference with one k for all, neither 0 nor 1, named when it is a simple number.
std::optional<ValuePattern> constant_factor(const Comparison& comparison);
/// Bytes only: got is the pattern that outputs are filled with, which no byte is judged unwritten for where it is not
/// known who wrote.
std::optional<ValuePattern> untouched_bytes(const Comparison& comparison);
/// Integers only: got is the reference plus one everywhere, or minus one everywhere.
std::optional<ValuePattern> one_off(const Comparison& comparison);
/// Floats only: got is the reference plus one offset for all, well above what rounding explains.
std::optional<ValuePattern> constant_offset(const Comparison& comparison);
/// Floats only: got is a whole number everywhere, where most references have a fraction.
std::optional<ValuePattern> whole_numbers(const Comparison& comparison);
/// Floats only. At least half of the output is wrong, all of it by less than the rounding to 11 bits of a
/// half-precision number can explain (2^-9 of the largest reference value): the sums are right, the arithmetic is too
/// coarse.
std::optional<ValuePattern> low_precision(const Comparison& comparison);

/// The first of the above that applies, in that order.
std::optional<ValuePattern> explain_values(const Comparison& comparison);

}  // namespace cudalabs
