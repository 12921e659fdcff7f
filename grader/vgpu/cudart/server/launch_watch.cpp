// Failed launches: the findings they become, and whether the program ever looked.
#include "vgpu/cudart/server/launch_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "vgpu/check/finding_ids.h"
#include "vgpu/check/launch_words.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kMaxFailures = 1000;  // distinct ones; a hostile client could make up any number

}  // namespace

void LaunchWatch::add(Failure failure, bool unseen) {
  const auto same = [&](const Failure& known) {
    return known.kernel == failure.kernel && known.origin == failure.origin && known.status == failure.status &&
           known.message == failure.message;
  };
  auto found = std::find_if(failures_.begin(), failures_.end(), same);
  if (found == failures_.end()) {
    if (failures_.size() == kMaxFailures) return;
    found = failures_.insert(failures_.end(), std::move(failure));
  }
  ++found->count;
  if (unseen) ++found->unseen;
}

void LaunchWatch::refused(const std::string& kernel, const CallOrigin& origin, const Refusal& why,
                          const LaunchConfig& config, bool dropped) {
  add({kernel, origin, why.status, 0, 0, Failure::Cause::refused, why.message, why.help, launch_note(config), why.grid},
      dropped);
}

void LaunchWatch::made_to_fail(const std::string& kernel, const CallOrigin& origin, cudaError_t status, bool dropped) {
  add({kernel, origin, status, 0, 0, Failure::Cause::made_to_fail, "", "", ""}, dropped);
}

void LaunchWatch::failed(const std::string& kernel, const CallOrigin& origin, cudaError_t status) {
  add({kernel, origin, status, 0, 0, Failure::Cause::of_context, "", "", ""}, true);
}

void LaunchWatch::looked() {
  for (Failure& failure : failures_) failure.unseen = 0;
}

void LaunchWatch::context_error_returned() {
  for (Failure& failure : failures_)
    if (failure.cause == Failure::Cause::of_context) failure.unseen = 0;
}

std::vector<HostFinding> LaunchWatch::findings() const {
  std::vector<HostFinding> findings;
  for (const Failure& failure : failures_) {
    if (failure.cause != Failure::Cause::refused) continue;
    Finding finding;
    finding.id = finding_ids::kInvalidLaunch;
    finding.message = fmt::format("launch of `{}` refused: {}", failure.kernel, failure.message);
    finding.kernel = failure.kernel;
    finding.count = failure.count;
    finding.note = fmt::format("the kernel did not run; the launch failed with {} ({})\n{}", error_name(failure.status),
                               error_text(failure.status), failure.launch);
    finding.help = failure.help;
    finding.launch.refused_grid = failure.grid;
    findings.push_back({std::move(finding), failure.origin});
  }
  for (const Failure& failure : failures_) {
    if (failure.unseen == 0) continue;
    Finding finding;
    finding.id = finding_ids::kUncheckedLaunch;
    finding.severity = Severity::warning;
    finding.message = fmt::format("launch of `{}` failed and the program never looked", failure.kernel);
    finding.kernel = failure.kernel;
    finding.count = failure.unseen;
    finding.note = fmt::format("{} ({})", error_name(failure.status), error_text(failure.status));
    if (failure.cause == Failure::Cause::made_to_fail) finding.note += ": made to fail, to see who looks";
    finding.help = failure.cause == Failure::Cause::of_context
                       ? "check what `cudaDeviceSynchronize()` returns after the launch"
                       : "check `cudaGetLastError()` after the launch; `<<<...>>>` itself returns nothing";
    findings.push_back({std::move(finding), failure.origin});
  }
  return findings;
}

}  // namespace cudalabs::vgpu
