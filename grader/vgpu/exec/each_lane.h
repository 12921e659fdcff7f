// The lanes of a mask, one after the other.
#pragma once

#include <bit>
#include <cstdint>

#include "vgpu/exec/observer.h"

namespace cudalabs::vgpu {

/// `for (const std::uint32_t lane : each_lane(mask))` goes from the lowest lane to the highest. The mask may change on
/// the way; the lanes are those that it had at the begin.
class EachLane {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(LaneMask left) : left_(left) {}
    constexpr std::uint32_t operator*() const { return static_cast<std::uint32_t>(std::countr_zero(left_)); }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    LaneMask left_;
  };

  constexpr explicit EachLane(LaneMask mask) : mask_(mask) {}
  constexpr Iterator begin() const { return Iterator(mask_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  LaneMask mask_;
};

constexpr EachLane each_lane(LaneMask mask) {
  return EachLane(mask);
}

}  // namespace cudalabs::vgpu
