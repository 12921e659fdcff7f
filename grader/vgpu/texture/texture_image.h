// What a texture or surface object is: data that says where texels lie and how they are read.
#pragma once

#include <array>
#include <cstdint>
#include <map>

namespace cudalabs::vgpu {

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };
enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };

/// Texels lie row by row. One with more than one dimension has its own distance from row to row, and from slice to
/// slice. Layers, and faces of a cube, are slices of an image with fewer dimensions.
struct Image {
  std::uint64_t address = 0;                     // of the first texel, in device memory; a multiple of a texel's bytes
  std::uint64_t pitch = 0;                       // bytes from row to row
  std::uint64_t slice = 0;                       // bytes from slice to slice
  std::array<std::uint32_t, 3> extent{1, 1, 1};  // texels; 1 in dimensions that it has not. [2]: or slices
  std::uint8_t dimensions = 1;
  std::uint8_t channels = 1;       // 1, 2 or 4
  std::uint8_t channel_bytes = 4;  // 1, 2 or 4
  ChannelKind kind = ChannelKind::floating;
  std::array<AddressMode, 3> modes{};
  bool linear_filter = false;
  bool normalized_read = false;         // integers become floating-point numbers from 0 or -1 to 1
  bool normalized_coordinates = false;  // 1 is the whole extent
  bool surface = false;                 // of a surface object: coordinates in x are bytes
  std::array<float, 4> border{};

  std::uint32_t texel_bytes() const { return std::uint32_t{channels} * channel_bytes; }
  /// Of all texels, the first byte of the first to the last byte of the last.
  std::uint64_t bytes() const {
    return slice * (extent[2] - 1) + pitch * (extent[1] - 1) + std::uint64_t{extent[0]} * texel_bytes();
  }
};

/// By handle.
using ImageTable = std::map<std::uint64_t, Image>;

}  // namespace cudalabs::vgpu
