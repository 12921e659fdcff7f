// Functions of the driver API that take what the runtime's take, in the same order and layout: each is one line.
#pragma once

#include "vgpu/cudart/client/driver/driver_context.h"
#include "vgpu/cudart/client/per_thread.h"

namespace cudalabs::vgpu::client::driver {

/// What the runtime's function answers, as a Result.
template <class Runtime, class... Arguments>
int forwarded(bool needs_context, Runtime&& runtime, Arguments... arguments) {
  if (const Result missing = ready(needs_context); missing != kSuccess) return missing;
  return result_of(runtime(arguments...));
}

}  // namespace cudalabs::vgpu::client::driver

#define CUDALABS_GIVEN_1 a0
#define CUDALABS_GIVEN_2 CUDALABS_GIVEN_1, a1
#define CUDALABS_GIVEN_3 CUDALABS_GIVEN_2, a2
#define CUDALABS_GIVEN_4 CUDALABS_GIVEN_3, a3
#define CUDALABS_GIVEN_5 CUDALABS_GIVEN_4, a4
#define CUDALABS_GIVEN_6 CUDALABS_GIVEN_5, a5
#define CUDALABS_GIVEN_7 CUDALABS_GIVEN_6, a6
#define CUDALABS_GIVEN_8 CUDALABS_GIVEN_7, a7

#define CUDALABS_FORWARDED_AS(name, runtime, count, needs_context)                         \
  CUDALABS_API int name(CUDALABS_PARAMETERS_##count(runtime)) {                            \
    static_assert(cudalabs::vgpu::client::Signature<decltype(runtime)>::kCount == (count), \
                  "it has another number of parameters");                                  \
    CUDALABS_DRIVER_CALL(#name);                                                           \
    return forwarded(needs_context, runtime, CUDALABS_GIVEN_##count);                      \
  }
/// The function `name` of the driver is the runtime's of so many parameters.
#define CUDALABS_FORWARDED(name, runtime, count) CUDALABS_FORWARDED_AS(name, runtime, count, true)
/// The same for one that needs the device alone, and no context.
#define CUDALABS_FORWARDED_OF_DEVICE(name, runtime, count) CUDALABS_FORWARDED_AS(name, runtime, count, false)
