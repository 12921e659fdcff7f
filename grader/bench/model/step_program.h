// Steps of ladders, and whole submissions, as programs that call their contract's function once on the virtual GPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "build/builder.h"
#include "vgpu/profile/launch_counters.h"

namespace cudalabs::bench {

/// The source of `name` in a lab's mirror: a step of its ladder, an alternative submission, or a wrong one.
std::optional<std::filesystem::path> find_source(const std::string& lab, const std::string& name);

class StepProgram {
 public:
  /// Builds the program in `folder`. Throws std::runtime_error when that fails.
  StepProgram(const std::filesystem::path& source, Frontend frontend, const std::filesystem::path& folder);

  /// The launches of one call, of each about `sampled_blocks` executed on the GPU called `gpu`. Throws
  /// std::runtime_error when the program fails.
  std::vector<vgpu::LaunchCounters> launches(const std::string& function, const std::vector<long>& size,
                                             const std::string& gpu, std::uint64_t sampled_blocks) const;

 private:
  std::filesystem::path program_;
};

}  // namespace cudalabs::bench
