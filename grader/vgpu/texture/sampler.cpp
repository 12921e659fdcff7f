// How a texture is sampled.
#include "vgpu/texture/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace cudalabs::vgpu {

namespace {

constexpr std::int64_t kOne = 256;  // weights have eight fractional bits in each dimension

/// The modes that repeat need normalised coordinates; a GPU clamps others.
AddressMode mode_of(const Image& image, std::size_t axis) {
  const AddressMode mode = image.modes[axis];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !image.normalized_coordinates ? AddressMode::clamp : mode;
}

/// In texels, and within what the mode repeats.
double position(const Image& image, std::size_t axis, float coordinate) {
  if (std::isnan(coordinate)) return 0;
  double at = coordinate;
  const double size = image.extent[axis];
  if (image.normalized_coordinates) {
    const double whole = std::floor(at);
    if (mode_of(image, axis) == AddressMode::wrap) at = std::isinf(at) ? 0 : at - whole;
    if (mode_of(image, axis) == AddressMode::mirror) {
      at = std::isinf(at) ? 0 : at - whole;
      if (std::fmod(whole, 2) != 0) at = 1 - at;
    }
    at = static_cast<float>(at) * static_cast<float>(size);
  }
  return std::clamp(at, -2.0, size + 2);  // nothing is different further out
}

/// A texel's number within the image, or -1 for the border.
std::int64_t inside(const Image& image, std::size_t axis, std::int64_t at) {
  const std::int64_t size = image.extent[axis];
  switch (mode_of(image, axis)) {
    case AddressMode::wrap:
      return (at % size + size) % size;
    case AddressMode::mirror:
      if (at < 0) at = -1 - at;
      return std::clamp<std::int64_t>(at >= size ? 2 * size - 1 - at : at, 0, size - 1);
    case AddressMode::border:
      return at < 0 || at >= size ? -1 : at;
    case AddressMode::clamp:
      break;
  }
  return std::clamp<std::int64_t>(at, 0, size - 1);
}

void place(Tap& tap, std::size_t axis, std::int64_t at) {
  if (at < 0) {
    tap.inside = false;
  } else {
    tap.at[axis] = static_cast<std::uint32_t>(at);
  }
}

float half_value(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  const std::uint32_t sign = (bits & 0x8000) << 16;
  if (exponent == 0) return (sign != 0 ? -1.0F : 1.0F) * std::ldexp(static_cast<float>(fraction), -24);
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f80'0000 | fraction << 13);
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

std::uint32_t bits_of_channel(const Image& image, const TexelBytes& texel, std::uint32_t channel) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, texel.data() + channel * image.channel_bytes, image.channel_bytes);
  if (image.kind == ChannelKind::signed_integer && image.channel_bytes < 4) {
    const std::uint32_t unused = 32 - 8 * image.channel_bytes;
    bits = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << unused) >> unused);
  }
  return bits;
}

float value_of_channel(const Image& image, const TexelBytes& texel, std::uint32_t channel) {
  const std::uint32_t bits = bits_of_channel(image, texel, channel);
  const bool is_byte = image.channel_bytes == 1;
  switch (image.kind) {
    case ChannelKind::floating:
      return image.channel_bytes == 2 ? half_value(bits) : std::bit_cast<float>(bits);
    case ChannelKind::unsigned_integer:
      return static_cast<float>(bits) / (is_byte ? 255.0F : 65535.0F);
    case ChannelKind::signed_integer:
      break;
  }
  return std::max(static_cast<float>(static_cast<std::int32_t>(bits)) / (is_byte ? 127.0F : 32767.0F), -1.0F);
}

bool gives_floats(const Image& image) {
  return image.kind == ChannelKind::floating || image.normalized_read;
}

std::uint32_t one_channel(const Image& image, const Tap& tap, const TexelBytes& texel, std::uint32_t channel) {
  if (channel >= image.channels) return 0;
  if (!gives_floats(image)) {
    return tap.inside ? bits_of_channel(image, texel, channel) : std::bit_cast<std::uint32_t>(image.border[channel]);
  }
  return std::bit_cast<std::uint32_t>(tap.inside ? value_of_channel(image, texel, channel) : image.border[channel]);
}

