// Matrix products as test data: inputs that no shortcut survives, the product in double, and how far off one may be.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// A dense row-major matrix product: `value` = A·B, `bound` as matmul_bound() says; both rows × columns of the product.
struct MatmulReference {
  std::vector<double> value;
  std::vector<double> bound;
};

/// The largest error of an inner product of length n in single precision, where `sum_abs` is Σ|a||b| over its n terms:
///
///   0.51 · n · eps · Σ|a||b| + smallest normal,   eps = 2^-23
///
/// for 1 <= n <= 2^17. See matmul.cpp for the derivation.
double matmul_bound(std::int64_t n, double sum_abs);

/// A (m×n) times B (n×p), summed in double. Throws std::invalid_argument when a span's size is not its matrix's.
MatmulReference matmul_reference(std::span<const float> a, std::span<const float> b, std::int64_t m, std::int64_t n,
                                 std::int64_t p);

/// A rows × columns matrix from the stream `name` of `seed`, row-major; see matmul.cpp for how its values are made.
std::vector<float> matmul_operand(std::uint64_t seed, std::string_view name, std::int64_t rows, std::int64_t columns);

/// The Generator of matrix-product labs: parameters m, n, p (each 1 … 8192); inputs "a" (m×n) and "b" (n×p); expected
/// "c".
Case matmul_case(const CaseSpec& spec, std::uint64_t seed);

}  // namespace cudalabs::datasets
