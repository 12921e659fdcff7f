// The runtime call that a program made again and again until its time was up.
#pragma once

#include <cstdint>
#include <optional>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::runner {

/// What else is known of it, where it asks whether an event or a stream is done.
struct RepeatedApiCall {
  vgpu::ApiCall call;          // as it was made last
  std::uint64_t times = 0;     // as far as the log tells
  bool created = false;        // the event was made by a call of the log
  vgpu::CallOrigin recorded;   // of the event: the last call that did
  vgpu::CallOrigin destroyed;  // of the event or the stream
};

/// Of a program that ran out of time: the call, among those that the log ends with, of a loop that makes few different
/// ones. A question comes before other calls. Nothing where no call was made very often.
std::optional<RepeatedApiCall> repeated_call(const vgpu::ServerReport& report);

}  // namespace cudalabs::runner
