// Whose turn it is on this machine's GPU, among all gradings there are: many may run cases at a time, and who measures
// is alone.
#pragma once

#include <cstdint>

#include "sandbox/fd.h"

namespace cudalabs {

class GpuTurn {
 public:
  enum class Kind : std::uint8_t { shared, alone };
  /// Waits for its turn. Who wants to be alone does not wait longer than for those who are there already. Throws
  /// std::system_error when the machine has no place for locks.
  explicit GpuTurn(Kind kind);

 private:
  sandbox::Fd turnstile_;  // held by who waits to be alone, and passed by all others
  sandbox::Fd gpu_;
};

}  // namespace cudalabs
