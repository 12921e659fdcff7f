// Arguments of a kernel as the driver API takes them: each by its address, or all in a buffer.
#pragma once

#include "vgpu/cudart/client/driver/driver_context.h"

namespace cudalabs::vgpu::client::driver {

inline constexpr std::uint32_t kMostParameters = wire::kMaxParameterBytes / 4;

/// The places of a kernel's parameters in the buffer that `extra` of a launch names; `places` has room for all.
Result places_in(void** extra, KernelHandle kernel, void** places);

/// `start(arguments)` launches the kernel with its arguments, wherever they come from.
template <class Start>
int with_arguments(KernelHandle kernel, void** arguments, void** extra, Start&& start) {
  return in_context([&]() -> int {
    if (!kernel) return kInvalidHandle;
    if (!extra) return result_of(start(arguments));
    void* places[kMostParameters];
    if (arguments) return kInvalidValue;
    if (const Result known = places_in(extra, kernel, places); known != kSuccess) return known;
    return result_of(start(places));
  });
}

}  // namespace cudalabs::vgpu::client::driver
