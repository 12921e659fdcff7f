// The matrices that record_products.cu gives to a GPU and the test to the virtual one: both make them here, out of the
// number of the instruction and of the tile. Nothing but the standard library, for nvcc compiles it as well.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace product_inputs {

struct Rng {
  std::uint64_t state;
  std::uint32_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::uint32_t>(state >> 32);
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((std::uint64_t{next()} * n) >> 32); }
};

/// How an element is coded. Floating-point numbers have a sign, `exponent_bits`, `fraction_bits` and below them
/// `unused_bits` that the tensor cores do not read.
struct Coding {
  const char* name;
  int bits;           // in memory
  int exponent_bits;  // 0: an integer
  int fraction_bits;
  int unused_bits;
};
constexpr Coding kF16{"f16", 16, 5, 10, 0}, kBf16{"bf16", 16, 8, 7, 0}, kTf32{"tf32", 32, 8, 10, 13},
    kF32{"f32", 32, 8, 23, 0}, kF64{"f64", 64, 11, 52, 0}, kS8{"s8", 8, 0, 0, 0}, kU8{"u8", 8, 0, 0, 0},
    kS32{"s32", 32, 0, 0, 0};

/// One form of `mma`: D (m x n) = A (m x k) * B (k x n) + C.
struct Form {
  int m, n, k;
  Coding a, b, c;  // D is coded as C
  bool saturates;
  std::string name() const {
    const std::string shape = "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
    const std::string names = std::string(c.name) + "." + a.name + "." + b.name + "." + c.name;
    return shape + ".row.col" + (saturates ? ".satfinite." : ".") + names;
  }
};

/// Matrices by rows, each element's bits.
struct Tile {
  std::vector<std::uint64_t> a, b, c;
};

/// What a tile's numbers are like.
enum class Likeness {
  near_one,      // exponents close together
  mixed,         // exponents far apart
  sparse,        // few products are not 0: shows what becomes of bits far below the largest
  subnormal,     // inputs subnormal, or nearly
  special,       // infinities and NaN among them
  cancelling,    // products come in pairs of opposite sign that differ little
  overflowing,   // near the largest number
  underflowing,  // near the smallest
  large_sum,     // C far above the products
  small_sum,     // C far below them
  count
};

inline std::uint64_t real(const Coding& coding, bool negative, std::int64_t exponent, std::uint64_t fraction) {
  const std::int64_t top = (std::int64_t{1} << coding.exponent_bits) - 1;
  if (exponent < 0) exponent = 0;
  if (exponent >= top) exponent = top - 1;
  const std::uint64_t kept = fraction & ((std::uint64_t{1} << coding.fraction_bits) - 1);
  const std::uint64_t bits = (std::uint64_t{negative} << coding.exponent_bits | static_cast<std::uint64_t>(exponent))
                                 << coding.fraction_bits |
                             kept;
  return bits << coding.unused_bits;
}

/// A number with its exponent, as it is coded, in [centre - spread, centre + spread]. Every fourth has few bits set.
inline std::uint64_t random_real(Rng& rng, const Coding& coding, std::int64_t centre, std::uint32_t spread) {
  const bool negative = (rng.next() >> 31) != 0;
  const std::int64_t exponent = centre - spread + rng.below(2 * spread + 1);
  std::uint64_t fraction = std::uint64_t{rng.next()} << 32 | rng.next();
  if (rng.below(4) == 0) fraction = rng.below(2) == 0 ? 0 : std::uint64_t{1} << rng.below(coding.fraction_bits);
  std::uint64_t bits = real(coding, negative, exponent, fraction);
  if (coding.unused_bits != 0) bits |= rng.below(2) == 0 ? 0 : rng.next() & ((1u << coding.unused_bits) - 1);
  return bits;
}

