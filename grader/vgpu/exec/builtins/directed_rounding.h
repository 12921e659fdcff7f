// Computes with another rounding direction than to nearest; only in files compiled with -frounding-math.
#pragma once

#include <cfenv>

namespace cudalabs::vgpu::exec {

/// The direction is FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD or FE_UPWARD, for as long as the object lives.
class DirectedRounding {
 public:
  explicit DirectedRounding(int direction) : before_(std::fegetround()) { std::fesetround(direction); }
  ~DirectedRounding() { std::fesetround(before_); }
  DirectedRounding(const DirectedRounding&) = delete;
  DirectedRounding& operator=(const DirectedRounding&) = delete;

 private:
  int before_;
};

/// Calls `add` once a direction with libdevice's suffix for it.
template <class Add>
void for_each_rounding(Add add) {
  add.template operator()<FE_TONEAREST>("_rn");
  add.template operator()<FE_TOWARDZERO>("_rz");
  add.template operator()<FE_DOWNWARD>("_rd");
  add.template operator()<FE_UPWARD>("_ru");
}

}  // namespace cudalabs::vgpu::exec
