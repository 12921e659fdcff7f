// The CUDA driver API as a second face of the runtime client: types with the toolkit's layout and numbers, and how a
// call of it is answered by the runtime's that does the same.
//
// Only the drop-in library has it, as `libcuda.so.1`. There is one device, and all contexts share its memory.
#pragma once

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/client/driver_call.h"

namespace cudalabs::vgpu::client::driver {

// CUresult: where the two APIs have an error in common they have one number for it.
enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kInvalidDevice = 101,
  kInvalidContext = 201,
  kPeerAccessUnsupported = 217,
  kFileNotFound = 301,
  kInvalidHandle = 400,
  kNotFound = 500,
  kPeerAccessNotEnabled = 705,
  kNotSupported = 801,
};

using Device = int;
using DevicePointer = unsigned long long;
struct Context;
/// A CUmodule, a CUlibrary: device code that the program has loaded itself.
using ModuleHandle = Module*;
/// A CUfunction, a CUkernel: what stands for the kernel where the runtime has its stub's address.
using KernelHandle = const void*;

/// What the driver says where the runtime says `status`.
Result result_of(cudaError_t status);

/// Why a call cannot be answered at all: cuInit was not called, or the thread has no context.
Result ready(bool needs_context = true);

}  // namespace cudalabs::vgpu::client::driver

/// In a function of the driver API: the runtime's calls in it are this call, made where the program made it.
#define CUDALABS_DRIVER_CALL(name) const DriverCall this_call(wire::driver_call(name), call_site())