inline std::uint64_t random_special(Rng& rng, const Coding& coding) {
  const std::uint64_t infinity = ((std::uint64_t{1} << coding.exponent_bits) - 1)
                                 << (coding.fraction_bits + coding.unused_bits);
  const std::uint64_t negative = std::uint64_t{rng.below(2)} << (coding.bits - 1);
  if (rng.below(3) != 0) return infinity | negative;
  const std::uint64_t payload = std::uint64_t{1 + rng.below((1u << 7) - 1)};
  return infinity | negative | payload << (coding.fraction_bits - 7 + coding.unused_bits);
}

inline Tile real_tile(Rng& rng, const Form& form, Likeness likeness) {
  const std::int64_t one = (std::int64_t{1} << (form.a.exponent_bits - 1)) - 1;
  const std::int64_t sum_one = (std::int64_t{1} << (form.c.exponent_bits - 1)) - 1;
  const bool narrow = form.a.exponent_bits == 5;
  std::int64_t centre = one, sum_centre = sum_one;
  std::uint32_t spread = 3, sum_spread = 4;
  switch (likeness) {
    case Likeness::mixed:
      spread = narrow ? 9 : 12;
      sum_spread = narrow && form.c.exponent_bits == 5 ? 9 : 24;
      break;
    case Likeness::sparse:
      spread = narrow ? 9 : 14;
      sum_spread = form.c.exponent_bits == 5 ? 10 : 28;
      break;
    case Likeness::subnormal:
      centre = 0;
      spread = 2;
      sum_centre = narrow ? (form.c.exponent_bits == 5 ? 1 : sum_one - 28) : 1;
      break;
    case Likeness::overflowing:
      centre = narrow ? one + 8 : one + (one + 1) / 2;
      spread = 1;
      sum_centre = 2 * sum_one - (form.c.exponent_bits == 5 ? 1 : 3);
      break;
    case Likeness::underflowing:
      centre = narrow ? one - 12 : one - (one + 1) / 2 - 3;
      sum_centre = narrow && form.c.exponent_bits != 5 ? sum_one - 24 : 2;
      spread = narrow ? 2 : 6;
      break;
    case Likeness::large_sum:
      sum_centre = sum_one + (form.c.exponent_bits == 5 ? 10 : 22);
      break;
    case Likeness::small_sum:
      sum_centre = sum_one - (form.c.exponent_bits == 5 ? 10 : 20);
      break;
    default:
      break;
  }
  Tile tile;
  const int m = form.m, n = form.n, k = form.k;
  for (int i = 0; i < m * k; ++i) tile.a.push_back(random_real(rng, form.a, centre, spread));
  for (int i = 0; i < k * n; ++i) tile.b.push_back(random_real(rng, form.b, centre, spread));
  for (int i = 0; i < m * n; ++i) tile.c.push_back(random_real(rng, form.c, sum_centre, sum_spread));
  const std::uint64_t sign = std::uint64_t{1} << (form.a.bits - 1);
  if (likeness == Likeness::cancelling) {
    // Columns of A in pairs, nearly the same; rows of B in pairs, of opposite sign.
    const std::uint64_t last = std::uint64_t{1} << form.a.unused_bits;
    const int apart = rng.below(2) == 0 ? 1 : k / 2;
    for (int j = 0; j < k; ++j) {
      if ((j / apart) % 2 != 0) continue;
      for (int i = 0; i < m; ++i)
        tile.a[i * k + j + apart] = tile.a[i * k + j] ^ (rng.below(4) == 0 ? last << rng.below(3) : 0);
      for (int i = 0; i < n; ++i) tile.b[(j + apart) * n + i] = tile.b[j * n + i] ^ sign;
    }
    for (std::uint64_t& c : tile.c) {
      const std::uint32_t kind = rng.below(4);
      if (kind == 0) c = 0;
      if (kind == 1) c = random_real(rng, form.c, sum_one - (form.c.exponent_bits == 5 ? 9 : 20), 5);
    }
  }
  if (likeness == Likeness::sparse) {
    const std::uint32_t kept = 1 + rng.below(3);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < k; ++j)
        if (rng.below(k) >= kept) tile.a[i * k + j] &= rng.below(2) == 0 ? 0 : sign;
    for (std::uint64_t& c : tile.c)
      if (rng.below(5) == 0) c &= rng.below(2) == 0 ? 0 : std::uint64_t{1} << (form.c.bits - 1);
  }
  if (likeness == Likeness::special) {
    for (std::uint64_t& a : tile.a) {
      if (rng.below(m * k) < 3) a = random_special(rng, form.a);
      if (rng.below(m * k) < 3) a &= sign;
    }
    for (std::uint64_t& b : tile.b) {
      if (rng.below(k * n) < 2) b = random_special(rng, form.b);
      if (rng.below(k * n) < 3) b &= sign;
    }
    for (std::uint64_t& c : tile.c)
      if (rng.below(m * n) < 6) c = random_special(rng, form.c);
  }
  return tile;
}

