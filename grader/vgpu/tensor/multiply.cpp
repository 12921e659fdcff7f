// What tensor cores compute.
#include "vgpu/tensor/multiply.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

namespace cudalabs::vgpu::tensor {

namespace {

constexpr std::uint32_t kMostElements = 512;
constexpr std::uint32_t kMostDepth = 32;
constexpr std::int32_t kExponentOfZero = -4096;  // below all others, also in a product

/// How floating-point numbers are coded.
struct Coding {
  std::int32_t exponent_bits, fraction_bits, unused_bits;
  std::int32_t bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

Coding coding_of(Element element) {
  switch (element) {
    case Element::f16:
      return {5, 10, 0};
    case Element::bf16:
      return {8, 7, 0};
    case Element::tf32:
      return {8, 10, 13};
    default:
      return {8, 23, 0};
  }
}

enum class Kind : std::uint8_t { finite, infinite, nan };

/// significand * 2 ^ (exponent - fraction bits); of a subnormal number the exponent is the lowest.
struct Number {
  Kind kind = Kind::finite;
  bool negative = false;
  std::int32_t exponent = kExponentOfZero;
  std::int32_t significand = 0;
};

Number number(const Coding& coding, std::uint64_t bits) {
  bits >>= coding.unused_bits;
  const auto top = (1u << coding.exponent_bits) - 1;
  const auto fraction = static_cast<std::int32_t>(bits & ((1u << coding.fraction_bits) - 1));
  const auto exponent = static_cast<std::uint32_t>(bits >> coding.fraction_bits) & top;
  Number made;
  made.negative = (bits >> (coding.fraction_bits + coding.exponent_bits) & 1) != 0;
  if (exponent == top) {
    made.kind = fraction == 0 ? Kind::infinite : Kind::nan;
    return made;
  }
  if (exponent == 0 && fraction == 0) return made;
  made.exponent = static_cast<std::int32_t>(std::max(exponent, 1u)) - coding.bias();
  made.significand = exponent == 0 ? fraction : fraction | 1 << coding.fraction_bits;
  return made;
}

std::uint64_t sign_of(const Coding& coding) {
  return std::uint64_t{1} << (coding.exponent_bits + coding.fraction_bits);
}
std::uint64_t infinity_of(const Coding& coding, bool negative) {
  const std::uint64_t infinity = ((std::uint64_t{1} << coding.exponent_bits) - 1) << coding.fraction_bits;
  return infinity | (negative ? sign_of(coding) : 0);
}
/// The one in results.
std::uint64_t nan_of(const Coding& coding) {
  return sign_of(coding) - 1;
}

/// magnitude * 2 ^ exponent.
struct Sum {
  bool negative = false;
  std::uint64_t magnitude = 0;
  std::int32_t exponent = 0;
};

enum class Round : std::uint8_t { to_zero, to_nearest };

/// The bits of the number; what is too large is infinite.
std::uint64_t coded(const Coding& coding, const Sum& sum, Round round) {
  const std::uint64_t sign = sum.negative ? sign_of(coding) : 0;
  if (sum.magnitude == 0) return sign;
  const std::int32_t least = 1 - coding.bias() - coding.fraction_bits;  // the exponent of a subnormal's last bit
  const auto width = static_cast<std::int32_t>(std::bit_width(sum.magnitude));
  const std::int32_t last = std::max(sum.exponent + width - 1 - coding.fraction_bits, least);
  const std::int32_t dropped = last - sum.exponent;
  std::uint64_t kept = 0;
  if (dropped <= 0) {
    kept = sum.magnitude << -dropped;
  } else if (dropped < 64) {
    kept = sum.magnitude >> dropped;
    const std::uint64_t rest = sum.magnitude & ((std::uint64_t{1} << dropped) - 1);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    if (round == Round::to_nearest && (rest > half || (rest == half && (kept & 1) != 0))) ++kept;
  }
  // A carry out of the fraction makes the exponent one larger all by itself.
  const std::uint64_t bits = kept + (static_cast<std::uint64_t>(last - least) << coding.fraction_bits);
  return sign | std::min(bits, infinity_of(coding, false));
}

/// A row of A or a column of B, ready to be multiplied.
struct Line {
  std::array<std::int32_t, kMostDepth> significand{}, exponent{};
  bool finite = true;
};

/// How the products of a type are summed up.
struct Adder {
  std::uint32_t products;      // that are added at once, and C to them
  std::int32_t fraction_bits;  // that are kept of each, below the exponent of the largest
};

Adder adder_of(const Product& product) {
  if (product.a != Element::tf32) return {16, 25};
  // wmma is made of products with k = 4.
  return product.shape.n == 16 ? Adder{4, 25} : Adder{8, 25};
}

/// The products and C, each cut off after the adder's last bit.
Sum add(const Adder& adder, const Line& a, const Line& b, std::uint32_t first, std::uint32_t count,
        std::int32_t input_fraction_bits, const Number& c, std::int32_t c_fraction_bits) {
  std::array<std::int32_t, kMostDepth> product{}, exponent{};
  std::int32_t largest = c.exponent;
  for (std::uint32_t i = 0; i < count; ++i) {
    product[i] = a.significand[first + i] * b.significand[first + i];
    exponent[i] = a.exponent[first + i] + b.exponent[first + i];
    largest = std::max(largest, exponent[i]);
  }
  const std::int32_t up = adder.fraction_bits - 2 * input_fraction_bits;
  std::int64_t total = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int64_t shifted = std::int64_t{std::abs(product[i])} << up;
    const std::int64_t kept = shifted >> std::min(largest - exponent[i], 63);
    total += product[i] < 0 ? -kept : kept;
  }
  const std::int64_t addend =
      (std::int64_t{c.significand} << (adder.fraction_bits - c_fraction_bits)) >> std::min(largest - c.exponent, 63);
  total += c.negative ? -addend : addend;
  return {total < 0, static_cast<std::uint64_t>(std::abs(total)), largest - adder.fraction_bits};
}

/// A sum that is 0, or rounded to it, has no sign.
std::uint64_t without_sign_of_zero(const Coding& coding, std::uint64_t bits) {
  return (bits & (sign_of(coding) - 1)) == 0 ? 0 : bits;
}

/// The sum where infinities or NaN are among the operands. NaN has one coding in results.
std::uint64_t special(const Coding& a_coding, const Coding& c_coding, const Product& product, const std::uint64_t* a,
                      const std::uint64_t* b, std::uint64_t c) {
  bool up = false, down = false, nan = false;
  const auto count = [&](Kind kind, bool negative) {
    nan = nan || kind == Kind::nan;
    if (kind == Kind::infinite) (negative ? down : up) = true;
  };
  for (std::uint32_t k = 0; k < product.shape.k; ++k) {
    const Number x = number(a_coding, a[k]), y = number(a_coding, b[std::size_t{k} * product.shape.n]);
    nan = nan || x.kind == Kind::nan || y.kind == Kind::nan;
    if (x.kind != Kind::infinite && y.kind != Kind::infinite) continue;
    const auto is_zero = [](const Number& z) { return z.kind == Kind::finite && z.significand == 0; };
    count(is_zero(x) || is_zero(y) ? Kind::nan : Kind::infinite, x.negative != y.negative);
  }
  const Number addend = number(c_coding, c);
  count(addend.kind, addend.negative);
  return nan || (up && down) ? nan_of(c_coding) : infinity_of(c_coding, down);
}

void multiply_reals(const Product& product, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
                    std::uint64_t* d) {
  const auto [m, n, k] = product.shape;
  const Coding in = coding_of(product.a), sum = coding_of(product.c);
  const Round round = product.c == Element::f16 ? Round::to_nearest : Round::to_zero;
  const Adder adder = adder_of(product);
  std::array<Line, 32> rows, columns;
  const auto read = [&](Line& line, std::uint32_t at, std::uint64_t bits) {
    const Number x = number(in, bits);
    line.significand[at] = x.negative ? -x.significand : x.significand;
    line.exponent[at] = x.exponent;
    line.finite = line.finite && x.kind == Kind::finite;
  };
  for (std::uint32_t i = 0; i < m; ++i) {
    for (std::uint32_t j = 0; j < k; ++j) read(rows[i], j, a[i * k + j]);
  }
  for (std::uint32_t j = 0; j < k; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) read(columns[i], j, b[j * n + i]);
  }
  for (std::uint32_t i = 0; i < m; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      Number addend = number(sum, c[i * n + j]);
      if (!rows[i].finite || !columns[j].finite || addend.kind != Kind::finite) {
        d[i * n + j] = special(in, sum, product, a + i * k, b + j, c[i * n + j]);
        continue;
      }
      // All are finite but the sum of the first products, which may be infinite and then stays so.
      for (std::uint32_t first = 0; first < k && addend.kind == Kind::finite; first += adder.products) {
        const Sum total = add(adder, rows[i], columns[j], first, std::min(adder.products, k - first), in.fraction_bits,
                              addend, sum.fraction_bits);
        d[i * n + j] = without_sign_of_zero(sum, coded(sum, total, round));
        addend = number(sum, d[i * n + j]);
      }
    }
  }
}

