// A grey picture with wrong values: how its colours were read and weighed.
#include "check/detectors/gray_pattern.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "datasets/array.h"

namespace cudalabs {
namespace {

constexpr int kRed = 77, kGreen = 150, kBlue = 29, kHalf = 128, kOne = 256;

using Bytes = std::vector<std::uint8_t>;

int weighed(int red, int green, int blue) {
  return kRed * red + kGreen * green + kBlue * blue + kHalf;
}
int as_signed(std::uint8_t byte) {
  return static_cast<std::int8_t>(byte);
}
/// What a byte keeps.
int stored(int value) {
  return static_cast<std::uint8_t>(value);
}

/// What the mistake makes of a pixel; -1 where that depends on what is behind the picture.
struct Mistake {
  std::string_view name;
  int (*value)(const Bytes& rgb, std::size_t pixel);
};

int of_signed_bytes(const Bytes& rgb, std::size_t pixel) {
  const std::size_t at = 3 * pixel;
  return stored(weighed(as_signed(rgb[at]), as_signed(rgb[at + 1]), as_signed(rgb[at + 2])) / kOne);
}
/// The same by a shift, which rounds down.
int of_shifted_signed_bytes(const Bytes& rgb, std::size_t pixel) {
  const std::size_t at = 3 * pixel;
  return stored(weighed(as_signed(rgb[at]), as_signed(rgb[at + 1]), as_signed(rgb[at + 2])) >> 8);
}
/// Bytes of words of four, read as signed ones: the highest of a word keeps the sign when it is shifted down.
int of_signed_words(const Bytes& rgb, std::size_t pixel) {
  const auto colour = [&](std::size_t at) { return at % 4 == 3 ? as_signed(rgb[at]) : int{rgb[at]}; };
  const std::size_t at = 3 * pixel;
  return stored(weighed(colour(at), colour(at + 1), colour(at + 2)) / kOne);
}
int of_shifted_signed_words(const Bytes& rgb, std::size_t pixel) {
  const auto colour = [&](std::size_t at) { return at % 4 == 3 ? as_signed(rgb[at]) : int{rgb[at]}; };
  const std::size_t at = 3 * pixel;
  return stored(weighed(colour(at), colour(at + 1), colour(at + 2)) >> 8);
}
int of_blue_and_red(const Bytes& rgb, std::size_t pixel) {
  const std::size_t at = 3 * pixel;
  return stored(weighed(rgb[at + 2], rgb[at + 1], rgb[at]) / kOne);
}
int of_planes(const Bytes& rgb, std::size_t pixel) {
  const std::size_t pixels = rgb.size() / 3;
  return stored(weighed(rgb[pixel], rgb[pixels + pixel], rgb[2 * pixels + pixel]) / kOne);
}
int of_bytes(const Bytes& rgb, std::size_t pixel) {
  if (pixel + 2 >= rgb.size()) return -1;
  return stored(weighed(rgb[pixel], rgb[pixel + 1], rgb[pixel + 2]) / kOne);
}
int of_divided_terms(const Bytes& rgb, std::size_t pixel) {
  const std::size_t at = 3 * pixel;
  return stored(kRed * rgb[at] / kOne + kGreen * rgb[at + 1] / kOne + kBlue * rgb[at + 2] / kOne);
}

/// The same with the half in one of the terms.
template <int kHalfIn>
int of_divided_terms_and_half(const Bytes& rgb, std::size_t pixel) {
  const std::size_t at = 3 * pixel;
  const std::array<int, 3> weights{kRed, kGreen, kBlue};
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    const std::size_t term = static_cast<std::size_t>(i);
    sum += (weights[term] * rgb[at + term] + (i == kHalfIn ? kHalf : 0)) / kOne;
  }
  return stored(sum);
}
/// Each term is rounded to the nearest.
int of_rounded_terms(const Bytes& rgb, std::size_t pixel) {
  const std::size_t at = 3 * pixel;
  return stored((kRed * rgb[at] + kHalf) / kOne + (kGreen * rgb[at + 1] + kHalf) / kOne +
                (kBlue * rgb[at + 2] + kHalf) / kOne);
}

/// The sum of the products, without the half that rounds.
int without_half(const Bytes& rgb, std::size_t pixel) {
  return weighed(rgb[3 * pixel], rgb[3 * pixel + 1], rgb[3 * pixel + 2]) - kHalf;
}
int of_dropped_rest(const Bytes& rgb, std::size_t pixel) {
  return without_half(rgb, pixel) / kOne;
}
/// As `rint` and `__float2int_rn` do.
int of_halves_to_even(const Bytes& rgb, std::size_t pixel) {
  const int sum = without_half(rgb, pixel), below = sum / kOne;
  return below + (sum % kOne > kHalf || (sum % kOne == kHalf && below % 2 == 1) ? 1 : 0);
}

/// Decimal weights, of that many to one, whose sum is rounded to the nearest, or cut off. -1 where a `float` may come
/// out on either side.
template <int kOfRed, int kOfGreen, int kOfBlue, bool kRounded>
int of_decimal_weights(const Bytes& rgb, std::size_t pixel) {
  constexpr int kWhole = kOfRed + kOfGreen + kOfBlue;
  const std::size_t at = 3 * pixel;
  const int sum = kOfRed * rgb[at] + kOfGreen * rgb[at + 1] + kOfBlue * rgb[at + 2] + (kRounded ? kWhole / 2 : 0);
  return sum % kWhole == 0 ? -1 : sum / kWhole;
}

/// Of roundings and weights, which differ in few pixels: no pixel is right in which the mistake would show.
constexpr std::array<Mistake, 8> kRoundings{{{"gray_of_halves_to_even", of_halves_to_even},
                                             {"gray_of_dropped_rest", of_dropped_rest},
                                             {"gray_of_decimal_weights", of_decimal_weights<299, 587, 114, true>},
                                             {"gray_of_decimal_weights", of_decimal_weights<299, 587, 114, false>},
                                             {"gray_of_decimal_weights", of_decimal_weights<2126, 7152, 722, true>},
                                             {"gray_of_decimal_weights", of_decimal_weights<2126, 7152, 722, false>},
                                             {"gray_of_decimal_weights", of_decimal_weights<21, 72, 7, true>},
                                             {"gray_of_decimal_weights", of_decimal_weights<21, 72, 7, false>}}};

constexpr std::array<Mistake, 12> kMistakes{{{"gray_of_signed_bytes", of_signed_bytes},
                                             {"gray_of_signed_bytes", of_shifted_signed_bytes},
                                             {"gray_of_signed_words", of_signed_words},
                                             {"gray_of_signed_words", of_shifted_signed_words},
                                             {"gray_red_and_blue_exchanged", of_blue_and_red},
                                             {"gray_of_planes", of_planes},
                                             {"gray_of_bytes", of_bytes},
                                             {"gray_of_divided_terms", of_divided_terms},
                                             {"gray_of_divided_terms", of_divided_terms_and_half<0>},
                                             {"gray_of_divided_terms", of_divided_terms_and_half<1>},
                                             {"gray_of_divided_terms", of_divided_terms_and_half<2>},
                                             {"gray_of_divided_terms", of_rounded_terms}}};

bool fits(const Mistake& mistake, const Comparison& comparison, const Bytes& rgb) {
  std::int64_t confirmed = 0;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    const int value = mistake.value(rgb, static_cast<std::size_t>(i));
    if (value < 0) continue;
    if (comparison.at(i).got != value) return false;
    ++confirmed;
  }
  return confirmed >= kEnough;
}

