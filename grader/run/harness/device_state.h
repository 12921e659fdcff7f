// What a submission does to the device that its caller must know of: streams that do not wait for the default one, and
// a reset. A build for a real GPU is led through here (--wrap); of resets the virtual GPU's runtime knows by itself.
#pragma once

namespace cudalabs::harness {

/// True once the submission has made a stream that does not wait for the default stream, nor the default stream for it.
bool has_unordered_streams();

/// How often the submission has called cudaDeviceReset() since forget_resets(), or else since the program began.
unsigned device_resets();
void forget_resets();

}  // namespace cudalabs::harness
