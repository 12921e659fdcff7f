// Contexts of the driver API. They are handles alone: one device, whose memory all of them share.
#pragma once

#include "vgpu/cudart/client/driver/driver_api.h"

namespace cudalabs::vgpu::client::driver {

struct Context {
  unsigned int flags = 0;
  bool alive = false;
  unsigned long long id = 0;
};

/// That of the calling thread; null: none. A thread that has called the runtime has the primary one.
Context* current_context();

/// Of a context that a call names, where null is the current one: kInvalidContext when it is no more.
Result check_context(const Context* context);

/// Answers a call that needs a context by `body()`, which returns the runtime's status or a Result.
template <class Body>
int in_context(Body&& body) {
  if (const Result missing = ready(); missing != kSuccess) return missing;
  if constexpr (requires { result_of(body()); }) {
    return result_of(body());
  } else {
    return body();
  }
}

}  // namespace cudalabs::vgpu::client::driver
