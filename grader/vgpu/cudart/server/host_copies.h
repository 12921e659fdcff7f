// What copies to the host brought: how much of it was ever written on the device, and which lines of kernels wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server_report.h"
#include "vgpu/touched_bytes.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

class HostCopies {
 public:
  /// A call that asked for a copy, and the block of device memory that its rows lie in.
  struct Asked {
    std::string name;  // "cudaMemcpy"
    CallOrigin origin;
    wire::Rows rows;
    ByteRange block;
    bool host_wrote = false;  // a copy or a fill wrote to the block
    bool early = false;       // asked for before a kernel was launched
  };

  /// The copy is made now: looks at the memory as it is. Calls from one place are one entry.
  void add(const Asked& asked, const VirtualGpu& gpu);
  /// By the order of their first copies; the first ones only.
  const std::vector<HostCopy>& copies() const { return copies_; }

 private:
  std::vector<HostCopy> copies_;
};

}  // namespace cudalabs::vgpu
