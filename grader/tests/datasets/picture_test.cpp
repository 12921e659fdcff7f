// Pictures: what they hold gives away every wrong pixel, and the answers are those of the contract.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <vector>

#include "catch.h"
#include "datasets/answer_digest.h"
#include "datasets/array.h"
#include "datasets/dataset.h"
#include "datasets/write_case.h"
#include "sandbox/temporary_folder.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;

namespace {

Case make_pictures(std::map<std::string, std::int64_t> parameters) {
  return generator_for("picture")({"x", "x", std::move(parameters), {}}, 1);
}

/// How many places of `reference` differ from those of `wrong`.
std::int64_t differing(const std::vector<double>& reference, const std::vector<double>& wrong) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) count += reference[i] != wrong[i] ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("the doubled picture is twice the picture, exactly") {
  const Case test = make_pictures({{"width", 7}, {"height", 5}});
  CHECK(test.inputs.at(0).shape == std::vector<std::int64_t>{5, 7});
  const auto picture = values_of<float>(test.inputs.at(0));
  REQUIRE(test.expected.at(0).value.size() == 35);
  for (std::size_t i = 0; i < picture.size(); ++i) {
    CHECK(test.expected[0].value[i] == 2.0 * picture[i]);
    CHECK(static_cast<double>(static_cast<float>(test.expected[0].value[i])) == test.expected[0].value[i]);
  }
}

TEST_CASE("large pictures have zeros, subnormal and very large values, small ones do not") {
  const auto zeros = [](float value) { return !std::isnormal(value); };
  const auto above = [](float value) { return value > 127.5f; };
  const auto below = [](float value) { return value < -127.5f; };
  const auto count = [](const Case& test, auto is_special) {
    return std::ranges::count_if(values_of<float>(test.inputs.at(0)), is_special);
  };
  const Case lecture = make_pictures({{"width", 72}, {"height", 62}});
  CHECK(count(lecture, zeros) > 72 * 62 / 134);
  CHECK(count(lecture, zeros) < 72 * 62 / 33);
  CHECK(count(lecture, above) > 72 * 62 / 244);
  CHECK(count(lecture, above) < 72 * 62 / 61);
  CHECK(count(lecture, below) > 72 * 62 / 244);
  CHECK(count(lecture, below) < 72 * 62 / 61);
  const Case small = make_pictures({{"width", 8}, {"height", 8}});
  CHECK(count(small, zeros) + count(small, above) + count(small, below) == 0);
}

TEST_CASE("twice each value of a picture is a float") {
  for (const double value : make_pictures({{"width", 72}, {"height", 62}}).expected.at(0).value)
    CHECK(static_cast<double>(static_cast<float>(value)) == value);
}

TEST_CASE("the grey picture is the formula of the contract") {
  const Case test = make_pictures({{"width", 7}, {"height", 5}});
  CHECK(test.inputs.at(1).shape == std::vector<std::int64_t>{5, 7, 3});
  const auto rgb = values_of<std::uint8_t>(test.inputs.at(1));
  const ExpectedArray& gray = test.expected.at(1);
  CHECK(gray.type == ElementType::u8);
  for (std::size_t i = 0; i < gray.value.size(); ++i) {
    const double exact = (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) / 256.0;
    CHECK(gray.value[i] == std::floor(exact + 0.5));
    CHECK(gray.value[i] <= 255);
  }
}

TEST_CASE("the picture has signs, bright and dark bytes, and no two rows or columns alike") {
  constexpr std::int64_t kWidth = 72, kHeight = 62;
  const Case test = make_pictures({{"width", kWidth}, {"height", kHeight}});
  const auto picture = values_of<float>(test.inputs.at(0));
  const auto negative = std::ranges::count_if(picture, [](float value) { return value < 0; });
  CHECK(negative * 10 > kWidth * kHeight);
  CHECK(negative * 2 < kWidth * kHeight);
  const auto rgb = values_of<std::uint8_t>(test.inputs.at(1));
  CHECK(std::set(rgb.begin(), rgb.end()).size() > 200);
  std::set<std::vector<float>> rows, columns;
  for (std::int64_t row = 0; row < kHeight; ++row) {
    rows.insert({picture.begin() + row * kWidth, picture.begin() + (row + 1) * kWidth});
  }
  for (std::int64_t col = 0; col < kWidth; ++col) {
    std::vector<float> column;
    for (std::int64_t row = 0; row < kHeight; ++row)
      column.push_back(picture[static_cast<std::size_t>(row * kWidth + col)]);
    columns.insert(column);
  }
  CHECK(rows.size() == kHeight);
  CHECK(columns.size() == kWidth);
}

