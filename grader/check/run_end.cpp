// A run that did not finish, as a finding.
#include "check/run_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "check/destroyed_event.h"
#include "check/endless_host_loop.h"
#include "check/pointer_words.h"
#include "check/unrecorded_event.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/size_factor.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs {
namespace {

struct Words {
  std::string_view id, message, help;
};

Words words_of(RunEnd end) {
  switch (end) {
    case RunEnd::runtime_error:
      return {finding_ids::kRuntimeError, "the CUDA runtime reported an error",
              "check what every call returns, and print `cudaGetErrorString` of it: the first error is the one that "
              "counts"};
    case RunEnd::device_reset:
      return {finding_ids::kDeviceReset,
              "`cudaDeviceReset()` destroys all memory on the device, the arrays of your function's caller too",
              "remove the call; free what your function allocated with `cudaFree`, and leave the rest to the caller"};
    case RunEnd::crashed:
      return {finding_ids::kRunnerCrashed, "the host code crashed",
              "look at every index and pointer, and at what may throw; host code cannot read or write through a device "
              "pointer, but copies with `cudaMemcpy`"};
    case RunEnd::exited_early:
      return {finding_ids::kRunnerCrashed, "the program ended before your function returned",
              "your function must return to its caller: no `exit`, no uncaught exception"};
    case RunEnd::cpu_limit:
      return {finding_ids::kTimedOut, "the host code used up its time",
              "look for a loop on the host that does not end"};
    case RunEnd::wall_limit:
      return {finding_ids::kTimedOut, "the run did not end in time",
              "look for a loop that does not end, or a wait for something that never comes"};
    case RunEnd::memory_limit:
      return {finding_ids::kMemoryLimit, "the host code used more memory than the lab allows",
              "look for a loop that allocates on the host, and for a size that is computed wrongly; what the lab asks "
              "for needs little memory on the host"};
    case RunEnd::output_limit:
      return {finding_ids::kOutputLimit, "the program printed more than the lab allows",
              "take out the prints; one line when a call fails is enough"};
    case RunEnd::process_limit:
      return {finding_ids::kProcessLimit, "the program started more processes or threads than the lab allows",
              "one thread on the host is enough: the parallel part runs on the device"};
    case RunEnd::disk_limit:
      return {finding_ids::kDiskLimit, "the program wrote more into files than the lab allows",
              "take out what writes files: results go to the device's arrays"};
    case RunEnd::not_started:
      return {finding_ids::kRunnerCrashed, "the program cannot be started",
              "look for inline assembly that makes sections, or for an array larger than the memory"};
    case RunEnd::device_exhausted:
      return {finding_ids::kMemoryLimit, "the program asked more of the device than it can hold",
              "allocate, copy, launch and print less: look for a loop around these calls"};
    case RunEnd::over_budget:
      return {finding_ids::kTimeBudget, "all cases together took more time than a grading may",
              "look for loops that do far more than the task needs, on the host and in kernels, and for launches, "
              "copies and allocations without number"};
    case RunEnd::finished:
    case RunEnd::protocol_error:
      break;
  }
  return {finding_ids::kProtocolError, "the program interfered with the grader's own messages",
          "leave file descriptors that you did not open alone"};
}

bool explained(const Observation& observed, RunEnd end) {
  return std::ranges::any_of(observed.findings, [end](const Finding& finding) {
    if (finding.severity != Severity::error) return false;
    if (end == RunEnd::over_budget && finding.id == finding_ids::kTimedOut) return true;  // of the kernel in progress
    // Only an error of the device is explained by whatever was found on the device; the host must explain itself.
    return end == RunEnd::runtime_error || finding.id == words_of(end).id;
  });
}

std::string help_with(const WatchedCall& call) {
  const bool copies = call.name.starts_with("cudaMemcpy");
  if (call.status == cudaErrorNotSupported) {
    return fmt::format(
        "the virtual GPU does not offer `{}`: allocate with `cudaMalloc`, copy with `cudaMemcpy`, and launch with "
        "`<<<grid, block>>>`",
        call.name);
  }
  if ((call.status == cudaErrorInvalidValue || call.status == cudaErrorInvalidMemcpyDirection) && copies) {
    return "the direction must fit the pointers, and both arrays must hold as many bytes: the target comes first, then "
           "the source, and the size is in bytes";
  }
  if (call.status == cudaErrorInvalidValue && call.name == "cudaFree") {
    return "free what `cudaMalloc` gave, once, and nothing else: not a host array, not a pointer into the middle";
  }
  if (call.status == cudaErrorMemoryAllocation) {
    return "the size is in bytes: look at how it is computed, and free what is no longer used";
  }
  if (call.status == cudaErrorInvalidResourceHandle && call.name == "cudaEventElapsedTime") {
    return "an event has a time where it was created without `cudaEventDisableTiming`, and was recorded: create both "
           "with `cudaEventCreate`";
  }
  return fmt::format("check what `{}` returns, and print `cudaGetErrorString` of it", call.name);
}

bool is_about_pointer(std::int32_t status) {
  return status == cudaErrorInvalidDevicePointer || status == cudaErrorInvalidHostPointer ||
         status == cudaErrorHostMemoryNotRegistered;
}

/// Says of which call the error is.
void name_call(Finding& finding, const WatchedCall& call) {
  finding.where = call.where;
  if (finding.id == finding_ids::kDeviceReset) return;
  finding.note = fmt::format("`{}` is the last call that failed", call.name);
  finding.help = help_with(call);
}

/// "writes 1024 bytes from byte 1024 of an allocation of 1032 bytes"
std::string text_of(const vgpu::Overreach& reach) {
  const std::string rows = reach.rows > 1 ? fmt::format(" in {} rows", reach.rows) : "";
  return fmt::format("{} {} bytes{} from byte {} of an allocation of {} bytes", reach.writes ? "writes" : "reads",
                     reach.bytes, rows, reach.offset, reach.allocated);
}

/// A pointer of the device at which nothing is allocated may be one to memory that was freed.
void name_call_that_freed(Finding& finding, const Observation& observed) {
  const vgpu::CallPointers& pointers = *observed.refused_pointers;
  const bool stray = pointers.first == vgpu::PointerKind::stray || pointers.second == vgpu::PointerKind::stray;
  if (stray && observed.freed_before.known())
    finding.other =
        OtherPlace{"memory is freed here, before the call", observed.freed_before, {}, {}, PlaceRole::freeing};
}

/// The second of some arrays in one allocation, all of one size, begins four times too far from the start, behind the
/// allocation's end: with elements of four bytes that is what a number of bytes in place of elements gives.
bool adds_bytes_to_pointer(const vgpu::Overreach& reach) {
  return reach.rows == 1 && reach.offset == sizeof(float) * reach.bytes && reach.offset > reach.allocated;
}

/// Says which allocation is too small for the call.
void name_allocation(Finding& finding, const WatchedCall& call, const PastAllocation& past, std::string_view error) {
  finding.message = fmt::format("`{}` failed: it {}", call.name, text_of(past.reach));
  finding.note =
      fmt::format("it returned {} and did nothing, and what comes after it may go wrong for this reason alone", error);
  finding.other = OtherPlace{"the allocation", past.allocation, {}, {}};
  finding.access.kept = past.reach.kept;
  finding.access.past_end_of = past.reach.allocated;
  const auto factor = vgpu::size_factor(past.reach.allocated, past.reach.offset + past.reach.bytes);
  finding.help = factor && factor->exact && factor->times >= sizeof(float)
                     ? "the size that the allocation gets is in bytes: the number of elements times the size of one, "
                       "such as `n * sizeof(float)`"
                     : "allocate as many bytes as are used, also those between the parts of an array, or copy fewer; "
                       "all sizes are in bytes";
  if (adds_bytes_to_pointer(past.reach))
    finding.help = fmt::format(
        "the copy begins {0} times {1} bytes after the start, where {1} is what it copies: is a number of bytes added "
        "to a pointer? `pointer + n` goes on by n elements, of {0} bytes in an array of `float` or `int`: add the "
        "number of "
        "elements",
        sizeof(float), past.reach.bytes);
}

}  // namespace

