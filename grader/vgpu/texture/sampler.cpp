// How a texture is sampled.
#include "vgpu/texture/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace cudalabs::vgpu {

namespace {

constexpr std::uint32_t kOne = 256;  // weights have eight fractional bits in each dimension

/// The modes that repeat need normalised coordinates; a GPU clamps others.
AddressMode mode_of(const Image& image, std::size_t axis) {
  const AddressMode mode = image.modes[axis];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !image.normalized_coordinates ? AddressMode::clamp : mode;
}

/// A normalised coordinate has 21 fractional bits.
constexpr double kFinest = 1.0 / (1 << 21);

double rounded_down(double coordinate) {
  return std::floor(coordinate / kFinest) * kFinest;
}

/// In texels, and within what the mode repeats.
double position(const Image& image, std::size_t axis, float coordinate) {
  if (std::isnan(coordinate)) return 0;
  double at = std::fpclassify(coordinate) == FP_SUBNORMAL ? 0 : coordinate;
  const double size = image.extent[axis];
  if (image.normalized_coordinates) {
    const AddressMode mode = mode_of(image, axis);
    const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
    if (repeats && std::isinf(at)) return 0;
    const double whole = std::floor(at);
    const bool reflected = mode == AddressMode::mirror && std::fmod(whole, 2) != 0;
    at = rounded_down(at) - (repeats ? whole : 0);
    at *= size;
    if (reflected) at = size - at - kFinest * kFinest;  // seen from behind, a texel begins after its lower end
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

/// Colours of the border are rounded to what texels can hold: those of bytes are seen to be, those of other integers
/// are taken to be.
float border_value(const Image& image, std::uint32_t channel) {
  const float colour = image.border[channel];
  if (image.kind == ChannelKind::floating) return colour;
  const bool is_byte = image.channel_bytes == 1;
  const float scale =
      image.kind == ChannelKind::signed_integer ? (is_byte ? 127.0F : 32767.0F) : (is_byte ? 255.0F : 65535.0F);
  return (std::ceil(colour * scale - 0.5F) + 0.0F) / scale;
}

std::uint32_t one_channel(const Image& image, const Tap& tap, const TexelBytes& texel, std::uint32_t channel) {
  if (channel >= image.channels) return 0;
  if (!gives_floats(image)) return tap.inside ? bits_of_channel(image, texel, channel) : 0;
  return std::bit_cast<std::uint32_t>(tap.inside ? value_of_channel(image, texel, channel)
                                                 : border_value(image, channel));
}

struct Ends {
  std::int64_t low = 0, high = 0;
  std::uint32_t share = 0;  // of the high end, of kOne
};

Ends ends_of(const Image& image, std::size_t axis, float coordinate) {
  const double at = position(image, axis, coordinate) - 0.5;
  const auto fixed = static_cast<std::int64_t>(std::floor(at * kOne + 0.5));
  const std::int64_t low = fixed >> 8;
  return {inside(image, axis, low), inside(image, axis, low + 1), static_cast<std::uint32_t>(fixed & (kOne - 1))};
}

bool is_half(const Image& image) {
  return image.kind == ChannelKind::floating && image.channel_bytes == 2;
}

/// Integers that are read as numbers between -1 and 1 are blended as such of 16 bits, to which those of 8 are widened.
float blend_integers(const Image& image, const Footprint& print, const std::array<TexelBytes, 8>& texels,
                     std::uint32_t channel) {
  const bool is_byte = image.channel_bytes == 1, is_signed = image.kind == ChannelKind::signed_integer;
  const std::int32_t lowest = is_byte ? -127 : -32767;
  const double widening = !is_byte ? 1.0 : is_signed ? 32767.0 / 127 : 257.0;
  double sum = kOne / 2;
  for (std::uint32_t i = 0; i < print.count; ++i) {
    const Tap& tap = print.taps[i];
    double value = 0;
    if (!tap.inside) {
      value = std::nearbyint(border_value(image, channel) * (is_signed ? 32767.0F : 65535.0F));
    } else {
      const auto texel = static_cast<std::int32_t>(bits_of_channel(image, texels[i], channel));
      value = (is_signed ? std::max(texel, lowest) : texel) * widening;
    }
    sum += value * tap.weight;
  }
  return static_cast<float>(std::floor(sum / kOne)) / (is_signed ? 32767.0F : 65535.0F);
}

float rounded_to_half(float value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), -14) - 10;
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

/// The weighted sum as an H100 forms it in one and two dimensions, bit for bit: values are cut off 27 binary places
/// below the largest one's first, the sum is exact and rounded to nearest, away from zero when in the middle, and
/// subnormal numbers count as zero. In three dimensions one sum in ten is another in its last places.
float blend(const std::array<float, 8>& values, const Footprint& print) {
  int largest = std::numeric_limits<int>::min();
  double plain = 0;
  bool negative_zeros = true;
  for (std::uint32_t i = 0; i < print.count; ++i) {
    plain += static_cast<double>(values[i]) * print.taps[i].weight / kOne;
    negative_zeros = negative_zeros && values[i] == 0 && std::signbit(values[i]);
    if (std::isnormal(values[i])) largest = std::max(largest, std::ilogb(values[i]));
  }
  if (std::isnan(plain)) return std::bit_cast<float>(0x7fff'ffffu);
  if (std::isinf(plain)) return static_cast<float>(plain);
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < print.count; ++i) {
    if (!std::isnormal(values[i])) continue;
    sum += static_cast<std::int64_t>(std::ldexp(values[i], 27 - largest)) * print.taps[i].weight;
  }
  if (sum == 0) return negative_zeros ? -0.0F : 0;
  std::uint64_t magnitude = static_cast<std::uint64_t>(std::abs(sum));
  const int unused = static_cast<int>(std::bit_width(magnitude)) - std::numeric_limits<float>::digits;
  if (unused > 0) magnitude = (magnitude + (std::uint64_t{1} << (unused - 1))) >> unused << unused;
  const double result = std::ldexp(static_cast<double>(magnitude), largest - 27 - 8);
  return result < std::numeric_limits<float>::min() ? 0 : static_cast<float>(sum < 0 ? -result : result);
}

std::uint32_t product(std::uint32_t left, std::uint32_t right) {
  return (left * right + kOne / 2) / kOne;
}

/// The weights have eight fractional bits in two and in three dimensions, too, and their sum is 1. This is the one way
/// of rounding them that an H100's answers agree with.
void weigh(Footprint& print, std::uint32_t dimensions, const std::array<std::uint32_t, 3>& share) {
  const auto weigh_plane = [](std::uint32_t first, std::uint32_t second) {
    const std::uint32_t both = product(first, second);
    return std::array<std::uint32_t, 4>{kOne - first - second + both, first - both, second - both, both};
  };
  if (dimensions == 1) {
    print.taps[0].weight = kOne - share[0];
    print.taps[1].weight = share[0];
  } else if (dimensions == 2) {
    const auto plane = weigh_plane(share[0], share[1]);
    for (std::uint32_t i = 0; i < 4; ++i) print.taps[i].weight = plane[i];
  } else {
    const auto plane = weigh_plane(share[0], share[2]);
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t tap = (i & 1) | (i & 2) << 1, low = product(plane[i], kOne - share[1]);
      print.taps[tap].weight = low;
      print.taps[tap + 2].weight = plane[i] - low;
    }
  }
}

}  // namespace

