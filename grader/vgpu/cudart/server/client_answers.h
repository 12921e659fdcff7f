// Which calls of the runtime a client's library answers by itself, and with what: it tells the server of them in notes,
// which are claims. A note of anything else comes from no library.
#pragma once

#include <cstdint>

#include "vgpu/cudart/include/cuda_runtime_api.h"

namespace cudalabs::vgpu {

/// Whether the server has answered with an error before: never; it has, so that it may be what a call of several
/// requests ended with; or every call gets it, for the context is dead.
enum class Given : std::uint8_t { never, once, always };

/// Whether the library may have answered `call` with `status`.
bool client_may_answer(std::uint16_t call, cudaError_t status, Given given);

/// Whether `call` asks for errors, and the library may have shown the program this one.
bool client_may_show(std::uint16_t call, cudaError_t error, Given given);

}  // namespace cudalabs::vgpu
