#include "check/detectors/product_walk.h"

#include "check/tolerance.h"

namespace cudalabs {

std::optional<double> sum_of(const Product& product, const Walk& walk, std::int64_t row, std::int64_t column) {
  double sum = 0;
  for (std::int64_t k = walk.first; k < walk.first + walk.terms; ++k) {
    const std::int64_t a = row * walk.a_stride + k, b = k * walk.b_stride + column;
    if (a >= product.m * product.n || b >= product.n * product.p) return std::nullopt;
    sum += static_cast<double>(operand_value(*product.a, a)) * operand_value(*product.b, b);
  }
  return sum;
}

std::optional<std::int64_t> confirmed_by(const Product& product, const Walk& walk, const Comparison& comparison,
                                         const std::vector<std::int64_t>& sample) {
  std::int64_t confirmed = 0;
  for (const std::int64_t index : sample) {
    const auto sum = sum_of(product, walk, index / product.p, index % product.p);
    if (!sum) continue;
    const Element element = comparison.at(index);
    if (!within(element.got, *sum, element.bound)) return std::nullopt;
    ++confirmed;
  }
  return confirmed;
}

bool walk_explains(const Product& product, const Walk& walk, const Comparison& comparison,
                   const std::vector<std::int64_t>& sample) {
  return confirmed_by(product, walk, comparison, sample).value_or(0) >= kEnough;
}

}  // namespace cudalabs
