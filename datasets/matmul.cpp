// How the operands are made, and why the bound is what it is.
#include "datasets/matmul.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "datasets/array.h"
#include "datasets/coarse_bits.h"
#include "datasets/parameters.h"
#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestMatrixSide = std::int64_t{1} << 17, kMostMatrixElements = std::int64_t{1} << 26;
constexpr double kBoundFactor = 0.51;
constexpr double kEps = std::numeric_limits<float>::epsilon();
constexpr double kSmallestNormal = std::numeric_limits<float>::min();

}  // namespace

// Let u = eps/2 = 2^-24 be the largest relative error of one rounding. However the n products are summed (in a row, in
// tiles, as a tree, into several accumulators, by atomics), a term goes through one rounding of its own and through at
// most n - 1 additions; adding zero, as a padded tile does, is exact. So it is off by at most a factor (1 + u)^n, and
//
//   |computed - exact| <= g · Σ|a||b|,   g = n·u / (1 - n·u)
//
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1, which also covers any order). A fused
// multiply-add leaves out one of the roundings, so it only gets closer. With n <= 2^17, n·u <= 2^-7 and
// g <= n · eps · 0.5 / (1 - 2^-7) = 0.504 · n · eps. The reference itself, summed in double, is off by 2^-29 times as
// much, which 0.51 has room for. The smallest normal number covers results that a device flushes to zero.
// No correct program can exceed this, so nothing is added for comfort: what goes beyond it is not single precision.
double matmul_bound(std::int64_t n, double sum_abs) {
  return kBoundFactor * static_cast<double>(n) * kEps * sum_abs + kSmallestNormal;
}

MatmulReference matmul_reference(std::span<const float> a, std::span<const float> b, std::int64_t m, std::int64_t n,
                                 std::int64_t p) {
  if (static_cast<std::int64_t>(a.size()) != elements_of(std::array{m, n}) ||
      static_cast<std::int64_t>(b.size()) != elements_of(std::array{n, p})) {
    throw std::invalid_argument("matrix product: an operand has the wrong number of elements");
  }
  MatmulReference reference;
  reference.value.assign(static_cast<std::size_t>(m * p), 0.0);
  std::vector<double> sum_abs(static_cast<std::size_t>(m * p), 0.0);
  // The inner loop runs along rows of B and C, so that all three are read in the order they lie in.
  for (std::int64_t row = 0; row < m; ++row) {
    double* value = reference.value.data() + row * p;
    double* abs = sum_abs.data() + row * p;
    for (std::int64_t k = 0; k < n; ++k) {
      const double factor = a[static_cast<std::size_t>(row * n + k)];
      const float* b_row = b.data() + k * p;
      for (std::int64_t col = 0; col < p; ++col) {
        const double product = factor * b_row[col];
        value[col] += product;
        abs[col] += std::abs(product);
      }
    }
  }
  reference.bound.reserve(sum_abs.size());
  for (const double sum : sum_abs) reference.bound.push_back(matmul_bound(n, sum));
  return reference;
}

// Every value is sign · row scale · column scale · noise:
// - each row and each column has a scale of its own, so that exchanged indices, strides or operands change the result
//   everywhere and not only by the noise;
// - each row has its own share of negative values, an eighth to a half: sums have an offset, and some nearly cancel;
// - one value in 61 is an outlier, 16 times as large: the reference must not live on averages;
// - no value is near zero, so that a term that is left out is missed; but of matrices with more than 64 elements one in
//   67 is zero, which is no reason to end a sum.
std::vector<float> matmul_operand(std::uint64_t seed, std::string_view name, std::int64_t rows, std::int64_t columns) {
  Rng rng(seed, name), zeros(seed, std::string(name) + "/zeros");
  const std::uint64_t one_in = rows * columns > 64 ? 67 : 0;
  std::vector<double> column_scale;
  for (std::int64_t col = 0; col < columns; ++col) column_scale.push_back(rng.uniform(0.75, 1.5));
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    const double row_scale = rng.uniform(0.75, 1.5);
    const double negative_share = rng.uniform(0.125, 0.5);
    for (std::int64_t col = 0; col < columns; ++col) {
      double value = row_scale * column_scale[static_cast<std::size_t>(col)] * rng.uniform(0.5, 1.5);
      if (rng.below(61) == 0) value *= 16;
      if (rng.uniform() < negative_share) value = -value;
      values.push_back(make_cut_visible(value, rng));
      if (one_in != 0 && zeros.below(one_in) == 0) values.back() = 0;
    }
  }
  return values;
}

Case matmul_case(const CaseSpec& spec, std::uint64_t seed) {
  const auto side = [&](std::string_view name) { return parameter(spec, name, 1, kLargestMatrixSide); };
  const std::int64_t m = side("m"), n = side("n"), p = side("p");
  if (std::max({m * n, n * p, m * p}) > kMostMatrixElements)
    throw std::invalid_argument(spec.name + ": a matrix has more than 2^26 elements");
  only_parameters(spec, {"m", "n", "p"});
  Case test;
  test.spec = spec;
  test.spec.seed = spec.seed.value_or(seed);
  const std::vector<float> a = matmul_operand(*test.spec.seed, spec.name + "/a", m, n);
  const std::vector<float> b = matmul_operand(*test.spec.seed, spec.name + "/b", n, p);
  test.inputs.push_back(make_array<float>("a", {m, n}, a));
  test.inputs.push_back(make_array<float>("b", {n, p}, b));
  MatmulReference reference = matmul_reference(a, b, m, n, p);
  test.expected.push_back({"c", ElementType::f32, {m, p}, std::move(reference.value), std::move(reference.bound)});
  return test;
}

namespace {
const RegisterGenerator kMatrixProduct("matrix_product", matmul_case);
}  // namespace

}  // namespace cudalabs::datasets
