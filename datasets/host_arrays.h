// Labs whose functions get their arrays in host memory, and bring them to the device by themselves.
#pragma once

#include <string_view>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// Makes the expected values of `test` those of its inputs as they are now.
using Recompute = void (*)(Case& test);

/// What is registered for a generator, e.g. "vector_add"; null for one whose arrays are in device memory.
Recompute host_arrays_of(std::string_view name);

/// As RegisterGenerator, for one whose arrays are in host memory.
struct RegisterHostArrays {
  RegisterHostArrays(std::string_view name, Recompute recompute);
};

}  // namespace cudalabs::datasets