TEST_CASE("usual mistakes change much of the grey picture") {
  const Case test = make_pictures({{"width", 72}, {"height", 62}});
  const auto rgb = values_of<std::uint8_t>(test.inputs.at(1));
  const std::vector<double>& gray = test.expected.at(1).value;
  const auto count = static_cast<std::int64_t>(gray.size());
  const auto by = [&](auto formula) {
    std::vector<double> wrong;
    for (std::size_t i = 0; i < gray.size(); ++i) {
      wrong.push_back(formula(int{rgb[3 * i]}, int{rgb[3 * i + 1]}, int{rgb[3 * i + 2]}));
    }
    return differing(gray, wrong);
  };
  CHECK(by([](int r, int g, int b) { return (77 * r + 150 * g + 29 * b + 128) / 256; }) == 0);
  CHECK(by([](int r, int g, int b) { return (77 * r + 150 * g + 29 * b) / 256; }) * 3 > count);  // not rounded
  CHECK(by([](int r, int g, int b) { return (77 * b + 150 * g + 29 * r + 128) / 256; }) * 10 > 9 * count);
  CHECK(by([](int r, int g, int b) { return (r + g + b) / 3; }) * 10 > 9 * count);
  CHECK(by([](int r, int g, int b) { return (77 * r + 150 * g + 29 * b + 128) % 256 / 256; }) * 10 > 9 * count);
}

TEST_CASE("the quiz counts the threads of the 72 × 62 picture, without a picture") {
  std::int64_t blocks = 0, threads = 0, idle = 0;
  for (int y = 0; y < 62; y += 16) {
    for (int x = 0; x < 72; x += 16) {
      ++blocks;
      for (int thread = 0; thread < 256; ++thread) {
        ++threads;
        idle += x + thread % 16 >= 72 || y + thread / 16 >= 62 ? 1 : 0;
      }
    }
  }
  const Case test = make_pictures({{"quiz", 1}});
  CHECK(test.inputs.empty());
  REQUIRE(test.expected.size() == 1);
  const std::vector<std::int64_t> answers{5, 4, blocks, threads, idle};
  const std::vector<Question>& questions = test.expected[0].questions;
  REQUIRE(questions.size() == answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    INFO(questions[i].name);
    CHECK(is_right_answer(questions[i].name, answers[i]));
    CHECK_FALSE(is_right_answer(questions[i].name, answers[i] + 1));
    CHECK_FALSE(contains(questions[i].hint, std::to_string(answers[i])));
  }
}

TEST_CASE("the quiz holds no answer, and writes none") {
  const Case test = make_pictures({{"quiz", 1}});
  const ExpectedArray& quiz = test.expected.at(0);
  CHECK(quiz.value.size() == quiz.questions.size());
  CHECK(std::ranges::all_of(quiz.value, [](double value) { return std::isnan(value); }));
  const cudalabs::sandbox::TemporaryFolder root;
  const auto folder = write_case(test, root.path(), 1);
  const auto files = std::filesystem::directory_iterator(folder);
  CHECK(std::distance(begin(files), end(files)) == 1);  // case.json
}

TEST_CASE("one answer to two questions has two digests") {
  CHECK(answer_digest("one", 4) != answer_digest("other", 4));
  CHECK(answer_digest("one", 4).size() == 32);
  CHECK_THROWS_AS(is_right_answer("nobody's question", 4), std::logic_error);
}

TEST_CASE("usual miscounts are known by words without numbers, and no answer is one of them") {
  const std::string_view without_corner = miscount_of("quiz_idle_threads", 8 * 62 + 2 * 72);
  CHECK(without_corner == "threads that are past both the last column and the last row are left out");
  CHECK(miscount_of("quiz_threads", 72 * 62) == "only the threads that have a pixel are counted");
  CHECK(miscount_of("nobody's question", 4).empty());
  for (const auto* question : {"quiz_blocks_x", "quiz_blocks_y", "quiz_blocks", "quiz_threads", "quiz_idle_threads"}) {
    for (const std::int64_t number : {3, 4, 5, 9, 12, 16, 20, 640, 656, 672, 5120}) {
      const std::string_view what = miscount_of(question, number);
      CHECK((what.empty() || !is_right_answer(question, number)));
      CHECK(std::ranges::none_of(what, [](char letter) { return '0' <= letter && letter <= '9'; }));
    }
  }
}

TEST_CASE("the runner is told that a case of pictures is not the quiz") {
  const Case test = make_pictures({{"width", 7}, {"height", 5}});
  CHECK(test.spec.parameters.at("quiz") == 0);
  CHECK(test.spec.parameters.at("gray_first") == 0);
  const Case other = make_pictures({{"width", 7}, {"height", 5}, {"gray_first", 1}});
  CHECK(other.spec.parameters.at("gray_first") == 1);
  CHECK(other.inputs.at(0).data == test.inputs.at(0).data);
  CHECK(test.expected.size() == 2);
}

TEST_CASE("parameters that make no picture are refused by name") {
  CHECK(contains(message_of([] { make_pictures({{"width", 5}}); }), "`height` is missing"));
  CHECK(contains(message_of([] { make_pictures({{"width", 0}, {"height", 5}}); }), "`width` is 0"));
  CHECK(contains(message_of([] { make_pictures({{"width", 5}, {"height", 2097153}}); }), "`height` is 2097153"));
  CHECK(contains(message_of([] {
                   make_pictures({{"width", 5}, {"height", 5}, {"depth", 1}});
                 }),
                 "no parameter `depth`"));
  CHECK(contains(message_of([] { make_pictures({{"quiz", 2}}); }), "`quiz` is 2"));
  CHECK(contains(message_of([] {
                   make_pictures({{"width", 5}, {"height", 5}, {"gray_first", 2}});
                 }),
                 "`gray_first` is 2"));
  CHECK(contains(message_of([] { make_pictures({{"quiz", 1}, {"width", 5}}); }), "no parameter `width`"));
}
