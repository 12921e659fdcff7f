// Matrix-product data: the reference is right, the bound lets every honest sum pass and no short cut, and the operands
// give away every wrong index.
#include "datasets/matmul.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "catch.h"
#include "datasets/array.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;

namespace {

struct Product {
  std::int64_t m, n, p;
  std::vector<float> a, b;
  MatmulReference reference;
};

Product product(std::int64_t m, std::int64_t n, std::int64_t p, std::uint64_t seed = 1) {
  Product result{m, n, p, matmul_operand(seed, "a", m, n), matmul_operand(seed, "b", n, p), {}};
  result.reference = matmul_reference(result.a, result.b, m, n, p);
  return result;
}

/// How many elements of `c` the bound refuses, by the comparison a grader makes.
std::size_t refused(const Product& product, const std::vector<float>& c) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double error = std::abs(static_cast<double>(c[i]) - product.reference.value[i]);
    count += !(error <= product.reference.bound[i]) ? 1 : 0;
  }
  return count;
}

/// C by `dot`, which gets the n terms' factors in order.
using Dot = std::function<float(const std::vector<float>&, const std::vector<float>&)>;
std::vector<float> multiply(const Product& product, const Dot& dot) {
  std::vector<float> c;
  for (std::int64_t row = 0; row < product.m; ++row) {
    for (std::int64_t col = 0; col < product.p; ++col) {
      std::vector<float> x, y;
      for (std::int64_t k = 0; k < product.n; ++k) {
        x.push_back(product.a[static_cast<std::size_t>(row * product.n + k)]);
        y.push_back(product.b[static_cast<std::size_t>(k * product.p + col)]);
      }
      c.push_back(dot(x, y));
    }
  }
  return c;
}

float dot_in_order(const std::vector<float>& x, const std::vector<float>& y) {
  float sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const volatile float rounded = x[k] * y[k];  // volatile: the product is rounded before it is added
    sum += rounded;
  }
  return sum;
}

float dot_fused(const std::vector<float>& x, const std::vector<float>& y) {
  float sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum = std::fma(x[k], y[k], sum);
  return sum;
}

float dot_backwards(const std::vector<float>& x, const std::vector<float>& y) {
  float sum = 0;
  for (std::size_t k = x.size(); k-- > 0;) sum = std::fma(x[k], y[k], sum);
  return sum;
}

float dot_as_tree(const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<float> terms(x.size());
  std::transform(x.begin(), x.end(), y.begin(), terms.begin(), std::multiplies<>());
  while (terms.size() > 1) {
    for (std::size_t i = 0; i < terms.size() / 2; ++i) terms[i] = terms[2 * i] + terms[2 * i + 1];
    if (terms.size() % 2 != 0) terms[terms.size() / 2] = terms.back();
    terms.resize((terms.size() + 1) / 2);
  }
  return terms[0];
}

/// All positive terms first: the worst order for cancellation.
float dot_sorted(const std::vector<float>& x, const std::vector<float>& y) {
  std::vector<float> terms(x.size());
  std::transform(x.begin(), x.end(), y.begin(), terms.begin(), std::multiplies<>());
  std::ranges::sort(terms, std::greater<>());
  return std::accumulate(terms.begin(), terms.end(), 0.0f);
}

float with_significand_bits(float value, int bits, bool to_nearest) {
  const std::uint32_t drop = 1u << (23 - bits);
  std::uint32_t pattern = std::bit_cast<std::uint32_t>(value);
  if (to_nearest) pattern += drop / 2;
  return std::bit_cast<float>(pattern & ~(drop - 1));
}

/// Operands cut to `bits` of significand, summed in single precision as tensor cores do. 10 bits: TF32, and half
/// precision too, whose narrower exponent range these operands stay within.
Dot dot_short(int bits, bool to_nearest) {
  return [=](const std::vector<float>& x, const std::vector<float>& y) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      sum += static_cast<double>(with_significand_bits(x[k], bits, to_nearest)) *
             with_significand_bits(y[k], bits, to_nearest);
    }
    return static_cast<float>(sum);
  };
}

