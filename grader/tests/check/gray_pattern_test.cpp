// Grey pictures with wrong values: how the colours were read, and pictures about which nothing is said.
#include "check/detectors/gray_pattern.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;
using datasets::ElementType;

namespace {

constexpr std::int64_t kRows = 5, kColumns = 7, kPixels = kRows * kColumns;

std::vector<std::uint8_t> colours() {
  std::vector<std::uint8_t> rgb;
  for (int i = 0; i < 3 * kPixels; ++i) rgb.push_back(static_cast<std::uint8_t>(i * i * 31 + i * 7));
  return rgb;
}

int gray(int red, int green, int blue) {
  return (77 * red + 150 * green + 29 * blue + 128) / 256;
}

/// The name of what a picture with these values is explained by.
template <typename Value>
std::string found(const Value& value, const std::vector<std::uint8_t>& rgb = colours()) {
  datasets::Case test;
  test.inputs.push_back(array_of("rgb", ElementType::u8, {kRows, kColumns, 3}, rgb));
  datasets::ExpectedArray expected{"gray", ElementType::u8, {kRows, kColumns}, {}, {}};
  std::vector<std::uint8_t> got;
  for (std::size_t i = 0; i < kPixels; ++i) {
    expected.value.push_back(gray(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]));
    got.push_back(static_cast<std::uint8_t>(value(rgb, i)));
  }
  expected.bound.assign(kPixels, 0);
  test.expected.push_back(expected);
  const auto output = array_of("gray", ElementType::u8, {kRows, kColumns}, got);
  const auto detected = gray_of_wrong_colours(compare(output, expected), test, std::nullopt);
  return detected ? std::string(detected->name) : "";
}

}  // namespace

TEST_CASE("how the colours of a grey picture were read shows in its wrong values") {
  const auto as_signed = [](std::uint8_t byte) { return int{static_cast<std::int8_t>(byte)}; };
  CHECK(found([&](const auto& rgb, std::size_t i) {
          return gray(as_signed(rgb[3 * i]), as_signed(rgb[3 * i + 1]), as_signed(rgb[3 * i + 2]));
        }) == "gray_of_signed_bytes");
  const auto of_word = [&](const auto& rgb, std::size_t at) { return at % 4 == 3 ? as_signed(rgb[at]) : int{rgb[at]}; };
  CHECK(found([&](const auto& rgb, std::size_t i) {
          return gray(of_word(rgb, 3 * i), of_word(rgb, 3 * i + 1), of_word(rgb, 3 * i + 2));
        }) == "gray_of_signed_words");
  CHECK(found([&](const auto& rgb, std::size_t i) {  // another byte of the word
          return gray(i % 2 == 0 ? as_signed(rgb[3 * i]) : rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
        })
            .empty());
  CHECK(found([](const auto& rgb, std::size_t i) { return gray(rgb[3 * i + 2], rgb[3 * i + 1], rgb[3 * i]); }) ==
        "gray_red_and_blue_exchanged");
  CHECK(found([](const auto& rgb, std::size_t i) { return gray(rgb[i], rgb[i + kPixels], rgb[i + 2 * kPixels]); }) ==
        "gray_of_planes");
  CHECK(found([](const auto& rgb, std::size_t i) { return gray(rgb[i], rgb[i + 1], rgb[i + 2]); }) == "gray_of_bytes");
  CHECK(found([](const auto& rgb, std::size_t i) {
          return 77 * rgb[3 * i] / 256 + 150 * rgb[3 * i + 1] / 256 + 29 * rgb[3 * i + 2] / 256;
        }) == "gray_of_divided_terms");
  for (int half_in = 0; half_in < 3; ++half_in) {
    CHECK(found([half_in](const auto& rgb, std::size_t i) {
            return (77 * rgb[3 * i] + (half_in == 0 ? 128 : 0)) / 256 +
                   (150 * rgb[3 * i + 1] + (half_in == 1 ? 128 : 0)) / 256 +
                   (29 * rgb[3 * i + 2] + (half_in == 2 ? 128 : 0)) / 256;
          }) == "gray_of_divided_terms");
  }
  CHECK(found([](const auto& rgb, std::size_t i) {
          return (77 * rgb[3 * i] + 128) / 256 + (150 * rgb[3 * i + 1] + 128) / 256 + (29 * rgb[3 * i + 2] + 128) / 256;
        }) == "gray_of_divided_terms");
}

TEST_CASE("how a grey picture was rounded shows where it is wrong, and where it is not") {
  const auto sum = [](const auto& rgb, std::size_t i) {
    return 77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2];
  };
  const auto to_even = [&](const auto& rgb, std::size_t i) { return std::lrint(sum(rgb, i) / 256.0); };
  const auto dropped = [&](const auto& rgb, std::size_t i) { return sum(rgb, i) / 256; };
  std::vector<std::uint8_t> halves = colours();  // with pixels whose exact value is 38.5
  for (std::size_t i = 0; i < 12; i += 3) {
    halves[i] = 128;
    halves[i + 1] = halves[i + 2] = 0;
  }
  CHECK(found(to_even, halves) == "gray_of_halves_to_even");
  CHECK(found(dropped, halves) == "gray_of_dropped_rest");
  CHECK(found(dropped) == "gray_of_dropped_rest");
  // In too few pixels it may be chance.
  CHECK(found(to_even).empty());
  // Some that would be wrong are right.
  CHECK(found([&](const auto& rgb, std::size_t i) {
          return i < 20 ? dropped(rgb, i) : (sum(rgb, i) + 128) / 256;
        }).empty());
}

TEST_CASE("weights with decimals show where the picture is wrong, and where it is not") {
  const auto weighed = [](float red, float green, float blue, float half) {
    return [=](const auto& rgb, std::size_t i) {
      return red * rgb[3 * i] + green * rgb[3 * i + 1] + blue * rgb[3 * i + 2] + half;
    };
  };
  CHECK(found(weighed(0.299f, 0.587f, 0.114f, 0)) == "gray_of_decimal_weights");
  CHECK(found(weighed(0.2126f, 0.7152f, 0.0722f, 0.5f)) == "gray_of_decimal_weights");
  CHECK(found(weighed(0.21f, 0.72f, 0.07f, 0)) == "gray_of_decimal_weights");
  CHECK(found(weighed(0.25f, 0.5f, 0.25f, 0.5f)).empty());
  // The formula itself, in `float`.
  CHECK(found(weighed(77.f / 256, 150.f / 256, 29.f / 256, 0.5f)).empty());
}

TEST_CASE("of a grey picture that is wrong in another way nothing is said") {
  const auto right = [](const auto& rgb, std::size_t i) { return gray(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]); };
  CHECK(found(right).empty());
  CHECK(found([&](const auto& rgb, std::size_t i) { return right(rgb, i) + 1; }).empty());
  // One pixel that does not fit is enough.
  CHECK(found([&](const auto& rgb, std::size_t i) {
          return i == 9 ? right(rgb, i) + 3 : gray(rgb[3 * i + 2], rgb[3 * i + 1], rgb[3 * i]);
        }).empty());
}
