// What a job needs to see of this machine to drive its real GPU.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sandbox/sandbox.h"

namespace cudalabs {

/// The GPU or its driver does not work: never the submission's doing.
class GpuUnfit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cudalabs

namespace cudalabs::runner {

/// The driver's device nodes and libraries. Throws GpuUnfit when there is none.
void allow_real_device(sandbox::Job& job);

/// Starts a small job that may use the device files of `job` and opens each of them. Returns why one cannot be opened
/// from inside the sandbox, for people; empty when all can.
std::string unopenable_device(const std::vector<sandbox::Visible>& visible);

/// Throws GpuUnfit when the sandbox leads to no GPU. A tenth of a second; starts no driver.
void require_real_device();

}  // namespace cudalabs::runner