Footprint footprint(const Image& image, const std::array<float, 3>& coordinates) {
  // A GPU reads an image of one dimension as one that is a row high, at y = 0: where that axis has a border, half of
  // what is filtered is border.
  if (image.dimensions == 1 && image.linear_filter && image.modes[1] == AddressMode::border) {
    Image row = image;
    row.dimensions = 2;
    return footprint(row, {coordinates[0], 0, 0});
  }
  Footprint print;
  print.count = image.linear_filter ? 1u << image.dimensions : 1;
  for (std::uint32_t i = 0; i < print.count; ++i) print.taps[i] = {true, {}, kOne};
  std::array<std::uint32_t, 3> share{};
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
    }
    share[axis] = ends.share;
  }
  if (image.linear_filter) weigh(print, image.dimensions, share);
  // What weighs nothing is not read.
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < print.count; ++i) {
    if (print.taps[i].weight != 0) print.taps[kept++] = print.taps[i];
  }
  print.count = kept;
  return print;
}

Footprint footprint_of_layer(const Image& image, const std::array<float, 3>& coordinates, std::uint32_t layer) {
  Footprint print = footprint(image, coordinates);
  for (std::uint32_t i = 0; i < print.count; ++i) print.taps[i].at[2] = std::min(layer, image.extent[2] - 1);
  return print;
}

