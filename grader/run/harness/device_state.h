// What a submission does to the device that its caller must know of: streams that do not wait for the default one, and
// a reset. Only a build for a real GPU is led through here (--wrap); the virtual GPU's runtime knows by itself.
#pragma once

namespace cudalabs::harness {

/// True once the submission has made a stream that does not wait for the default stream, nor the default stream for it.
bool has_unordered_streams();

/// How often the submission has called cudaDeviceReset().
unsigned device_resets();

}  // namespace cudalabs::harness
