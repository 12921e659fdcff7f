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

/// Of two operations that write next to each other, and both to what lies between.
struct WrittenOverlap {
  std::uint64_t bytes = 0;                    // that both write
  std::uint64_t of_first = 0, of_second = 0;  // that each of them writes
};
/// Nothing where one of them reads what the other writes, or where bytes that both write are not, wherever they are,
/// the end of a range of the one and the beginning of a range of the other.
std::optional<WrittenOverlap> written_overlap(const TouchedBytes& first, const TouchedBytes& second);

}  // namespace cudalabs::vgpu