struct Shape {
  std::int64_t m, n, p;
};

}  // namespace

TEST_CASE("the reference is the product, in rows and columns") {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6}, b = {7, -8, 9, 10, -11, 12};
  const MatmulReference reference = matmul_reference(a, b, 2, 3, 2);
  CHECK(reference.value == std::vector<double>{7 + 18 - 33, -8 + 20 + 36, 28 + 45 - 66, -32 + 50 + 72});
  REQUIRE(reference.bound.size() == 4);
  CHECK(reference.bound[0] == matmul_bound(3, 7 + 18 + 33));
  CHECK(reference.bound[3] == matmul_bound(3, 32 + 50 + 72));
}

TEST_CASE("operands that are not their matrices are refused") {
  const std::vector<float> six(6), five(5);
  CHECK_THROWS_AS(matmul_reference(five, six, 2, 3, 2), std::invalid_argument);
  CHECK_THROWS_AS(matmul_reference(six, five, 2, 3, 2), std::invalid_argument);
}

TEST_CASE("the bound is the formula of its header, and never zero") {
  CHECK(matmul_bound(100, 3.0) == Approx(0.51 * 100 * 0x1p-23 * 3.0).epsilon(1e-12));
  CHECK(matmul_bound(100, 0.0) == std::numeric_limits<float>::min());
  // It covers n·u / (1 - n·u) up to the length it promises.
  const double u = 0x1p-24;
  for (std::int64_t n = 1; n <= 1 << 17; n *= 2) {
    const double nu = static_cast<double>(n) * u;
    CHECK(matmul_bound(n, 1.0) >= nu / (1 - nu) * (1 + 0x1p-20));
  }
}

TEST_CASE("every honest way to sum passes") {
  const Shape shape = GENERATE(Shape{1, 1, 1}, Shape{97, 131, 113}, Shape{5, 1, 7}, Shape{3, 2, 3}, Shape{16, 160, 16},
                               Shape{4, 1024, 4}, Shape{2, 8192, 3});
  CAPTURE(shape.m, shape.n, shape.p);
  const Product test = product(shape.m, shape.n, shape.p);
  CHECK(refused(test, multiply(test, dot_in_order)) == 0);
  CHECK(refused(test, multiply(test, dot_fused)) == 0);
  CHECK(refused(test, multiply(test, dot_backwards)) == 0);
  CHECK(refused(test, multiply(test, dot_as_tree)) == 0);
  CHECK(refused(test, multiply(test, dot_sorted)) == 0);
}

TEST_CASE("an adversary who rounds each operation the worst way stays at the bound, not far below") {
  // One term repeated, each rounding upwards: the error approaches n·u. It shows that the bound has no slack to hide
  // in.
  const std::int64_t n = 64;
  double computed = 0, exact = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    exact += 1.0;
    computed = (computed + 1.0 * (1 + 0x1p-24)) * (k == 0 ? 1 : 1 + 0x1p-24);
  }
  const double error = computed - exact;
  CHECK(error <= matmul_bound(n, exact));
  CHECK(error > matmul_bound(n, exact) / 3);
}

TEST_CASE("short cuts in half precision and TF32 fail, for sums of thousands of terms too") {
  const Shape shape = GENERATE(Shape{1, 1, 1}, Shape{7, 5, 3}, Shape{32, 32, 32}, Shape{97, 131, 113},
                               Shape{32, 512, 32}, Shape{8, 2048, 16});
  CAPTURE(shape.m, shape.n, shape.p);
  const Product test = product(shape.m, shape.n, shape.p);
  const std::size_t elements = test.reference.value.size();
  for (const bool to_nearest : {false, true}) {
    CAPTURE(to_nearest);
    CHECK(refused(test, multiply(test, dot_short(10, to_nearest))) * 4 > elements);
    CHECK(refused(test, multiply(test, dot_short(7, to_nearest))) * 4 > elements);
  }
}

