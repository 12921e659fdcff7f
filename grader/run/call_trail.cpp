#include "run/call_trail.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs::runner {

int error_of(const datasets::Faults& faults) {
  if (!faults.any()) return cudaSuccess;
  if (faults.launch != 0) return cudaErrorLaunchOutOfResources;
  if (faults.allocation != 0 || faults.copy != 0) return cudaErrorMemoryAllocation;
  return faults.illegal_address ? cudaErrorIllegalAddress : cudaErrorLaunchFailure;
}

namespace {

using CallInLog = std::vector<vgpu::ApiCall>::const_iterator;

std::span<const vgpu::ApiCall> calls_from(CallInLog first, const std::vector<vgpu::ApiCall>& calls) {
  const auto next = std::find_if(std::next(first), calls.end(), std::mem_fn(&vgpu::ApiCall::first_of_function));
  const auto most = static_cast<std::ptrdiff_t>(kMostInTrail + 1);
  return {first, std::min(next - first, most) + first};
}

}  // namespace

std::span<const vgpu::ApiCall> calls_from_failure(const vgpu::ServerReport& report, const datasets::Faults& faults) {
  if (!faults.any()) return {};
  const auto failed = std::ranges::find(report.calls, error_of(faults), &vgpu::ApiCall::status);
  return failed == report.calls.end() ? std::span<const vgpu::ApiCall>() : calls_from(failed, report.calls);
}

std::span<const vgpu::ApiCall> calls_from_unchecked_launch(const vgpu::ServerReport& report) {
  const auto finding = std::ranges::find(report.findings, finding_ids::kUncheckedLaunch, &Finding::id);
  if (finding == report.findings.end() || report.call_count != report.calls.size()) return {};
  const auto number = static_cast<std::uint32_t>(finding - report.findings.begin());
  const auto origin = std::ranges::find_if(report.origins, [&](const vgpu::FindingOrigin& placed) {
    return placed.finding == number && !placed.of_other && !placed.of_launch && !placed.of_cause;
  });
  if (origin == report.origins.end()) return {};
  const auto is_there = [&](const vgpu::ApiCall& call) {
    return call.dropped && call.origin == origin->origin.address;
  };
  const auto failed =
      std::ranges::find_if(report.calls, [&](const vgpu::ApiCall& call) { return is_there(call) && call.status != 0; });
  if (failed != report.calls.end()) return calls_from(failed, report.calls);
  const auto last = std::ranges::find_if(report.calls.rbegin(), report.calls.rend(), is_there);
  return last == report.calls.rend() ? std::span<const vgpu::ApiCall>()
                                     : calls_from(std::prev(last.base()), report.calls);
}

}  // namespace cudalabs::runner
