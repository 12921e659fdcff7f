// The sampler: coordinates, address modes, filters and element types, against the formulas of the programming guide.
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "catch/catch.h"
#include "vgpu/texture/sampler.h"

using namespace cudalabs::vgpu;

namespace {

Image line(std::uint32_t texels) {
  Image image;
  image.extent = {texels, 1, 1};
  image.pitch = image.slice = texels * 4;
  image.modes = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  return image;
}

/// Samples where the texel of number i, row by row, holds i.
float numbers_at(const Image& image, std::array<float, 3> at) {
  const Footprint print = footprint(image, at);
  std::array<TexelBytes, 8> texels{};
  for (std::uint32_t i = 0; i < print.count; ++i) {
    const auto number = static_cast<float>(offset_of(image, print.taps[i]) / 4);
    std::memcpy(texels[i].data(), &number, sizeof number);
  }
  return std::bit_cast<float>(sample(image, print, texels)[0]);
}

std::array<std::uint32_t, 4> one_texel(const Image& image, std::vector<unsigned char> bytes) {
  std::array<TexelBytes, 8> texels{};
  std::memcpy(texels[0].data(), bytes.data(), bytes.size());
  return sample(image, footprint(image, {0.5F, 0.5F, 0.5F}), texels);
}

}  // namespace

TEST_CASE("a point sample takes the texel that holds the coordinate") {
  const Image image = line(5);
  CHECK(numbers_at(image, {0, 0, 0}) == 0);
  CHECK(numbers_at(image, {0.99F, 0, 0}) == 0);
  CHECK(numbers_at(image, {1, 0, 0}) == 1);
  CHECK(numbers_at(image, {-3, 0, 0}) == 0);
  CHECK(numbers_at(image, {1e30F, 0, 0}) == 4);
  CHECK(numbers_at(image, {-INFINITY, 0, 0}) == 0);
  CHECK(numbers_at(image, {NAN, 0, 0}) == 0);
}

TEST_CASE("address modes say what lies outside") {
  Image image = line(4);
  image.normalized_coordinates = true;
  const auto row = [&](AddressMode mode) {
    image.modes[0] = mode;
    std::vector<float> values;
    for (int i = -6; i < 10; ++i) values.push_back(numbers_at(image, {(static_cast<float>(i) + 0.5F) / 4, 0, 0}));
    return values;
  };
  CHECK(row(AddressMode::wrap) == std::vector<float>{2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1});
  CHECK(row(AddressMode::mirror) == std::vector<float>{2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1});
  CHECK(row(AddressMode::clamp) == std::vector<float>{0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3});
  image.border[0] = 9;
  CHECK(row(AddressMode::border) == std::vector<float>{9, 9, 9, 9, 9, 9, 0, 1, 2, 3, 9, 9, 9, 9, 9, 9});
  // What repeats needs normalised coordinates.
  image.normalized_coordinates = false;
  image.modes[0] = AddressMode::wrap;
  CHECK(numbers_at(image, {5.5F, 0, 0}) == 3);
}

TEST_CASE("a linear filter weighs the texels around by eight bits") {
  Image image = line(4);
  image.linear_filter = true;
  CHECK(numbers_at(image, {0.5F, 0, 0}) == 0);
  CHECK(numbers_at(image, {1, 0, 0}) == 0.5F);
  CHECK(numbers_at(image, {1.5F + 3.0F / 256, 0, 0}) == 1 + 3.0F / 256);
  CHECK(numbers_at(image, {1.5F + 3.2F / 256, 0, 0}) == 1 + 3.0F / 256);
  CHECK(numbers_at(image, {100, 0, 0}) == 3);
  CHECK(numbers_at(image, {0, 0, 0}) == 0);
  image.modes[0] = AddressMode::border;
  image.border[0] = 8;
  CHECK(numbers_at(image, {0, 0, 0}) == 4);
  image.modes[0] = AddressMode::wrap;
  image.normalized_coordinates = true;
  CHECK(numbers_at(image, {0, 0, 0}) == 1.5F);  // between the last and the first
}

TEST_CASE("two and three dimensions are filtered in each") {
  Image image = line(4);
  image.dimensions = 3;
  image.extent = {4, 3, 2};
  image.slice = image.pitch * 3;
  CHECK(numbers_at(image, {2.5F, 1.5F, 1.5F}) == 12 + 4 + 2);
  image.linear_filter = true;
  CHECK(numbers_at(image, {2, 1, 1}) == 6 + 2 + 1.5F);
  CHECK(footprint(image, {2, 1, 1}).count == 8);
  CHECK(footprint(image, {2.5F, 1, 1}).count == 4);  // what weighs nothing is not read
  std::uint32_t weight = 0;
  const Footprint print = footprint(image, {2.1F, 1.3F, 0.9F});
  for (std::uint32_t i = 0; i < print.count; ++i) weight += print.taps[i].weight;
  CHECK(weight == 256);
}

TEST_CASE("texels become numbers as their format says") {
  Image image = line(1);
  image.channels = 4;
  image.channel_bytes = 1;
  image.kind = ChannelKind::signed_integer;
  CHECK(one_texel(image, {1, 0xFF, 0x80, 0x7F}) == std::array<std::uint32_t, 4>{1, 0xFFFF'FFFF, 0xFFFF'FF80, 127});
  image.normalized_read = true;
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  CHECK(one_texel(image, {0, 0x81, 0x80, 0x7F}) == std::array<std::uint32_t, 4>{bits(0), bits(-1), bits(-1), bits(1)});
  image.kind = ChannelKind::unsigned_integer;
  image.channels = 2;
  CHECK(one_texel(image, {255, 51}) == std::array<std::uint32_t, 4>{bits(1), bits(51 / 255.0F), 0, 0});
  image.channel_bytes = 2;
  image.channels = 1;
  image.kind = ChannelKind::floating;
  CHECK(one_texel(image, {0x00, 0x3C})[0] == bits(1));
  CHECK(one_texel(image, {0x01, 0x80})[0] == bits(-std::ldexp(1.0F, -24)));
  CHECK(one_texel(image, {0x00, 0xFC})[0] == bits(-INFINITY));
}

TEST_CASE("an index outside gives zeros") {
  const Image image = line(4);
  CHECK(footprint_of_index(image, 3).taps[0].inside);
  CHECK_FALSE(footprint_of_index(image, 4).taps[0].inside);
  CHECK_FALSE(footprint_of_index(image, -1).taps[0].inside);
  CHECK(sample(image, footprint_of_index(image, -1), {})[0] == 0);
}

TEST_CASE("a gather takes one channel of the four texels, anticlockwise from the lower left") {
  Image image = line(4);
  image.dimensions = 2;
  image.extent = {4, 4, 1};
  const Footprint print = footprint_of_gather(image, {2, 2, 0});
  std::array<std::uint64_t, 4> numbers{};
  for (std::size_t i = 0; i < 4; ++i) numbers[i] = offset_of(image, print.taps[i]) / 4;
  CHECK(numbers == std::array<std::uint64_t, 4>{9, 10, 6, 5});
}