TEST_CASE("the operands stay within half precision's range, so that only its significand fails it") {
  for (const float value : matmul_operand(3, "a", 200, 200)) {
    REQUIRE(std::abs(value) < 65504);
    REQUIRE((value == 0 || std::abs(value) > 0x1p-14));
  }
}

TEST_CASE("the operands have signs, outliers, and rows and columns that differ") {
  constexpr std::int64_t kRows = 120, kColumns = 90;
  const std::vector<float> values = matmul_operand(3, "a", kRows, kColumns);
  REQUIRE(values.size() == kRows * kColumns);
  const auto negative = std::ranges::count_if(values, [](float value) { return value < 0; });
  CHECK(negative > kRows * kColumns / 8);
  CHECK(negative < kRows * kColumns / 2);
  const auto outliers = std::ranges::count_if(values, [](float value) { return std::abs(value) > 3.375f; });
  CHECK(outliers > kRows * kColumns / 122);
  CHECK(outliers < kRows * kColumns / 30);
  // Zeros are no reason to end a sum, and few enough for a term that is left out to be missed.
  const auto zeros = std::ranges::count(values, 0.0f);
  CHECK(zeros > kRows * kColumns / 134);
  CHECK(zeros < kRows * kColumns / 33);
  CHECK(std::ranges::count(matmul_operand(3, "a", 8, 8), 0.0f) == 0);
  // Means of magnitudes, over rows and over columns: those of neighbours differ by far more than the noise of a mean.
  const auto spread = [&](std::int64_t count, std::int64_t length, auto index) {
    double low = 1e9, high = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      std::vector<double> magnitudes;
      for (std::int64_t k = 0; k < length; ++k)
        magnitudes.push_back(std::abs(values[static_cast<std::size_t>(index(i, k))]));
      std::ranges::nth_element(magnitudes, magnitudes.begin() + length / 2);
      low = std::min(low, magnitudes[static_cast<std::size_t>(length / 2)]);
      high = std::max(high, magnitudes[static_cast<std::size_t>(length / 2)]);
    }
    return high / low;
  };
  CHECK(spread(kRows, kColumns, [](std::int64_t row, std::int64_t k) { return row * kColumns + k; }) > 1.5);
  CHECK(spread(kColumns, kRows, [](std::int64_t col, std::int64_t k) { return k * kColumns + col; }) > 1.5);
}

TEST_CASE("every wrong index is seen") {
  const Shape shape = GENERATE(Shape{16, 16, 16}, Shape{32, 64, 96}, Shape{33, 65, 97}, Shape{7, 5, 3});
  CAPTURE(shape.m, shape.n, shape.p);
  const Product test = product(shape.m, shape.n, shape.p);
  const auto by_index = [&](auto index_a, auto index_b, std::int64_t terms) {
    std::vector<float> c;
    for (std::int64_t row = 0; row < test.m; ++row) {
      for (std::int64_t col = 0; col < test.p; ++col) {
        double sum = 0;
        for (std::int64_t k = 0; k < terms; ++k) {
          sum += static_cast<double>(test.a[static_cast<std::size_t>(index_a(row, k)) % test.a.size()]) *
                 test.b[static_cast<std::size_t>(index_b(k, col)) % test.b.size()];
        }
        c.push_back(static_cast<float>(sum));
      }
    }
    return c;
  };
  const auto right_a = [&](auto row, auto k) { return row * test.n + k; };
  const auto right_b = [&](auto k, auto col) { return k * test.p + col; };
  const std::size_t most = test.reference.value.size() * 9 / 10;
  REQUIRE(refused(test, by_index(right_a, right_b, test.n)) == 0);
  CHECK(refused(test, by_index([&](auto row, auto k) { return k * test.m + row; }, right_b, test.n)) >
        most);  // A transposed
  CHECK(refused(test, by_index(
                          right_a, [&](auto k, auto col) { return col * test.n + k; }, test.n)) >
        most);                                                          // B transposed
  CHECK(refused(test, by_index(right_a, right_b, test.n - 1)) > most);  // the last term left out
  CHECK(refused(test, by_index([&](auto row, auto k) { return right_a(row, k) + 1; }, right_b, test.n)) > most);
  if (test.n != test.m) {
    CHECK(refused(test, by_index([&](auto row, auto k) { return row * test.m + k; }, right_b, test.n)) * 10 > most);
  }
  if (test.n != test.p) {
    CHECK(refused(test, by_index(
                            right_a, [&](auto k, auto col) { return k * test.n + col; }, test.n)) *
              10 >
          most);
  }
  // C transposed: right numbers in the wrong places.
  std::vector<float> transposed;
  for (std::int64_t row = 0; row < test.m; ++row) {
    for (std::int64_t col = 0; col < test.p; ++col) {
      const std::size_t at = static_cast<std::size_t>(col * test.m + row) % test.reference.value.size();
      transposed.push_back(static_cast<float>(test.reference.value[at]));
    }
  }
  CHECK(refused(test, transposed) * 10 > most);
}

