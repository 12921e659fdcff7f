// Byte by byte, since what it reads need not be aligned.
#include "vgpu/exec/read_memory.h"

#include "vgpu/exec/lane_place.h"
#include "vgpu/exec/lane_words.h"

namespace cudalabs::vgpu::exec {

bool read_memory(Warp* warp, std::uint32_t lane, std::uint64_t address, void* to, std::size_t bytes) {
  MemoryDescriptor one_byte;
  one_byte.bytes = 1;
  for (std::size_t i = 0; i < bytes; ++i) {
    const LanePlace place = place_of(warp, one_byte, address + i);
    if (!place.allowed) return false;
    auto* byte = static_cast<std::byte*>(to) + i;
    if (place.parameter) {
      *byte = warp->worker->launch->parameters[place.address - kParameterBase];
    } else if (place.space == MemorySpace::local) {
      *byte = *lane_byte(warp->local.get(), place.address, lane);
    } else {
      *byte = *place.host;
    }
  }
  return true;
}

}  // namespace cudalabs::vgpu::exec
