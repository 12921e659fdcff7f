// Reads the order of the runtime calls that the server saw.
#include "run/unasked_launch.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::runner {
namespace {

/// `<<<>>>`; a caller of `cudaLaunchKernel` has its result in hand.
bool launches(const vgpu::ApiCall& call) {
  return call.dropped;
}

bool asks(const vgpu::ApiCall& call) {
  return call.name == "cudaGetLastError" || call.name == "cudaPeekAtLastError";
}

}  // namespace

void add_unasked_launch(vgpu::ServerReport& report) {
  const bool reported = std::any_of(report.findings.begin(), report.findings.end(),
                                    [](const Finding& finding) { return finding.id == finding_ids::kUncheckedLaunch; });
  // A log that was cut says nothing about what came after.
  if (reported || report.call_count != report.calls.size()) return;
  const auto last = std::find_if(report.calls.rbegin(), report.calls.rend(), launches);
  if (last == report.calls.rend()) return;
  if (std::any_of(last.base(), report.calls.end(), asks)) return;

  Finding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.severity = Severity::warning;
  finding.message = "nobody asks whether this launch went well";
  finding.note = "a launch returns nothing; one that is refused leaves its output as it was";
  finding.help = "call `cudaGetLastError()` right after the launch and report what is not `cudaSuccess`";
  finding.count = static_cast<std::uint64_t>(std::count_if(report.calls.begin(), report.calls.end(), launches));
  report.origins.push_back({static_cast<std::uint32_t>(report.findings.size()), {.address = last->origin, .outer = 0}});
  report.findings.push_back(std::move(finding));
}

}  // namespace cudalabs::runner
