// The runtime calls of a program from a certain one on, up to where its function returned.
#pragma once

#include <span>
#include <vector>

#include "datasets/dataset.h"
#include "run/run.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::runner {

/// Longer trails are not told.
constexpr std::size_t kMostInTrail = 64;

/// The error that a call gets which `faults` make fail; 0: none do.
int error_of(const datasets::Faults& faults);

/// From the first call on, up to where the caller goes on to its next function, that failed as `faults` say: the
/// allocation or the launch that was made to fail, or the call that was told of the kernel. Empty: none did. With at
/// most one call more than a trail may have.
std::span<const vgpu::ApiCall> calls_from_failure(const vgpu::ServerReport& report, const datasets::Faults& faults);

/// From the launch on that an `unchecked-launch` of `report` is placed at: of several the first that failed, or else
/// the last. Empty: there is no such finding, or the log was cut.
std::span<const vgpu::ApiCall> calls_from_unchecked_launch(const vgpu::ServerReport& report);

/// Leaves of `calls`, the first of which may be anybody's, those that the program itself made: up to the first that has
/// no place in it and is no launch, for the program may launch by a function that it was given. Leaves none where the
/// end is not among them. `is_own`: whether a place is in the program's source.
template <typename IsOwn>
void keep_own_calls(std::vector<WatchedCall>& calls, const IsOwn& is_own) {
  std::size_t kept = calls.empty() ? 0 : 1;
  while (kept < calls.size() && (is_own(calls[kept].where) || calls[kept].name.starts_with("cudaLaunch"))) ++kept;
  if (kept == calls.size() && kept > kMostInTrail) kept = 0;
  calls.resize(kept);
}

}  // namespace cudalabs::runner
