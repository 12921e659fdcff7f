// Failed launches: the findings they become, and whether the program ever looked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/cudart/include/driver_types.h"
#include "vgpu/cudart/server/launch_check.h"
#include "vgpu/cudart/server_report.h"
#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// A finding of the host side, with the call site it comes from.
struct HostFinding {
  Finding finding;
  CallOrigin origin;
  CallOrigin other = {};  // of Finding::other
  CallOrigin cause = {};  // of Finding::cause
};

class LaunchWatch {
 public:
  /// A launch was refused when it was issued. `dropped`: its status went nowhere (<<<>>>).
  void refused(const std::string& kernel, const CallOrigin& origin, const Refusal& why, const LaunchConfig& config,
               bool dropped);
  /// A launch that nothing was wrong with was refused on purpose: no finding unless nobody looks.
  void made_to_fail(const std::string& kernel, const CallOrigin& origin, cudaError_t status, bool dropped);
  /// A kernel failed while it ran, which ended the context.
  void failed(const std::string& kernel, const CallOrigin& origin, cudaError_t status);
  /// The program asked for the last error and was shown one.
  void looked();
  /// A call other than a launch returned the context's error.
  void context_error_returned();

  /// `invalid-launch` for each kind of refusal, then `unchecked-launch` for failures nobody looked at.
  std::vector<HostFinding> findings() const;

 private:
  struct Failure {
    std::string kernel;
    CallOrigin origin;
    cudaError_t status = cudaSuccess;
    std::uint64_t count = 0;   // launches
    std::uint64_t unseen = 0;  // of them, not looked at
    enum class Cause : std::uint8_t { refused, made_to_fail, of_context } cause = Cause::refused;
    // Of refusals only.
    std::string message;
    Help help;
    std::string launch;
    std::optional<Index3> grid = {};  // of a refusal that it is the reason for
    bool operator==(const Failure&) const = default;
  };
  void add(Failure failure, bool unseen);

  std::vector<Failure> failures_;
};

}  // namespace cudalabs::vgpu
