// Where the virtual GPU is known to differ from a real one, and why. A row that no longer holds fails the test.
#pragma once

#include <string>
#include <vector>

#include "outcomes.h"

namespace cudalabs::conformance {

inline constexpr const char* kBesselReason =
    "libdevice's recurrence overflows where an operand is tiny beside the order: NaN, or a wrong number; of the order "
    "2 and on Y(-0) is +infinity there, against NVIDIA's own words";

/// From the record of that device.
inline std::vector<KnownDeviation> known_deviations(const std::string& device) {
  if (device != "NVIDIA H200") return {};
  return {
      {"__nv_jn ere", "subnormal, zero, ordinary", kBesselReason},
      {"__nv_jnf frf", "subnormal, zero, ordinary", kBesselReason},
      {"__nv_yn ere", "subnormal, zero, ordinary", kBesselReason},
      // Of these programs the virtual GPU's answer is that of the reference machine (vgpu_reference), too.
      {"mixed 97", "", "ptxas 13.0.88 makes the same code of `setp.eq.and.ftz.f32 %p1|%p4` there without `.ftz`"},
      {"mixed 136", "", "ptxas 13.0.88 forgets the `.sat` of `cvt.sat.f32.f16` after a `cvt.sat.u16.u32`"},
      {"mixed 171", "", "the GPU's %f7 is made of %h0 instead of the %h1 that it has itself: `cvt.rm.f32.u8 %f7, %h1`"},
      {"together 142", "", "the GPU's result is that of a program without the first `@!%p1 bra L4`, which is taken"},
  };
}

}  // namespace cudalabs::conformance