// CUDA C++ Programming Guide, "Cubemap Textures": the axis of the largest coordinate says which face, the others where.
Footprint footprint_of_cube(const Image& image, const std::array<float, 3>& direction, std::uint32_t cube) {
  const auto [x, y, z] = direction;
  const float width = std::fabs(x), height = std::fabs(y), depth = std::fabs(z);
  std::uint32_t face = 0;
  float s = 0, t = 0, major = 0;
  if (width > height && width > depth) {
    face = x < 0 ? 1 : 0;
    major = width;
    s = x < 0 ? z : -z;
    t = -y;
  } else if (height > depth) {
    face = y < 0 ? 3 : 2;
    major = height;
    s = x;
    t = y < 0 ? -z : z;
  } else {
    face = z < 0 ? 5 : 4;
    major = depth;
    s = z < 0 ? -x : x;
    t = -y;
  }
  // Faces do not go on in each other.
  Image side = image;
  side.normalized_coordinates = true;
  side.modes = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  constexpr std::uint32_t kFaces = 6;
  const std::uint32_t before = std::min(cube, image.extent[2]) * kFaces;
  return footprint_of_layer(side, {(s / major + 1) / 2, (t / major + 1) / 2, 0}, before + face);
}

Footprint footprint_of_index(const Image& image, std::int32_t index) {
  Footprint print;
  print.count = 1;
  print.taps[0].inside = index >= 0 && static_cast<std::uint32_t>(index) < image.extent[0];
  print.taps[0].at[0] = static_cast<std::uint32_t>(index);
  print.taps[0].weight = kOne;
  return print;
}

Footprint footprint_of_gather(const Image& image, const std::array<float, 3>& coordinates, std::uint32_t layer) {
  constexpr std::uint32_t kHighX[] = {0, 1, 1, 0}, kHighY[] = {1, 1, 0, 0};
  Footprint print;
  print.count = 4;
  const Ends x = ends_of(image, 0, coordinates[0]), y = ends_of(image, 1, coordinates[1]);
  for (std::uint32_t i = 0; i < 4; ++i) {
    print.taps[i] = {true, {}, 0};
    place(print.taps[i], 0, kHighX[i] != 0 ? x.high : x.low);
    place(print.taps[i], 1, kHighY[i] != 0 ? y.high : y.low);
    print.taps[i].at[2] = std::min(layer, image.extent[2] - 1);
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
    if (channel >= image.channels || !image.linear_filter) {
      results[channel] = one_channel(image, print.taps[0], texels[0], channel);
      continue;
    }
    if (image.normalized_read) {
      results[channel] = std::bit_cast<std::uint32_t>(blend_integers(image, print, texels, channel));
      continue;
    }
    std::array<float, 8> values{};
    for (std::uint32_t i = 0; i < print.count; ++i)
      values[i] = std::bit_cast<float>(one_channel(image, print.taps[i], texels[i], channel));
    const float result = blend(values, print);
    results[channel] = std::bit_cast<std::uint32_t>(is_half(image) ? rounded_to_half(result) : result);
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
