// The generator `picture`: a picture of floats and one in colour, drawn with shading, rings, edges and noise, so that
// no row or column is like another; and the launch quiz.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "datasets/answer_digest.h"
#include "datasets/array.h"
#include "datasets/dataset.h"
#include "datasets/parameters.h"
#include "datasets/picture.h"
#include "datasets/rng.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLongestSide = std::int64_t{1} << 21, kMostPixels = std::int64_t{4096} * 4096;

/// A ringed disc on a shaded ground: brightness 0 to 1 at (x, y), each from 0 to 1. Only operations that round alike on
/// every machine.
double brightness(double x, double y, double phase) {
  const double distance = std::sqrt((x - 0.55) * (x - 0.55) + (y - 0.45) * (y - 0.45));
  if (distance >= 0.33) return 0.15 + 0.5 * x + 0.2 * y;
  const double turns = 6 * distance + phase;
  return 0.3 + 0.65 * std::abs(2 * (turns - std::floor(turns)) - 1);
}

std::uint8_t as_byte(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(value * 255 + 0.5), 0.0, 255.0));
}

/// As picture.h has it: in integers, rounded to the nearest.
int gray_of(const std::array<std::uint8_t, 3>& color) {
  return (77 * color[0] + 150 * color[1] + 29 * color[2] + 128) / 256;
}

/// Blocks of 16 × 16 threads over 72 × 62 pixels: a case without pictures, so that no kernel can spoil it. Students get
/// this file, so the answers are not in it.
Case quiz_case(const CaseSpec& spec, std::uint64_t seed) {
  parameter(spec, "quiz", 1, 1);
  only_parameters(spec, {"quiz"});
  ExpectedArray quiz{"quiz", ElementType::i32, {5}, {}, {}};
  quiz.questions = {
      {"quiz_blocks_x", "72 columns, 16 a block: do so many blocks reach the last column, and is each of them needed?"},
      {"quiz_blocks_y", "62 rows, 16 a block: do so many blocks reach the last row, and is each of them needed?"},
      {"quiz_blocks", "the blocks form a rectangle: those along x times those along y"},
      {"quiz_threads", "each block has 16 × 16 threads, also at the edge"},
      {"quiz_idle_threads", "each of the 72 · 62 pixels keeps one thread busy; how many are left?"}};
  quiz.value.assign(quiz.questions.size(), std::numeric_limits<double>::quiet_NaN());
  quiz.bound.assign(quiz.questions.size(), 0.0);
  Case test;
  test.spec = spec;
  test.spec.seed = spec.seed.value_or(seed);
  test.expected.push_back(std::move(quiz));
  return test;
}

/// The case in which `picture` is to be doubled and `rgb` to be made grey.
Case case_of(const CaseSpec& spec, std::int64_t width, std::int64_t height, const std::vector<float>& picture,
             const std::vector<std::uint8_t>& rgb) {
  Case test;
  test.spec = spec;
  test.spec.parameters["quiz"] = 0;  // the runner asks what kind of case it is, and which function it calls first
  test.spec.parameters.emplace("gray_first", 0);
  ExpectedArray doubled{"doubled", ElementType::f32, {height, width}, {}, {}};
  for (const float value : picture) doubled.value.push_back(2.0 * value);  // exact: only the exponent changes
  ExpectedArray gray{"gray", ElementType::u8, {height, width}, {}, {}};
  for (std::size_t i = 0; i < rgb.size(); i += 3) gray.value.push_back(gray_of({rgb[i], rgb[i + 1], rgb[i + 2]}));
  doubled.bound.assign(doubled.value.size(), 0.0);
  gray.bound.assign(gray.value.size(), 0.0);
  test.inputs.push_back(make_array<float>("picture", {height, width}, picture));
  test.inputs.push_back(make_array<std::uint8_t>("rgb", {height, width, 3}, rgb));
  test.expected.push_back(std::move(doubled));
  test.expected.push_back(std::move(gray));
  return test;
}

/// Values that are not of a picture as a screen shows it, in pictures of more than 64 pixels: one in 67 is a zero, of
/// either sign, or subnormal, where twice a value is no matter of its exponent alone; one in 61 is far outside of what
/// a byte holds, where a limit shows.
void add_special_values(std::vector<float>& picture, Rng small, Rng large) {
  constexpr std::array kSmall = {0.0f, -0.0f, 0x1.8p-140f, -0x1p-127f};
  constexpr std::array kLarge = {-130.75f, 200.5f, 1000.25f, -70000.5f, 3e9f, -1e18f};
  if (picture.size() <= 64) return;
  for (float& value : picture) {
    if (small.below(67) == 0) value = kSmall.at(small.below(kSmall.size()));
    if (large.below(61) == 0) value = kLarge.at(large.below(kLarge.size()));
  }
}

