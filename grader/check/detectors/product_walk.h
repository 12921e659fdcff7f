// A sum of products that a submission may have computed in the place of the right one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/detectors/product_pattern.h"

namespace cudalabs {

/// How a submission may walk through the operands.
struct Walk {
  std::int64_t terms;               // products summed
  std::int64_t a_stride, b_stride;  // elements from one row to the next
  std::int64_t first = 0;           // of the products
};

/// The sum that `walk` gives for one element of C; nothing when it leaves an operand.
std::optional<double> sum_of(const Product& product, const Walk& walk, std::int64_t row, std::int64_t column);

/// How many elements of the sample are what the walk gives; nothing: one of them is not. Those for which the walk
/// leaves an operand do not count.
std::optional<std::int64_t> confirmed_by(const Product& product, const Walk& walk, const Comparison& comparison,
                                         const std::vector<std::int64_t>& sample);

/// No element contradicts, and enough of them are what the walk gives.
bool walk_explains(const Product& product, const Walk& walk, const Comparison& comparison,
                   const std::vector<std::int64_t>& sample);

}  // namespace cudalabs
