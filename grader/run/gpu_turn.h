// Whose turn it is on this machine's GPU, among all gradings there are: many may run cases at a time, and who measures
// is alone.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sandbox/fd.h"

namespace cudalabs {

class GpuTurn {
 public:
  enum class Kind : std::uint8_t { shared, alone };
  /// The machine's, whatever TMPDIR is: gradings with temporary folders of their own share the GPU all the same.
  static constexpr const char* kMachine = "/tmp";

  /// Waits for its turn among all whose locks lie in `folder`. Who wants to be alone does not wait longer than for
  /// those who are there already. Throws std::system_error when no lock can be made there.
  explicit GpuTurn(Kind kind, const std::filesystem::path& folder = kMachine);

 private:
  sandbox::Fd queue_;  // held by who waits to be alone, and passed by all others
  sandbox::Fd gpu_;
};

}  // namespace cudalabs