inline Tile integer_tile(Rng& rng, const Form& form) {
  Tile tile;
  const bool extreme = rng.below(3) == 0;
  const auto byte = [&] { return extreme && rng.below(2) == 0 ? (rng.below(2) == 0 ? 0x80 : 0xff) : rng.below(256); };
  for (int i = 0; i < form.m * form.k; ++i) tile.a.push_back(byte());
  for (int i = 0; i < form.k * form.n; ++i) tile.b.push_back(byte());
  for (int i = 0; i < form.m * form.n; ++i) {
    const std::uint32_t c = rng.next();
    const std::uint32_t near = rng.below(200'000);
    const std::uint32_t kind = rng.below(4);
    tile.c.push_back(kind == 0 ? c : kind == 1 ? 0x7fffffffu - near : kind == 2 ? 0x80000000u + near : near - 100'000u);
  }
  return tile;
}

inline Tile tile_of(const Form& form, std::uint32_t index) {
  std::uint64_t seed = 1469598103934665603ull;
  for (const char letter : form.name()) seed = (seed ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
  Rng rng{seed + std::uint64_t{index} * 0x9E3779B97F4A7C15ull};
  for (int i = 0; i < 4; ++i) rng.next();
  if (form.a.exponent_bits == 0) return integer_tile(rng, form);
  return real_tile(rng, form, static_cast<Likeness>(index % static_cast<std::uint32_t>(Likeness::count)));
}

/// Where element `i` of a lane's fragment lies in its matrix (PTX ISA, "Matrix Fragments for mma").
struct Position {
  int row, column;
};
inline Position in_a(const Form& form, int lane, int i) {
  const int group = lane / 4, thread = lane % 4;
  const int in_word = form.a.bits >= 32 ? 1 : 32 / form.a.bits;
  const int word = i / in_word;
  const int row = form.m == 16 ? group + word % 2 * 8 : group;
  const int step = form.m == 16 ? word / 2 : word;
  return {row, thread * in_word + i % in_word + step * 4 * in_word};
}
inline Position in_b(const Form& form, int lane, int i) {
  const int in_word = form.b.bits >= 32 ? 1 : 32 / form.b.bits;
  return {lane % 4 * in_word + i % in_word + i / in_word * 4 * in_word, lane / 4};
}
inline Position in_c(const Form&, int lane, int i) {
  return {lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2};
}

inline std::vector<Form> forms() {
  std::vector<Form> all;
  for (const int k : {16, 8}) {
    all.push_back({16, 8, k, kF16, kF16, kF32, false});
    all.push_back({16, 8, k, kF16, kF16, kF16, false});
    all.push_back({16, 8, k, kBf16, kBf16, kF32, false});
  }
  for (const int k : {8, 4}) all.push_back({16, 8, k, kTf32, kTf32, kF32, false});
  all.push_back({8, 8, 4, kF64, kF64, kF64, false});
  for (const int k : {16, 32})
    for (const Coding& a : {kS8, kU8})
      for (const Coding& b : {kS8, kU8})
        for (const bool saturates : {false, true}) all.push_back({16, 8, k, a, b, kS32, saturates});
  for (const Coding& a : {kS8, kU8})
    for (const bool saturates : {false, true}) all.push_back({8, 8, 16, a, a, kS32, saturates});
  return all;
}

}  // namespace product_inputs
