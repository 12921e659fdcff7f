// The sampler held to the answers of a real GPU's texture units (record_samples.cu).
#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "catch/catch.h"
#include "tree/tree_paths.h"
#include "vgpu/texture/sampler.h"

using namespace cudalabs::vgpu;

namespace {

std::string unpacked(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string packed{std::istreambuf_iterator<char>(file), {}};
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  REQUIRE(size != ZSTD_CONTENTSIZE_ERROR);
  REQUIRE(size != ZSTD_CONTENTSIZE_UNKNOWN);
  std::string text(size, '\0');
  REQUIRE(ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size()) == size);
  return text;
}

struct Texture {
  Image image;
  std::string format;
  int gathered = -1;  // channel, or no gather
  bool has_border = false;
  std::vector<std::byte> texels;
};

AddressMode mode_called(const std::string& name) {
  return name == "wrap"     ? AddressMode::wrap
         : name == "clamp"  ? AddressMode::clamp
         : name == "mirror" ? AddressMode::mirror
                            : AddressMode::border;
}

Texture texture_of(const std::string& line) {
  std::istringstream in(line);
  Texture texture;
  Image& image = texture.image;
  std::string tag, filter, mode;
  std::uint32_t dimensions = 0, bits = 0, channels = 0, width = 0, height = 0, depth = 0;
  int error = 0;
  in >> tag >> tag >> dimensions >> width >> height >> depth >> texture.format >> bits >> channels >> filter >> mode >>
      image.normalized_coordinates >> image.normalized_read >> texture.has_border >> texture.gathered >> error;
  REQUIRE(in);
  REQUIRE(error == 0);
  image.dimensions = static_cast<std::uint8_t>(dimensions);
  image.channels = static_cast<std::uint8_t>(channels);
  image.channel_bytes = static_cast<std::uint8_t>(bits / 8);
  image.extent = {width, std::max(height, 1u), std::max(depth, 1u)};
  image.kind = texture.format[0] == 'f'   ? ChannelKind::floating
               : texture.format[0] == 'u' ? ChannelKind::unsigned_integer
                                          : ChannelKind::signed_integer;
  image.modes = {mode_called(mode), mode_called(mode), mode_called(mode)};
  image.linear_filter = filter == "linear";
  image.pitch = std::uint64_t{width} * image.texel_bytes();
  image.slice = image.pitch * image.extent[1];
  if (texture.has_border) image.border = {0.25F, 0.5F, 0.75F, 1};
  return texture;
}

std::vector<std::byte> bytes_of(const std::string& digits) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

std::array<std::uint32_t, 4> answer(const Texture& texture, const std::array<float, 3>& at) {
  const bool gathers = texture.gathered >= 0;
  const Footprint print = gathers ? footprint_of_gather(texture.image, at) : footprint(texture.image, at);
  std::array<TexelBytes, 8> texels{};
  for (std::uint32_t i = 0; i < print.count; ++i) {
    if (!print.taps[i].inside) continue;
    const std::uint64_t offset = offset_of(texture.image, print.taps[i]);
    REQUIRE(offset + texture.image.texel_bytes() <= texture.texels.size());
    std::memcpy(texels[i].data(), texture.texels.data() + offset, texture.image.texel_bytes());
  }
  return gathers ? gather(texture.image, print, texels, static_cast<std::uint32_t>(texture.gathered))
                 : sample(texture.image, print, texels);
}

/// Whether the sampler promises the same bits; else it promises to be near.
bool is_exact(const Texture& texture) {
  const Image& image = texture.image;
  return !image.linear_filter || (image.dimensions < 3 && texture.format != "f16" && !image.normalized_read);
}

float largest_in(const Texture& texture) {
  if (texture.image.normalized_read) return 1;
  float largest = 0;
  for (std::size_t at = 0; at + texture.image.channel_bytes <= texture.texels.size();
       at += texture.image.channel_bytes) {
    if (texture.image.channel_bytes == 2) return 64;  // the halves of the record are smaller
    float value = 0;
    std::memcpy(&value, texture.texels.data() + at, sizeof value);
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace

TEST_CASE("samples are those of an H100") {
  std::istringstream lines(unpacked(cudalabs::source_path("grader/tests/vgpu_texture/samples-h100.txt.zst")));
  Texture texture;
  std::size_t samples = 0, exact = 0, different = 0;
  float largest = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("G ") || line.starts_with("#")) continue;
    if (line.starts_with("T ")) {
      texture = texture_of(line);
      continue;
    }
    if (line.starts_with("D ")) {
      texture.texels = bytes_of(line.substr(2));
      largest = largest_in(texture);
      continue;
    }
    std::istringstream in(line);
    std::array<float, 3> at{};
    std::array<std::uint32_t, 4> expected{};
    std::string word;
    for (std::size_t axis = 0; in >> word && word != ">"; ++axis)
      at.at(axis) = std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    in >> std::hex >> expected[0] >> expected[1] >> expected[2] >> expected[3];
    REQUIRE(in);
    ++samples;
    exact += is_exact(texture) ? 1 : 0;
    const auto got = answer(texture, at);
    if (got == expected) continue;
    ++different;
    INFO(line);
    CHECK_FALSE(is_exact(texture));
    for (std::size_t i = 0; i < 4; ++i) {
      // Two weights that are rounded differently move a result by at most two 256ths of what lies between two texels.
      const float error = std::abs(std::bit_cast<float>(got[i]) - std::bit_cast<float>(expected[i]));
      CHECK(error <= largest / 64);
    }
  }
  CHECK(samples == 19620);
  CHECK(exact > samples / 2);
  CHECK(different < samples / 98);  // 199 when this was written
}
