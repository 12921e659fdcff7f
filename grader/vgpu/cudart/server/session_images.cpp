// The session's texture and surface objects.
#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {

namespace {

constexpr std::uint32_t kMostTexels = 1u << 28;  // in one dimension
constexpr std::uint64_t kMostPitch = 1ull << 32;

Image image_of(const wire::CreateImage& asked) {
  const auto require = [](bool holds) {
    if (!holds) throw ProtocolViolation{"a texture or surface that is none"};
  };
  require(asked.dimensions >= 1 && asked.dimensions <= 3);
  require(asked.channels == 1 || asked.channels == 2 || asked.channels == 4);
  require(asked.channel_bytes == 1 || asked.channel_bytes == 2 || asked.channel_bytes == 4);
  require(asked.kind <= 2);
  require(asked.pitch <= kMostPitch && asked.slice <= kMostPitch * kMostTexels);
  Image image;
  image.address = asked.address;
  image.pitch = asked.pitch;
  image.slice = asked.slice;
  for (std::size_t i = 0; i < 3; ++i) {
    require(asked.extent[i] >= 1 && asked.extent[i] <= kMostTexels &&
            (i < asked.dimensions || (i == 2 && asked.layered != 0) || asked.extent[i] == 1));
    require(asked.modes[i] <= 3);
    image.extent[i] = asked.extent[i];
    image.modes[i] = static_cast<AddressMode>(asked.modes[i]);
  }
  image.dimensions = static_cast<std::uint8_t>(asked.dimensions);
  image.channels = static_cast<std::uint8_t>(asked.channels);
  image.channel_bytes = static_cast<std::uint8_t>(asked.channel_bytes);
  image.kind = static_cast<ChannelKind>(asked.kind);
  image.linear_filter = asked.linear_filter != 0;
  image.normalized_read = asked.normalized_read != 0;
  image.normalized_coordinates = asked.normalized_coordinates != 0;
  image.surface = asked.surface != 0;
  for (std::size_t i = 0; i < 4; ++i) image.border[i] = asked.border[i];
  return image;
}

}  // namespace

void Session::create_image(Request& request) {
  const auto asked = request.as<wire::CreateImage>();
  const Image image = image_of(asked);
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  const std::uint64_t row = std::uint64_t{image.extent[0]} * image.texel_bytes();
  std::uint64_t slices = 0, bytes = 0;
  const bool fits = image.pitch >= row && !__builtin_mul_overflow(image.slice, image.extent[2] - 1, &slices) &&
                    !__builtin_add_overflow(slices, image.pitch * (image.extent[1] - 1) + row, &bytes) &&
                    addresses_.holds(image.address, bytes);
  if (!fits || image.address % image.texel_bytes() != 0 || image.pitch % image.texel_bytes() != 0)
    return reply(request, cudaErrorInvalidValue);
  if (images_ >= limits_.images) return reply(request, cudaErrorMemoryAllocation);
  ++images_;
  reply(request, cudaSuccess, wire::Handle{gpu_.create_image(image)});
}

/// Work that uses it ends first.
void Session::destroy_image(Request& request) {
  drain();
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  if (!gpu_.destroy_image(request.as<wire::Handle>().id)) return reply(request, cudaErrorInvalidResourceHandle);
  --images_;
  reply(request, cudaSuccess);
}

}  // namespace cudalabs::vgpu