struct Ends {
  std::int64_t low = 0, high = 0;
  std::int64_t share = 0;  // of the high end, of kOne
};

Ends ends_of(const Image& image, std::size_t axis, float coordinate) {
  const double at = position(image, axis, coordinate) - 0.5;
  const auto fixed = static_cast<std::int64_t>(std::floor(at * kOne + 0.5));
  const std::int64_t low = fixed >> 8;
  return {inside(image, axis, low), inside(image, axis, low + 1), fixed & (kOne - 1)};
}

}  // namespace

Footprint footprint(const Image& image, const std::array<float, 3>& coordinates) {
  Footprint print;
  print.count = image.linear_filter ? 1u << image.dimensions : 1;
  for (std::uint32_t i = 0; i < print.count; ++i) print.taps[i] = {true, {}, 1u << 24};
  for (std::size_t axis = 0; axis < image.dimensions; ++axis) {
    if (!image.linear_filter) {
      const auto at = static_cast<std::int64_t>(std::floor(position(image, axis, coordinates[axis])));
      place(print.taps[0], axis, inside(image, axis, at));
      continue;
    }
    const Ends ends = ends_of(image, axis, coordinates[axis]);
    for (std::uint32_t i = 0; i < print.count; ++i) {
      const bool high = (i >> axis & 1) != 0;
      place(print.taps[i], axis, high ? ends.high : ends.low);
      print.taps[i].weight = static_cast<std::uint32_t>(
          print.taps[i].weight * static_cast<std::uint64_t>(high ? ends.share : kOne - ends.share) / kOne);
    }
  }
  // What weighs nothing is not read.
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < print.count; ++i) {
    if (print.taps[i].weight != 0) print.taps[kept++] = print.taps[i];
  }
  print.count = kept;
  return print;
}

Footprint footprint_of_index(const Image& image, std::int32_t index) {
  Footprint print;
  print.count = 1;
  print.taps[0].inside = index >= 0 && static_cast<std::uint32_t>(index) < image.extent[0];
  print.taps[0].at[0] = static_cast<std::uint32_t>(index);
  print.taps[0].weight = 1u << 24;
  return print;
}

Footprint footprint_of_gather(const Image& image, const std::array<float, 3>& coordinates) {
  constexpr std::uint32_t kHighX[] = {0, 1, 1, 0}, kHighY[] = {1, 1, 0, 0};
  Footprint print;
  print.count = 4;
  const Ends x = ends_of(image, 0, coordinates[0]), y = ends_of(image, 1, coordinates[1]);
  for (std::uint32_t i = 0; i < 4; ++i) {
    print.taps[i] = {true, {}, 0};
    place(print.taps[i], 0, kHighX[i] != 0 ? x.high : x.low);
    place(print.taps[i], 1, kHighY[i] != 0 ? y.high : y.low);
  }
  return print;
}

std::uint64_t offset_of(const Image& image, const Tap& tap) {
  return tap.at[2] * image.slice + tap.at[1] * image.pitch + std::uint64_t{tap.at[0]} * image.texel_bytes();
}

std::array<std::uint32_t, 4> sample(const Image& image, const Footprint& print,
                                    const std::array<TexelBytes, 8>& texels) {
  std::array<std::uint32_t, 4> results{};
  for (std::uint32_t channel = 0; channel < 4; ++channel) {
    if (channel >= image.channels || print.count == 1) {
      results[channel] = one_channel(image, print.taps[0], texels[0], channel);
      continue;
    }
    double sum = 0;
    for (std::uint32_t i = 0; i < print.count; ++i) {
      const auto value = std::bit_cast<float>(one_channel(image, print.taps[i], texels[i], channel));
      sum += value * std::ldexp(static_cast<double>(print.taps[i].weight), -24);
    }
    results[channel] = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
  }
  return results;
}

std::array<std::uint32_t, 4> gather(const Image& image, const Footprint& print, const std::array<TexelBytes, 8>& texels,
                                    std::uint32_t component) {
  std::array<std::uint32_t, 4> results{};
  for (std::uint32_t i = 0; i < 4; ++i) results[i] = one_channel(image, print.taps[i], texels[i], component);
  return results;
}

}  // namespace cudalabs::vgpu
