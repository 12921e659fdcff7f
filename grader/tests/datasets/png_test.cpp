// PNG files: what was written is read again, and what is no picture is refused in words.
#include "datasets/png.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "catch.h"
#include "datasets/array.h"

using namespace cudalabs::datasets;

namespace {

constexpr std::int64_t kPlenty = 1 << 20;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string refusal(const std::string& file, std::int64_t most_pixels = kPlenty) {
  try {
    decode_png(bytes_of(file), most_pixels);
  } catch (const PngError& error) {
    return error.what();
  }
  return "";
}

Picture noise(std::int64_t width, std::int64_t height, int channels) {
  std::mt19937 random(5);
  Picture picture{width, height, channels, {}};
  for (std::int64_t i = 0; i < width * height * channels; ++i)
    picture.bytes.push_back(static_cast<std::uint8_t>(random()));
  return picture;
}

std::string start_of(std::uint32_t width, std::uint32_t height) {
  // Signature, header and the start of the data of an 8-bit RGB picture, with the right checksum.
  std::string header("IHDR");
  for (const std::uint32_t value : {width, height}) {
    for (int shift = 24; shift >= 0; shift -= 8) header.push_back(static_cast<char>(value >> shift & 0xff));
  }
  header += std::string("\x08\x02\x00\x00\x00", 5);
  std::uint32_t crc = ~0u;
  for (const char c : header) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  crc = ~crc;
  std::string file = std::string("\x89PNG\r\n\x1a\n", 8) + std::string("\x00\x00\x00\x0d", 4) + header;
  for (int shift = 24; shift >= 0; shift -= 8) file.push_back(static_cast<char>(crc >> shift & 0xff));
  return file + std::string("\x00\x00\x00\x01IDAT", 8);
}

}  // namespace

TEST_CASE("a colour picture survives the file") {
  for (const auto& [width, height] : {std::pair{1, 1}, std::pair{7, 3}, std::pair{300, 2}}) {
    const Picture picture = noise(width, height, 3);
    CHECK(decode_png(bytes_of(encode_png(picture)), kPlenty) == picture);
  }
}

TEST_CASE("a grey picture is read as one in colour") {
  const Picture grey = noise(5, 4, 1);
  const Picture read = decode_png(bytes_of(encode_png(grey)), kPlenty);
  CHECK(read.channels == 3);
  for (std::size_t i = 0; i < grey.bytes.size(); ++i) {
    for (std::size_t channel = 0; channel < 3; ++channel) CHECK(read.bytes[3 * i + channel] == grey.bytes[i]);
  }
}

TEST_CASE("bytes that are no PNG are refused") {
  CHECK(refusal("") == "it is no PNG");
  CHECK(refusal("\x89PNG") == "it is no PNG");
  CHECK(refusal("P6 1 1 255 abc and so on") == "it is no PNG");
  CHECK(refusal(std::string("\xff\xd8\xff\xe0 JFIF", 9)) == "it is no PNG");
}

TEST_CASE("a PNG that ends early or is damaged is refused, wherever that is") {
  const std::string file = encode_png(noise(40, 30, 3));
  for (std::size_t length = 8; length < file.size() - 12; length += 7) {
    CAPTURE(length);
    CHECK(refusal(file.substr(0, length)).starts_with("it is a damaged PNG ("));
  }
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = file;
    damaged[8 + random() % (damaged.size() - 8)] ^= static_cast<char>(1 + random() % 255);
    const std::string why = refusal(damaged);  // a chunk that nobody needs may be damaged without harm
    if (!why.empty()) ++refused;
    CHECK((why.empty() || why.starts_with("it is ") || why.starts_with("it has ")));
  }
  CHECK(refused > 400);
}

TEST_CASE("a picture that is too large is refused before it is unpacked") {
  const std::string file = encode_png(noise(40, 30, 3));
  CHECK(refusal(file, 1199) == "it has 40 × 30 pixels, and at most 1199 are taken");
  CHECK(refusal(file, 1200).empty());
  CHECK(refusal(start_of(500'000, 900'000)) == "it has 500000 × 900000 pixels, and at most 1048576 are taken");
  CHECK(refusal(start_of(0x7fffffff, 0x7fffffff)).starts_with("it "));
  CHECK(refusal(start_of(0, 10)).starts_with("it is a damaged PNG ("));
}

TEST_CASE("a picture whose sizes and bytes do not agree is not written") {
  Picture picture = noise(4, 4, 3);
  picture.bytes.pop_back();
  CHECK_THROWS_AS(encode_png(picture), std::invalid_argument);
  CHECK_THROWS_AS(encode_png(Picture{0, 4, 1, {}}), std::invalid_argument);
  CHECK_THROWS_AS(encode_png(Picture{1, 1, 2, {1, 2}}), std::invalid_argument);
}

TEST_CASE("a person's picture becomes a case of lab 2, and of no lab without pictures") {
  CHECK(picture_generator_for("matrix_product") == nullptr);
  CHECK(picture_generator_for("") == nullptr);
  const PictureGenerator generate = picture_generator_for("picture");
  REQUIRE(generate != nullptr);
  CaseSpec spec;
  spec.name = "image";
  const Picture photo{2, 1, 3, {255, 255, 255, 10, 20, 30}};
  const Case test = generate(spec, photo);
  CHECK(test.spec.parameters ==
        std::map<std::string, std::int64_t>{{"width", 2}, {"height", 1}, {"quiz", 0}, {"gray_first", 0}});
  REQUIRE(test.inputs.size() == 2);
  CHECK(values_of<float>(test.inputs[0]) ==
        std::vector<float>{1.0f, (77 * 10 + 150 * 20 + 29 * 30 + 128) / 256 / 255.0f});
  CHECK(values_of<std::uint8_t>(test.inputs[1]) == photo.bytes);
  REQUIRE(test.expected.size() == 2);
  CHECK(test.expected[0].value[0] == 2.0);
  CHECK(test.expected[1].value == std::vector<double>{255, 18});
}
