// Arrays as pictures: brightness, colours, and maps of faults.
#include "check/pictures.h"

#include <limits>

#include "catch.h"
#include "datasets/answer_digest.h"
#include "make.h"

using namespace cudalabs;
using namespace cudalabs::test;
using datasets::ElementType;
using datasets::Picture;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes pixel(const Picture& picture, std::size_t index) {
  const auto first =
      picture.bytes.begin() + static_cast<std::ptrdiff_t>(index * static_cast<std::size_t>(picture.channels));
  return {first, first + picture.channels};
}

}  // namespace

TEST_CASE("bytes are drawn as they are, numbers by their range") {
  const auto rgb = drawn(array_of<std::uint8_t>("rgb", ElementType::u8, {1, 2, 3}, {1, 2, 3, 250, 251, 252}));
  REQUIRE(rgb);
  CHECK(*rgb == Picture{2, 1, 3, {1, 2, 3, 250, 251, 252}});
  const auto grey = drawn(array_of<std::uint8_t>("grey", ElementType::u8, {2, 1}, {7, 9}));
  REQUIRE(grey);
  CHECK(*grey == Picture{1, 2, 1, {7, 9}});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto numbers = drawn(array_of<float>("a", ElementType::f32, {2, 2}, {-1, 3, 1, nan}));
  REQUIRE(numbers);
  CHECK(*numbers == Picture{2, 2, 1, {0, 255, 128, 0}});
  const auto flat = drawn(array_of<float>("a", ElementType::f32, {1, 2}, {4, 4}));
  REQUIRE(flat);
  CHECK(flat->bytes == Bytes{128, 128});
  const double most = std::numeric_limits<double>::max();
  const auto wide = drawn(array_of<double>("a", ElementType::f64, {1, 3}, {-most, 0, most}));
  REQUIRE(wide);
  CHECK(wide->bytes == Bytes{0, 128, 255});
}

TEST_CASE("a few numbers far from all others leave the range to the others") {
  std::vector<float> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  values[7] = 1e30f;
  values[8] = -1e30f;
  const auto numbers = drawn(array_of<float>("a", ElementType::f32, {10, 10}, values));
  REQUIRE(numbers);
  CHECK(numbers->bytes[7] == 255);
  CHECK(numbers->bytes[8] == 0);
  CHECK(numbers->bytes[1] < 5);
  CHECK(numbers->bytes[98] > 250);
  CHECK(numbers->bytes[50] > 120);
  CHECK(numbers->bytes[50] < 135);
  std::vector<float> flat(100, 4);
  flat[3] = 5;
  const auto one = drawn(array_of<float>("a", ElementType::f32, {10, 10}, flat));
  REQUIRE(one);
  CHECK(one->bytes[3] == 255);
  CHECK(one->bytes[4] == 0);
}

TEST_CASE("arrays without two dimensions are no pictures") {
  CHECK_FALSE(drawn(array_of<float>("a", ElementType::f32, {3}, {1, 2, 3})));
  CHECK_FALSE(drawn(array_of<float>("a", ElementType::f32, {1, 1, 3}, {1, 2, 3})));
  CHECK_FALSE(drawn(array_of<std::uint8_t>("a", ElementType::u8, {1, 1, 4}, {1, 2, 3, 4})));
  CHECK_FALSE(drawn(array_of<float>("a", ElementType::f32, {0, 3}, {})));
  CHECK_FALSE(drawn(array_of<float>("a", ElementType::f32, {}, {1})));
}

TEST_CASE("an output is drawn in the expected one's range, and its faults in colours") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  datasets::ExpectedArray expected =
      expected_matrix(1, 5, [](auto, auto column) { return static_cast<double>(column); });
  datasets::Array got = float_matrix("c", 1, 5, [](auto, auto column) { return static_cast<double>(column); });
  float values[] = {0, 9, nan, 3, 4};
  std::memcpy(got.data.data(), values, sizeof values);
  std::memset(got.data.data() + 4 * sizeof(float), kPoisonByte, sizeof(float));
  const auto pictures = drawn(compare(got, expected));
  REQUIRE(pictures);
  CHECK(pixel(pictures->expected, 4) == Bytes{255, 255, 255});
  CHECK(pixel(pictures->got, 0) == Bytes{0, 0, 0});
  CHECK(pixel(pictures->got, 1) == Bytes{255, 255, 255});  // brighter than anything expected
  CHECK(pixel(pictures->got, 2) == Bytes{170, 40, 190});
  CHECK(pixel(pictures->wrong, 0) == Bytes{170, 170, 170});
  CHECK(pixel(pictures->wrong, 1) == Bytes{214, 31, 31});
  CHECK(pixel(pictures->wrong, 2) == Bytes{170, 40, 190});
  CHECK(pixel(pictures->wrong, 3) == Bytes{233, 233, 233});
  CHECK(pixel(pictures->wrong, 4) == Bytes{36, 98, 214});
}

TEST_CASE("outputs that are missing, secret or of one dimension are not drawn") {
  datasets::ExpectedArray expected = expected_matrix(1, 2);
  CHECK_FALSE(drawn(missing_output(expected)));
  expected.questions = {{"one", ""}, {"two", ""}};
  const datasets::RegisterAnswers answers({{"one", ""}, {"two", ""}});
  CHECK_FALSE(drawn(compare(float_matrix("c", 1, 2), expected)));
  expected = expected_matrix(1, 2);
  expected.shape = {2};
  datasets::Array got = float_matrix("c", 1, 2);
  got.shape = {2};
  CHECK_FALSE(drawn(compare(got, expected)));
}

TEST_CASE("small pictures are enlarged, large ones are not") {
  const Picture small{2, 1, 1, {1, 2}};
  CHECK(enlarged(small, 4) == Picture{4, 2, 1, {1, 1, 2, 2, 1, 1, 2, 2}});
  CHECK(enlarged(small, 3).width == 4);
  CHECK(enlarged(small, 1) == small);
  CHECK(enlarged(small).width == 64);  // 32 times, no more
  const Picture color{1, 2, 3, {1, 2, 3, 4, 5, 6}};
  CHECK(enlarged(color, 4) ==
        Picture{2, 4, 3, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6, 4, 5, 6}});
}
