// Random numbers that are the same everywhere, and bit patterns that arithmetic finds interesting.
#include "random_source.h"

#include "bits.h"
#include "rounded.h"

namespace cudalabs::reference {

std::uint64_t interesting_integer(RandomSource& random) {
  switch (random.below(6)) {
    case 0:
      return random.below(5);
    case 1:
      return 0 - random.below(5);
    case 2:
      return (std::uint64_t{1} << random.below(64)) + random.below(3) - 1;
    case 3:
      return 0 - ((std::uint64_t{1} << random.below(64)) + random.below(3) - 1);
    case 4:
      return random.below(100000);
    default:
      return random.bits();
  }
}

std::uint64_t interesting_float(RandomSource& random, unsigned width) {
  const Format format = width == 16 ? kHalf : width == 32 ? kSingle : kDouble;
  const std::uint64_t sign = random.chance(50) ? format.sign() : 0;
  const std::uint64_t fraction = random.bits() & (format.infinity() ^ (format.sign() - 1));
  const auto with_exponent = [&](std::int64_t exponent) {
    return sign | static_cast<std::uint64_t>(format.bias() + exponent) << format.fraction_bits | fraction;
  };
  switch (random.below(12)) {
    case 0:
      return sign;
    case 1:
      return sign | format.infinity();
    case 2:
      return sign | format.infinity() | (fraction == 0 ? 1 : fraction);
    case 3:
      return sign | fraction;  // subnormal
    case 4:
      return sign | (format.infinity() - 1 - random.below(3));  // near the largest
    case 5:
      return sign | ((std::uint64_t{1} << format.fraction_bits) + random.below(3) - 1);  // near the smallest normal
    case 6:
      return round_into(format, sign != 0, random.below(200), 0, Rounding::nearest);
    case 7:
      return round_into(format, sign != 0, random.below(200), -1, Rounding::nearest);
    case 8:
    case 9:
    case 10:
      return with_exponent(static_cast<std::int64_t>(random.below(14)) - 7);
    default:
      return truncate(random.bits(), width);
  }
}

}  // namespace cudalabs::reference
