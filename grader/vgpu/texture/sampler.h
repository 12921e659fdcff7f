// How a texture is sampled: which texels a coordinate leads to, and what becomes of them. Pure functions, which know no
// memory (CUDA C++ Programming Guide, "Texture Fetching").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vgpu/texture/texture_image.h"

namespace cudalabs::vgpu {

/// One texel that a sample reads, or the border.
struct Tap {
  bool inside = false;
  std::array<std::uint32_t, 3> at{};
  std::uint32_t weight = 0;  // of 256
};

struct Footprint {
  std::uint32_t count = 0;
  std::array<Tap, 8> taps;
};

/// Texels for coordinates in floating point; those of dimensions that the image has not are not looked at.
Footprint footprint(const Image& image, const std::array<float, 3>& coordinates);
/// The same in one layer: the last one, where there are not so many.
Footprint footprint_of_layer(const Image& image, const std::array<float, 3>& coordinates, std::uint32_t layer);
/// Of a cube, whose faces are layers, in the direction of the coordinates; six faces further on for each cube before.
Footprint footprint_of_cube(const Image& image, const std::array<float, 3>& direction, std::uint32_t cube);
/// The one texel of an integer coordinate, which no address mode changes; outside gives zeros.
Footprint footprint_of_index(const Image& image, std::int32_t index);
/// The four texels around a point in two dimensions, in the order of tld4: (0, 1), (1, 1), (1, 0), (0, 0).
Footprint footprint_of_gather(const Image& image, const std::array<float, 3>& coordinates, std::uint32_t layer = 0);

/// The bytes of a texel of `tap` begin so far behind the image's address.
std::uint64_t offset_of(const Image& image, const Tap& tap);

/// A texel as it lies in memory; that of a tap outside is not looked at.
using TexelBytes = std::array<std::byte, 16>;
/// The bits of what a sample gives in its four results: floating-point numbers, or integers of 32 bits.
std::array<std::uint32_t, 4> sample(const Image& image, const Footprint& print,
                                    const std::array<TexelBytes, 8>& texels);
/// The channel `component` of each of the four texels.
std::array<std::uint32_t, 4> gather(const Image& image, const Footprint& print, const std::array<TexelBytes, 8>& texels,
                                    std::uint32_t component);

}  // namespace cudalabs::vgpu
