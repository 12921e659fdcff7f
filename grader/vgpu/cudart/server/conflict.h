// Where two operations on device memory meet.
#pragma once

#include <optional>

#include "vgpu/touched_bytes.h"

namespace cudalabs::vgpu {

/// Bytes that both touch and at least one writes, the lowest such range; nothing where the two may run at once.
struct Conflict {
  ByteRange bytes;
  bool first_writes = false, second_writes = false;
};
std::optional<Conflict> conflict(const TouchedBytes& first, const TouchedBytes& second);

}  // namespace cudalabs::vgpu
