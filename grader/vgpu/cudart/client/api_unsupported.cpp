// The runtime API: what the virtual GPU does not have. The server makes each call a finding that names what to use.
#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

// Callers pass what the function takes; no argument is looked at, so none is named.
#define CUDALABS_UNSUPPORTED(name)                                                                     \
  CUDALABS_API cudaError_t name() {                                                                    \
    return answer_here(wire::call(#name), call_site(), [](Client&) { return cudaErrorNotSupported; }); \
  }
#include "vgpu/cudart/include/cudalabs_device/unsupported_names.h"
#undef CUDALABS_UNSUPPORTED

}  // namespace cudalabs::vgpu::client
