// Addresses that a program reserves apart from the memory behind them, and what that memory holds while it has none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vgpu/memory/address_space.h"
#include "vgpu/memory/reservation.h"

namespace cudalabs::vgpu {

/// What kernels may do there.
enum class RangeState : std::uint8_t {
  unmapped,   // nothing: there is no memory
  no_access,  // nothing: nobody has said that they may
  read_only,
  read_write
};

/// A part of a reserved range. Its bytes are a multiple of kPageBytes.
struct RangePart {
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;
  RangeState state = RangeState::unmapped;
  std::uint64_t origin = 0;  // opaque tag of who made it so
};

/// A page that has been touched.
struct SavedPage {
  std::uint64_t offset = 0;
  std::array<std::byte, kPageBytes> data;
  std::array<std::uint64_t, kPageBytes / 64> written;  // as in InitBits
};
using SavedPages = std::vector<SavedPage>;

}  // namespace cudalabs::vgpu
