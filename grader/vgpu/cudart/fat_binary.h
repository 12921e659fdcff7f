// How compilers wrap the images of device code: a container of entries, each for an architecture.
#pragma once

#include <cstdint>

namespace cudalabs::vgpu {

constexpr std::uint32_t kContainerMagic = 0xba55ed50;

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t payload_bytes;
};

}  // namespace cudalabs::vgpu
