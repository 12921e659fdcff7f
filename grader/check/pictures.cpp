// Arrays of two dimensions as pictures.
#include "check/pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "datasets/array.h"

namespace cudalabs {
namespace {

using datasets::ElementType;
using datasets::Picture;
using Color = std::array<std::uint8_t, 3>;

constexpr Color kWrong{214, 31, 31}, kUnwritten{36, 98, 214}, kNonfinite{170, 40, 190};

/// From the smallest finite value, black, to the largest, white; without the lowest and the highest fiftieth, which may
/// be far from all others.
class Scale {
 public:
  explicit Scale(std::span<const double> values) {
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite), [](double value) { return std::isfinite(value); });
    if (finite.empty()) return;
    const auto rank = [&](std::size_t place) {
      std::ranges::nth_element(finite, finite.begin() + static_cast<std::ptrdiff_t>(place));
      return finite[place];
    };
    const std::size_t left_out = finite.size() / 50;
    low_ = rank(left_out);
    high_ = rank(finite.size() - 1 - left_out);
    if (high_ > low_) return;
    low_ = rank(0);
    high_ = rank(finite.size() - 1);
  }
  /// Bytes are brightness already.
  Scale() : low_(0), high_(255) {}

  std::uint8_t of(double value) const {
    if (!(high_ > low_)) return 128;
    // Halves first: the difference of two large numbers may not be a number.
    const double share = (value / 2 - low_ / 2) / (high_ / 2 - low_ / 2);
    return static_cast<std::uint8_t>(std::clamp(share, 0.0, 1.0) * 255 + 0.5);
  }

 private:
  double low_ = 0, high_ = 0;
};

Scale scale_of(ElementType type, std::span<const double> values) {
  return type == ElementType::u8 ? Scale() : Scale(values);
}

std::vector<double> numbers_of(const datasets::Array& array) {
  const auto widened = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  switch (array.type) {
    case ElementType::f32:
      return widened(datasets::values_of<float>(array));
    case ElementType::f64:
      return datasets::values_of<double>(array);
    case ElementType::i32:
      return widened(datasets::values_of<std::int32_t>(array));
    case ElementType::u8:
      return widened(datasets::values_of<std::uint8_t>(array));
  }
  return {};
}

bool has_pixels(const std::vector<std::int64_t>& shape) {
  return shape.size() >= 2 && shape[0] > 0 && shape[1] > 0;
}

void put(Picture& picture, std::size_t pixel, const Color& color) {
  std::ranges::copy(color, picture.bytes.begin() + static_cast<std::ptrdiff_t>(3 * pixel));
}

Color grey(std::uint8_t brightness) {
  return {brightness, brightness, brightness};
}

Color color_of(Fault fault, std::uint8_t expected) {
  switch (fault) {
    case Fault::none:
      break;
    case Fault::wrong:
    case Fault::touched:
      return kWrong;
    case Fault::unwritten:
      return kUnwritten;
    case Fault::nonfinite:
      return kNonfinite;
  }
  return grey(static_cast<std::uint8_t>(170 + expected / 3));  // pale: the picture can be recognised, faults stand out
}

}  // namespace

std::optional<Picture> drawn(const datasets::Array& array) {
  if (!has_pixels(array.shape)) return std::nullopt;
  const bool colors = array.shape.size() == 3 && array.shape[2] == 3 && array.type == ElementType::u8;
  if (array.shape.size() != 2 && !colors) return std::nullopt;
  Picture picture{array.shape[1], array.shape[0], colors ? 3 : 1, {}};
  const std::vector<double> numbers = numbers_of(array);
  const Scale scale = scale_of(array.type, numbers);
  for (const double number : numbers) picture.bytes.push_back(std::isfinite(number) ? scale.of(number) : 0);
  return picture;
}

std::optional<OutputPictures> drawn(const Comparison& comparison) {
  if (!has_pixels(comparison.shape) || comparison.shape.size() != 2) return std::nullopt;
  if (comparison.misfit || !comparison.questions.empty()) return std::nullopt;
  const std::size_t pixels = comparison.expected.size();
  Picture blank{comparison.shape[1], comparison.shape[0], 3, std::vector<std::uint8_t>(3 * pixels)};
  OutputPictures pictures{blank, blank, blank};
  const Scale scale = scale_of(comparison.type, comparison.expected);
  for (std::size_t i = 0; i < pixels; ++i) {
    const std::uint8_t expected = scale.of(comparison.expected[i]);
    put(pictures.expected, i, grey(expected));
    put(pictures.got, i, std::isfinite(comparison.got[i]) ? grey(scale.of(comparison.got[i])) : kNonfinite);
    put(pictures.wrong, i, color_of(comparison.fault[i], expected));
  }
  return pictures;
}

Picture enlarged(const Picture& picture, std::int64_t side) {
  constexpr std::int64_t kMost = 32;
  const std::int64_t longer = std::max(picture.width, picture.height);
  const std::int64_t times = std::clamp<std::int64_t>((side + longer - 1) / longer, 1, kMost);
  Picture large{picture.width * times, picture.height * times, picture.channels, {}};
  large.bytes.reserve(picture.bytes.size() * static_cast<std::size_t>(times * times));
  for (std::int64_t row = 0; row < large.height; ++row) {
    for (std::int64_t col = 0; col < large.width; ++col) {
      const auto pixel = static_cast<std::ptrdiff_t>((row / times * picture.width + col / times) * picture.channels);
      const auto first = picture.bytes.begin() + pixel;
      large.bytes.insert(large.bytes.end(), first, first + picture.channels);
    }
  }
  return large;
}

}  // namespace cudalabs