Case picture_case(const CaseSpec& spec, std::uint64_t seed) {
  const std::int64_t width = parameter(spec, "width", 1, kLongestSide);
  const std::int64_t height = parameter(spec, "height", 1, std::min(kLongestSide, kMostPixels / width));
  if (spec.parameters.contains("gray_first")) parameter(spec, "gray_first", 0, 1);
  only_parameters(spec, {"width", "height", "gray_first"});
  CaseSpec seeded = spec;
  seeded.seed = spec.seed.value_or(seed);
  Rng rng(*seeded.seed, spec.name + "/picture");
  std::vector<float> picture;
  std::vector<std::uint8_t> rgb;
  for (std::int64_t row = 0; row < height; ++row) {
    for (std::int64_t col = 0; col < width; ++col) {
      const double x = (static_cast<double>(col) + 0.5) / static_cast<double>(width);
      const double y = (static_cast<double>(row) + 0.5) / static_cast<double>(height);
      picture.push_back(static_cast<float>(brightness(x, y, 0) - 0.4 + 0.2 * rng.uniform()));
      for (int channel = 0; channel < 3; ++channel) {
        rgb.push_back(as_byte(brightness(x, y, channel / 3.0) + 0.2 * (rng.uniform() - 0.5)));
      }
    }
  }
  add_special_values(picture, Rng(*seeded.seed, spec.name + "/special"), Rng(*seeded.seed, spec.name + "/large"));
  return case_of(seeded, width, height, picture, rgb);
}

/// A person's picture: in colour as it is, in floats its brightness from 0 to 1.
Case photo_case(const CaseSpec& spec, const Picture& photo) {
  CaseSpec sized = spec;
  sized.parameters = {{"width", photo.width}, {"height", photo.height}};
  std::vector<float> picture;
  for (std::size_t i = 0; i < photo.bytes.size(); i += 3) {
    picture.push_back(static_cast<float>(gray_of({photo.bytes[i], photo.bytes[i + 1], photo.bytes[i + 2]})) / 255.0f);
  }
  return case_of(sized, photo.width, photo.height, picture, photo.bytes);
}

Case lab2_case(const CaseSpec& spec, std::uint64_t seed) {
  return spec.parameters.contains("quiz") ? quiz_case(spec, seed) : picture_case(spec, seed);
}

const RegisterAnswers kAnswers({{"quiz_blocks_x", "5c7959ebd0d4c614749c2059f21db383"},
                                {"quiz_blocks_y", "87e60fd67abf04952238ce48be2cbd5a"},
                                {"quiz_blocks", "e12c19773df19a111d120f241ded9744"},
                                {"quiz_threads", "282af10085e9df3ae26a4eb47128d1d6"},
                                {"quiz_idle_threads", "26ca444c249bf0971b020ebb09587c67"}});
const RegisterMiscounts kMiscounts(
    {{"quiz_blocks_x",
      {{"cdff96de20bae4fd5225587c4034285b",
        "the division is rounded down, which leaves the last columns without a block"}}},
     {"quiz_blocks_y",
      {{"6167e60bb58582550a3da1d925803ba8",
        "the division is rounded down, which leaves the last rows without a block"}}},
     {"quiz_blocks",
      {{"de5b9f6e99564a9df48b6677c8401768", "the two numbers of blocks are added"},
       {"839ef6d9a9aa0f226774fcbeaf05faf3", "both divisions are rounded down"},
       {"0726c01f847c98fd3348fe74e673a196",
        "the pixels are divided by the threads of a block, although blocks at the edges are not full"},
       {"b7e090579d13c62018fcb4a811514152",
        "the pixels are divided by the threads of a block, although blocks at the edges are not full"}}},
     {"quiz_threads",
      {{"7e5b4b6c95c9bbe6fa12e24b3170c58d", "only the threads that have a pixel are counted"},
       {"f678631e540efa66127475ee2ecc5ab2", "each block is counted as one row of threads"}}},
     {"quiz_idle_threads",
      {{"042580a79eeb0d475b6dd3c1b31b551e", "threads that are past both the last column and the last row are left out"},
       {"2eb4a141b8f852f77293d23affd6238a",
        "threads that are past both the last column and the last row are counted twice"},
       {"8fe07fdb1e3092cdabe116af5117521f", "only the threads past the last column are counted"},
       {"aca89d182383a6e82c0f9903ecf19d26", "only the threads past the last column are counted, and of them not all"},
       {"1729aef1d8a64f2a9fc860ea08d2571a", "only the threads past the last row are counted"},
       {"0abee4bae73bf084d3dc41ce708f16e5", "only the threads past the last row are counted, and of them not all"},
       {"47a7d74a63d003fac6fb110140ae1921",
        "only the threads that are past both the last column and the last row are counted"},
       {"88591c8668ee86690d02cdfa75acf8c0", "the threads that have a pixel are counted"}}}});
const RegisterGenerator kPictureGenerator("picture", lab2_case);
const RegisterPictureGenerator kPhotoGenerator("picture", photo_case);

}  // namespace
}  // namespace cudalabs::datasets
