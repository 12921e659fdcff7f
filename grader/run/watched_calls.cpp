// The runtime calls that a runner marks for the grader to look at.
#include "run/watched_calls.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "vgpu/cudart/error_text.h"

namespace cudalabs::runner {

std::span<const vgpu::ApiCall> watched_calls(const vgpu::ServerReport& report) {
  const auto& calls = report.calls;
  if (report.call_count != calls.size()) return {};
  const auto start = std::ranges::find(calls, "cudaProfilerStart", &vgpu::ApiCall::name);
  const auto stop = std::ranges::find(calls.rbegin(), calls.rend(), "cudaProfilerStop", &vgpu::ApiCall::name);
  if (start == calls.end() || stop == calls.rend() || stop.base() - calls.begin() < start - calls.begin() + 2)
    return {};
  return {std::next(start), std::prev(stop.base())};
}

bool looked_at_clock_last(const vgpu::ServerReport& report) {
  const std::span<const vgpu::ApiCall> watched = watched_calls(report);
  return !watched.empty() && std::to_address(watched.end())->after_clock;  // that is the runner's cudaProfilerStop
}

namespace {

bool asks_for_errors(const vgpu::ApiCall& call) {
  return call.name == "cudaGetLastError" || call.name == "cudaPeekAtLastError";
}

}  // namespace

bool met_faults(const vgpu::ServerReport& report) {
  return report.call_count != report.calls.size() || std::ranges::any_of(report.calls, [](const vgpu::ApiCall& call) {
           return call.status == cudaErrorMemoryAllocation || call.status == cudaErrorLaunchOutOfResources ||
                  call.status == cudaErrorLaunchFailure || call.status == cudaErrorIllegalAddress;
         });
}

std::optional<CallMadeToFail> copy_made_to_fail(const vgpu::ServerReport& report) {
  const auto copy = std::ranges::find_if(report.calls, [](const vgpu::ApiCall& call) {
    return call.name.starts_with("cudaMemcpy") && call.status == cudaErrorMemoryAllocation;
  });
  if (copy == report.calls.end()) return std::nullopt;
  return CallMadeToFail{*copy, *copy};
}

std::optional<CallMadeToFail> launch_made_to_fail(const vgpu::ServerReport& report) {
  const auto launch = std::ranges::find_if(report.calls, [](const vgpu::ApiCall& call) {
    return call.name.starts_with("cudaLaunch") && call.status == cudaErrorLaunchOutOfResources;
  });
  if (launch == report.calls.end()) return std::nullopt;
  CallMadeToFail made{*launch, {}};
  const auto asked = std::find_if(std::next(launch), report.calls.end(), [](const vgpu::ApiCall& call) {
    return asks_for_errors(call) && call.status == cudaErrorLaunchOutOfResources;
  });
  if (asked != report.calls.end()) made.asked = *asked;
  return made;
}

std::optional<vgpu::ApiCall> failed_call(const vgpu::ServerReport& report) {
  const auto failed = std::ranges::find_if(report.calls.rbegin(), report.calls.rend(), [](const vgpu::ApiCall& call) {
    return call.status != 0 && call.status != cudaErrorNotReady && !asks_for_errors(call);
  });
  if (failed == report.calls.rend()) return std::nullopt;
  return *failed;
}

std::optional<RefusedCall> refused_call(const vgpu::ServerReport& report, int made_to_fail) {
  // From 600 on errors are of what ran before, a kernel that failed or a device that is lost, or, as those of calls
  // that are not offered here, findings by themselves.
  constexpr int kFirstOfOthers = cudaErrorNotReady;
  const auto refused = std::ranges::find_if(report.calls, [&](const vgpu::ApiCall& call) {
    if (call.status == 0 || call.status == made_to_fail || call.status >= kFirstOfOthers) return false;
    return !asks_for_errors(call) && !call.name.starts_with("cudaLaunch") && !call.name.starts_with("cudaFree");
  });
  if (refused == report.calls.end()) return std::nullopt;
  RefusedCall found{*refused, std::any_of(std::next(refused), report.calls.end(), [](const vgpu::ApiCall& call) {
                      return call.name.starts_with("cudaLaunch");
                    })};
  const auto frees = [](const vgpu::ApiCall& call) { return call.name.starts_with("cudaFree") && call.status == 0; };
  const auto freed = std::find_if(std::make_reverse_iterator(refused), report.calls.rend(), frees);
  if (freed != report.calls.rend()) found.freed_before = freed->origin;
  return found;
}

std::optional<vgpu::ApiCall> device_reset(const vgpu::ServerReport& report) {
  const auto reset = std::ranges::find_if(
      report.calls, [](const vgpu::ApiCall& call) { return call.name == "cudaDeviceReset" && call.status == 0; });
  if (reset == report.calls.end()) return std::nullopt;
  return *reset;
}

}  // namespace cudalabs::runner
