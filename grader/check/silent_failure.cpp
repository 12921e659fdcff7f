// Whether a program says so when a launch fails.
#include "check/silent_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <string>
#include <string_view>

#include "check/denied_failure.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kLastError = "cudaGetLastError";

std::set<std::string_view> lines_of(std::string_view text) {
  std::set<std::string_view> lines;
  for (const auto line : text | std::views::split('\n')) {
    if (!line.empty()) lines.insert(std::string_view(line.begin(), line.end()));
  }
  return lines;
}

/// The same case, and all its calls went well. A launch that is refused in every case is told of in every case.
bool is_same_without_failure(const CaseRun& other, const CaseRun& case_run) {
  const Observation& observed = other.observed;
  return other.test.spec.parameters == case_run.test.spec.parameters && !other.test.spec.faults.any() &&
         !observed.refused &&
         std::ranges::find(observed.findings, finding_ids::kInvalidLaunch, &Finding::id) == observed.findings.end();
}

/// What it prints while nothing fails is no message about a failure.
bool says_something(const CaseRun& case_run, std::span<const CaseRun> all) {
  const auto said = lines_of(case_run.observed.console);
  return !said.empty() && std::ranges::none_of(all, [&](const CaseRun& other) {
    return is_same_without_failure(other, case_run) && std::ranges::includes(lines_of(other.observed.console), said);
  });
}

/// What is said of the failure alone.
std::string said_of_failure(const CaseRun& case_run, std::span<const CaseRun> all) {
  auto said = lines_of(case_run.observed.console);
  for (const CaseRun& other : all) {
    if (!is_same_without_failure(other, case_run)) continue;
    for (const std::string_view line : lines_of(other.observed.console)) said.erase(line);
  }
  return fmt::format("{}", fmt::join(said, "\n"));
}

/// The message is there, and says that nothing failed.
Finding denial(const FailedCall& failed) {
  Finding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.severity = Severity::warning;
  finding.message = "the program's message about a launch that failed says `no error`";
  finding.note = "the launch was made to fail, with cudaErrorLaunchOutOfResources";
  finding.where = failed.asked ? failed.asked->where : failed.where;
  if (failed.asked) finding.other = OtherPlace{"the launch that failed", failed.where, {}, {}};
  finding.help = "keep the error of the launch in a variable, and print `cudaGetErrorString` of that";
  if (!failed.asked || failed.asked->name != kLastError) return finding;
  finding.help.insert(0, "`cudaGetLastError` returns an error once, and `cudaSuccess` when it is called again: ");
  finding.cause = OtherPlace{"this call returned the error, and cleared it", failed.asked->where, {}, {}};
  return finding;
}

bool ended_there(const Observation& observed) {
  return observed.end == RunEnd::exited_early || observed.end == RunEnd::crashed;
}

/// A case in which nothing fails showed already that nobody asks about this launch.
bool told_elsewhere(const Finding& finding, std::span<const CaseRun> all) {
  return std::ranges::any_of(all, [&](const CaseRun& other) {
    return !other.test.spec.faults.any() && std::ranges::any_of(other.observed.findings, [&](const Finding& known) {
      return known.id == finding.id && known.where == finding.where && known.where.known();
    });
  });
}

}  // namespace

std::optional<Finding> silence_of(const CaseRun& case_run, std::span<const CaseRun> all) {
  const Observation& observed = case_run.observed;
  if (!observed.made_to_fail) return std::nullopt;
  if (denies_failure(said_of_failure(case_run, all))) return denial(*observed.made_to_fail);
  if (ended_there(observed) || says_something(case_run, all)) return std::nullopt;
  const auto known = std::ranges::find(observed.findings, finding_ids::kUncheckedLaunch, &Finding::id);
  if (known != observed.findings.end()) {
    if (told_elsewhere(*known, all)) return std::nullopt;
    return *known;
  }
  Finding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.severity = Severity::warning;
  finding.note = "the launch was made to fail, and the program printed no message";
  const FailedCall& failed = *observed.made_to_fail;
  if (failed.asked) {
    finding.message = fmt::format("`{}` returns the error of a launch here{}", failed.asked->name, kNotReported);
    finding.failed_call = failed.asked->name;
    finding.where = failed.asked->where;
    finding.other = OtherPlace{"the launch that failed", failed.where, {}, {}};
    finding.help =
        "keep what the call returns; if it is not `cudaSuccess`, whichever error it is, print `cudaGetErrorString` of "
        "it to `stderr`";
  } else {
    finding.message = "this launch failed, and the program said nothing";
    finding.where = failed.where;
    finding.help =
        "call `cudaGetLastError()` right after the launch, and print `cudaGetErrorString` of what is not `cudaSuccess` "
        "to `stderr`";
  }
  return finding;
}

}  // namespace cudalabs