TEST_CASE("a case is the same bytes each time, and another for every seed and name") {
  const CaseSpec spec{"x", "x", {{"m", 4}, {"n", 5}, {"p", 6}}, {}};
  const Case first = matmul_case(spec, 1), again = matmul_case(spec, 1), other_seed = matmul_case(spec, 2);
  CHECK(first.inputs[0].data == again.inputs[0].data);
  CHECK(first.inputs[1].data == again.inputs[1].data);
  CHECK(first.expected[0].value == again.expected[0].value);
  CHECK(first.inputs[0].data != other_seed.inputs[0].data);
  const CaseSpec renamed{"y", "x", spec.parameters, {}};
  CHECK(first.inputs[0].data != matmul_case(renamed, 1).inputs[0].data);
  CHECK(first.spec.seed == 1u);

  // The bytes themselves, so that a change of compiler, machine or generator is noticed.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte byte : first.inputs[0].data) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  CHECK(hash == 0xdc332f1320e3a6a8u);
}

TEST_CASE("a seed in the spec wins over the lab's") {
  CaseSpec spec{"x", "x", {{"m", 4}, {"n", 5}, {"p", 6}}, {}};
  spec.seed = 9;
  const Case hidden = matmul_case(spec, 1);
  CHECK(hidden.spec.seed == 9u);
  spec.seed.reset();
  CHECK(hidden.inputs[0].data == matmul_case(spec, 9).inputs[0].data);
}

TEST_CASE("parameters that make no matrices are refused by name") {
  const auto with = [](std::map<std::string, std::int64_t> parameters) {
    return CaseSpec{"x", "x", std::move(parameters), {}};
  };
  CHECK(contains(message_of([&] { matmul_case(with({{"m", 4}, {"n", 5}}), 1); }), "`p` is missing"));
  CHECK(contains(message_of([&] { matmul_case(with({{"m", 0}, {"n", 5}, {"p", 5}}), 1); }), "`m` is 0"));
  CHECK(contains(message_of([&] { matmul_case(with({{"m", 4}, {"n", 131073}, {"p", 5}}), 1); }), "`n` is 131073"));
  CHECK(contains(message_of([&] { matmul_case(with({{"m", 65536}, {"n", 2}, {"p", 65536}}), 1); }), "2^26"));
  CHECK(contains(message_of([&] { matmul_case(with({{"m", 4}, {"n", -5}, {"p", 5}}), 1); }), "`n` is -5"));
  CHECK(contains(message_of([&] { matmul_case(with({{"m", 4}, {"n", 5}, {"p", 5}, {"q", 1}}), 1); }), "parameter `q`"));
}