/// A number of one coding in another one.
std::uint64_t converted(const Coding& from, const Coding& to, std::uint64_t bits) {
  const Number x = number(from, bits);
  if (x.kind == Kind::nan) return nan_of(to);
  if (x.kind == Kind::infinite) return infinity_of(to, x.negative);
  return coded(to, {x.negative, static_cast<std::uint64_t>(x.significand), x.exponent - from.fraction_bits},
               Round::to_nearest);
}

/// Where C and D are of different types the sums are of f32, and one of the two is converted.
void multiply_with_conversion(const Product& product, const std::uint64_t* a, const std::uint64_t* b,
                              const std::uint64_t* c, std::uint64_t* d) {
  if (product.c == product.d) return multiply_reals(product, a, b, c, d);
  const std::size_t count = std::size_t{product.shape.m} * product.shape.n;
  const auto convert = [&](const std::uint64_t* from, std::uint64_t* to, Element have, Element want) {
    for (std::size_t i = 0; i < count; ++i)
      to[i] = have == want ? from[i] : converted(coding_of(have), coding_of(want), from[i]);
  };
  Product in_f32 = product;
  in_f32.c = in_f32.d = Element::f32;
  std::array<std::uint64_t, kMostElements> sums{};
  convert(c, sums.data(), product.c, Element::f32);
  multiply_reals(in_f32, a, b, sums.data(), sums.data());
  convert(sums.data(), d, Element::f32, product.d);
}

