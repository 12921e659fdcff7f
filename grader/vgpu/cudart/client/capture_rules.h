// Which calls a program may make while a stream captures: some could wait for, or undo, what is to be captured.
#pragma once

#include "vgpu/cudart/client/capture.h"

namespace cudalabs::vgpu::client {

/// All that have begun and not ended. In capture.cpp.
const Array<Capture*>& captures_under_way();
/// A call uses the legacy default stream, which would wait for all streams that are not cudaStreamNonBlocking: captures
/// in such streams become invalid. Success where there is none. In capture.cpp.
cudaError_t invalidate_blocking();
bool blocking_stream_captures();

/// For a call that may be unsafe: the captures that forbid it become invalid.
cudaError_t refuse_if_unsafe(bool whatever_the_mode = false);

/// What cudaThreadExchangeStreamCaptureMode exchanges.
cudaStreamCaptureMode& mode_of_thread();

}  // namespace cudalabs::vgpu::client
