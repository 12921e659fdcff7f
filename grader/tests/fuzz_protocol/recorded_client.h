// Serves a client that has said all it will ever say, on the fake virtual GPU.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu::fuzz {

struct Served {
  ServerReport report;
  std::vector<int> answers;  // the statuses of the result frames, in order
  std::size_t unread = 0;    // bytes that the session did not ask for
};

/// `device_thread`: the device works beside the connection, as it does for programs; else the same bytes take the same
/// way through the session every time.
Served serve(std::span<const std::byte> said, bool device_thread);

}  // namespace cudalabs::vgpu::fuzz