std::int64_t integer(Element element, std::uint64_t bits) {
  switch (element) {
    case Element::s8:
      return static_cast<std::int8_t>(bits);
    case Element::u8:
      return static_cast<std::uint8_t>(bits);
    default:
      return static_cast<std::int32_t>(bits);
  }
}

void multiply_integers(const Product& product, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
                       std::uint64_t* d) {
  using Limits = std::numeric_limits<std::int32_t>;
  const auto [m, n, k] = product.shape;
  for (std::uint32_t i = 0; i < m; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      std::int64_t total = integer(product.c, c[i * n + j]);
      for (std::uint32_t at = 0; at < k; ++at)
        total += integer(product.a, a[i * k + at]) * integer(product.b, b[at * n + j]);
      if (product.saturates) total = std::clamp<std::int64_t>(total, Limits::min(), Limits::max());
      d[i * n + j] = static_cast<std::uint32_t>(total);
    }
  }
}

/// Of NaN among the operands the bits of `b` remain, else those of the addend, and become quiet.
double multiply_add(double a, double b, double addend) {
  constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51, kFromNumbers = std::uint64_t{0xFFF8} << 48;
  for (const double operand : {b, addend, a}) {
    if (std::isnan(operand)) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(operand) | kQuiet);
  }
  const double sum = std::fma(a, b, addend);
  return std::isnan(sum) ? std::bit_cast<double>(kFromNumbers) : sum;
}

void multiply_doubles(const Product& product, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
                      std::uint64_t* d) {
  const auto [m, n, k] = product.shape;
  for (std::uint32_t i = 0; i < m; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      auto total = std::bit_cast<double>(c[i * n + j]);
      for (std::uint32_t at = 0; at < k; ++at)
        total = multiply_add(std::bit_cast<double>(a[i * k + at]), std::bit_cast<double>(b[at * n + j]), total);
      d[i * n + j] = std::bit_cast<std::uint64_t>(total);
    }
  }
}

}  // namespace

void multiply(const Product& product, const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* c,
              std::uint64_t* d) {
  switch (product.a) {
    case Element::f64:
      return multiply_doubles(product, a, b, c, d);
    case Element::s8:
    case Element::u8:
      return multiply_integers(product, a, b, c, d);
    default:
      return multiply_with_conversion(product, a, b, c, d);
  }
}

}  // namespace cudalabs::vgpu::tensor
