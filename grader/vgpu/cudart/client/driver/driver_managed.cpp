// The driver API: advice about pages of unified memory, and what was asked for.
#include "vgpu/cudart/client/driver/driver_copy.h"
#include "vgpu/cudart/client/memory_advice.h"
#include "vgpu/cudart/client/per_thread.h"

namespace cudalabs::vgpu::client::driver {

CUDALABS_API int cuMemAdvise_v2(DevicePointer at, std::size_t bytes, int advice, cudaMemLocation place) {
  CUDALABS_DRIVER_CALL("cuMemAdvise_v2");
  return in_context([&] {
    return answer_here(wire::call("cudaMemAdvise"), {}, [&](Client& self) {
      return advise(self, pointer(at), bytes, static_cast<cudaMemoryAdvise>(advice), place);
    });
  });
}

CUDALABS_API int cuMemPrefetchAsync_v2(DevicePointer at, std::size_t bytes, cudaMemLocation place, unsigned int flags,
                                       cudaStream_t) {
  CUDALABS_DRIVER_CALL("cuMemPrefetchAsync_v2");
  return in_context([&] {
    return answer_here(wire::call("cudaMemPrefetchAsync"), {},
                       [&](Client& self) { return prefetch(self, pointer(at), bytes, place, flags); });
  });
}

CUDALABS_PER_THREAD(cuMemPrefetchAsync_v2, _ptsz, 5)

}  // namespace cudalabs::vgpu::client::driver
