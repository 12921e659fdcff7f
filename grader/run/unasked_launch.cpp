// Reads the order of the runtime calls that the server saw.
#include "run/unasked_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::runner {
namespace {

using CallFromEnd = std::vector<vgpu::ApiCall>::const_reverse_iterator;

/// `<<<>>>`; a caller of `cudaLaunchKernel` has its result in hand.
bool launches(const vgpu::ApiCall& call) {
  return call.dropped;
}

bool asks(const vgpu::ApiCall& call) {
  return call.name == "cudaGetLastError" || call.name == "cudaPeekAtLastError";
}

/// The last question before the launch, from the launch before on.
CallFromEnd asked_before(const std::vector<vgpu::ApiCall>& calls, CallFromEnd launch) {
  const auto found =
      std::find_if(std::next(launch), calls.rend(), [](const auto& call) { return asks(call) || launches(call); });
  return found != calls.rend() && launches(*found) ? calls.rend() : found;
}

/// Shows the question before `launch`, if there was one, beside the finding of this number, which is about it.
void show_question_before(vgpu::ServerReport& report, std::uint32_t number, CallFromEnd launch) {
  const auto asked = asked_before(report.calls, launch);
  if (asked == report.calls.crend()) return;
  Finding& finding = report.findings[number];
  finding.other = OtherPlace{"this asks before the launch, and knows nothing of it", {}, {}, {}};
  finding.help =
      fmt::format("call `{}()` right after the launch as well, or move it there, and report what is not `cudaSuccess`",
                  asked->name);
  report.origins.push_back({number, {.address = asked->origin, .outer = 0}, true});
}

/// The first launch of `<<<>>>` from there that was refused.
CallFromEnd refused_from(const std::vector<vgpu::ApiCall>& calls, std::uint64_t origin) {
  const auto found = std::find_if(calls.begin(), calls.end(), [&](const vgpu::ApiCall& call) {
    return launches(call) && call.status != 0 && call.origin == origin;
  });
  return found == calls.end() ? calls.crend() : std::make_reverse_iterator(std::next(found));
}

}  // namespace

void add_unasked_launch(vgpu::ServerReport& report) {
  const auto known = std::ranges::find(report.findings, finding_ids::kUncheckedLaunch, &Finding::id);
  // A log that was cut says nothing about what came after.
  if (report.call_count != report.calls.size()) return;
  if (known != report.findings.end()) {
    const auto number = static_cast<std::uint32_t>(known - report.findings.begin());
    const auto placed = std::ranges::find(report.origins, number, &vgpu::FindingOrigin::finding);
    if (placed == report.origins.end() || known->other) return;
    const CallFromEnd refused = refused_from(report.calls, placed->origin.address);
    if (refused != report.calls.crend()) show_question_before(report, number, refused);
    return;
  }
  const CallFromEnd last = std::find_if(report.calls.crbegin(), report.calls.crend(), launches);
  if (last == report.calls.crend()) return;
  if (std::any_of(last.base(), report.calls.cend(), asks)) return;

  Finding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.severity = Severity::warning;
  finding.message = "nobody asks whether this launch went well";
  finding.note = "a launch returns nothing; one that is refused leaves its output as it was";
  finding.help = "call `cudaGetLastError()` right after the launch and report what is not `cudaSuccess`";
  finding.count = static_cast<std::uint64_t>(std::count_if(report.calls.begin(), report.calls.end(), launches));
  const auto number = static_cast<std::uint32_t>(report.findings.size());
  report.origins.push_back({number, {.address = last->origin, .outer = 0}});
  report.findings.push_back(std::move(finding));
  show_question_before(report, number, last);
}

}  // namespace cudalabs::runner