std::optional<Finding> ending_of(const Observation& observed) {
  if (observed.end == RunEnd::finished || explained(observed, observed.end)) return std::nullopt;
  const Words words = words_of(observed.end);
  Finding finding;
  finding.id = words.id;
  finding.message = words.message;
  if (!observed.detail.empty()) finding.message += ": " + observed.detail;
  finding.help = words.help;
  if (observed.end == RunEnd::crashed) finding.help.scope = HelpScope::place;
  finding.where = observed.ended_at;
  if (observed.failed) name_call(finding, *observed.failed);
  if (observed.failed && finding.id == finding_ids::kRuntimeError)
    finding.wrong_pointer = is_about_pointer(observed.failed->status);
  name_endless_host_loop(finding, observed);
  return finding;
}

std::optional<Finding> refusal_of(const Observation& observed) {
  if (!observed.refused) return std::nullopt;
  const WatchedCall& call = *observed.refused;
  const auto status = static_cast<cudaError_t>(call.status);
  Finding finding;
  finding.id = finding_ids::kRuntimeError;
  const std::string error = fmt::format("{} ({})", vgpu::error_name(status), vgpu::error_text(status));
  finding.message = fmt::format("`{}` failed: {}", call.name, error);
  finding.failed_call = call.name;
  finding.where = call.where;
  finding.note = "it did nothing, and what comes after it may go wrong for this reason alone";
  finding.help = help_with(call);
  if (observed.past_allocation) {
    name_allocation(finding, call, *observed.past_allocation, error);
  } else if (observed.refused_pointers) {
    name_pointers(finding, call, *observed.refused_pointers, error);
    name_call_that_freed(finding, observed);
  } else {
    finding.wrong_pointer = is_about_pointer(call.status);
    name_unrecorded_event(finding, call, observed.watched);
    name_repeated_question(finding, observed);
    name_destroyed_event(finding, call, observed.watched);
  }
  return finding;
}

bool kernels_ran(const Observation& observed) {
  if (observed.end == RunEnd::finished) return true;
  return observed.end == RunEnd::runtime_error && explained(observed, RunEnd::runtime_error);
}

}  // namespace cudalabs