bool fits_everywhere(const Mistake& mistake, const Comparison& comparison, const Bytes& rgb) {
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    const int value = mistake.value(rgb, static_cast<std::size_t>(i));
    if (value >= 0 && comparison.at(i).got != value) return false;
  }
  return comparison.count(Fault::wrong) >= kEnough;
}

}  // namespace

std::optional<Detected> gray_of_wrong_colours(const Comparison& comparison, const datasets::Case& test,
                                              std::optional<BlockShape>) {
  const auto input = std::ranges::find(test.inputs, "rgb", &datasets::Array::name);
  const bool is_gray = comparison.name == "gray" && !comparison.misfit && input != test.inputs.end() &&
                       input->type == datasets::ElementType::u8 && input->elements() == 3 * comparison.elements();
  if (!is_gray) return std::nullopt;
  const Bytes rgb = datasets::values_of<std::uint8_t>(*input);
  for (const Mistake& mistake : kRoundings) {
    if (fits_everywhere(mistake, comparison, rgb)) return Detected{mistake.name};
  }
  for (const Mistake& mistake : kMistakes) {
    if (fits(mistake, comparison, rgb)) return Detected{mistake.name};
  }
  return std::nullopt;
}

namespace {

const RegisterDetector kGray({{"gray_of_signed_bytes", {}, {{CauseLine::Kind::signed_type}}},
                              {"gray_of_signed_words", {}, {{CauseLine::Kind::signed_word}}},
                              {"gray_red_and_blue_exchanged"},
                              {"gray_of_planes"},
                              {"gray_of_bytes"},
                              {"gray_of_divided_terms"},
                              {"gray_of_halves_to_even"},
                              {"gray_of_dropped_rest"},
                              {"gray_of_decimal_weights"}},
                             gray_of_wrong_colours);

}  // namespace

}  // namespace cudalabs
