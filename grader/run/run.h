// Runs a built submission on one case on the virtual GPU and says what was observed. Judges nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "build/builder.h"
#include "datasets/dataset.h"
#include "lab/program_data.h"
#include "vgpu/check/barrier_usage.h"
#include "vgpu/cudart/mutants.h"
#include "vgpu/cudart/server_report.h"
#include "vgpu/cudart/transfers.h"
#include "vgpu/finding.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs {

namespace sandbox {
class Budget;
}

namespace runner {
class CaseInputs;
class DeviceHost;
class SourceLines;
}  // namespace runner

/// How the runner process ended, as the trusted side saw it.
enum class RunEnd : std::uint8_t {
  finished,       // sent DONE and exited cleanly
  runtime_error,  // the harness reported a CUDA error (text in `detail`)
  device_reset,   // the submission has reset the device, whether a call failed after that or not
  crashed,        // killed by a signal (in `detail`)
  exited_early,   // exited without DONE
  cpu_limit,
  wall_limit,
  memory_limit,
  output_limit,
  process_limit,
  disk_limit,
  not_started,       // the kernel would not execute the program
  device_exhausted,  // asked more of the virtual GPU than it can hold or do
  over_budget,       // all that the grading may use was used up
  protocol_error     // said something the protocol does not allow
};
std::string_view name_of(RunEnd end);

struct RunRequest {
  const Program* program = nullptr;
  std::filesystem::path runner;
  std::filesystem::path device_code;  // PTX in the place of the runner's own; empty: its own
  std::filesystem::path source;       // the student's file, to name it in findings; empty: the contract's name
  const datasets::Case* test = nullptr;
  /// Of `test`, made before; null: they are made from its values.
  std::shared_ptr<const runner::CaseInputs> inputs = nullptr;
  const datasets::Case* before = nullptr;  // what the function is called with first, in the same process; null: nothing
  sandbox::Budget* budget = nullptr;       // of the whole grading; null: none
  runner::DeviceHost* host = nullptr;    // where the virtual GPU runs; null: in one that is started for this case alone
  runner::SourceLines* lines = nullptr;  // of host code, remembered from run to run; null: looked up for this run alone
  bool checks = true;                    // false: counters and output only (fast build)
  bool hurry = false;                    // far less time: the submission is known not to come to an end
  bool access_counters = false;          // counters of memory accesses; with sampled blocks always
  bool record_accesses = false;          // an example of every memory instruction
  /// About as many blocks of every launch are executed, and its counters are scaled to the grid; 0: all blocks.
  /// Outputs are then worthless. Only without checks.
  std::uint64_t sampled_blocks = 0;
  /// Blocks that come to the limit of instructions are stopped alone, as in vgpu::exec::LaunchRequest.
  bool stops_slow_blocks = false;
  std::uint64_t reset_variables = 0;                 // vgpu::KeptVariable::number as bits: these are kept by no launch
  bool record_transfers = false;                     // every copy between host and device, with its bytes
  const vgpu::Replacements* replacements = nullptr;  // what the virtual GPU puts in their place; null: nothing
  const vgpu::MutantOrder* mutants = nullptr;        // what is tried once the run has ended; null: nothing
};

/// A runtime call between the runner's cudaProfilerStart and cudaProfilerStop.
struct WatchedCall {
  std::string name;          // "cudaEventRecord"
  int status = 0;            // cudaError_t
  SourcePlace where;         // of the call
  bool waits = false;        // when it returned, everything launched before it was done
  bool encloses = false;     // an elapsed time whose events have the last launch between them, and were waited for
  bool after_clock = false;  // the program read a clock since the call before
  std::uint64_t stream = 0;  // that it was given; 0: the default stream, or none
  SourcePlace outer = {};    // where the function was called that `where` is in
  std::uint64_t event = 0;   // that it is about: a number that no other event has; 0: none
  // Of an elapsed time, whose first event is `event`.
  std::uint64_t second_event = 0;
  bool begins_before = false;  // the first is recorded in an order before the last launch
  bool ends_after = false;     // the second is recorded in an order after it
  bool without_time = false;   // it has created an event with cudaEventDisableTiming
};

/// A launch or a copy that the grader made to fail, and how the program learnt of it.
struct FailedCall {
  SourcePlace where;
  std::optional<WatchedCall> asked;  // the first call that returned the error: a copy itself; after a launch another
};

/// Where a kernel was launched last, and first.
struct LaunchPlace {
  std::string kernel;  // as in LaunchCounters
  SourcePlace where, first = {};
};

/// What one call copied to the host.
struct ResultCopy {
  vgpu::HostCopy copy;
  SourcePlace where;  // of the call
};

/// The last call but a launch that wrote to an output in device memory.
struct HostWrite {
  std::string array;
  std::string name;  // "cudaMemset"
  SourcePlace where;
};

/// A variable that a launch began with as another had left it.
struct KeptValue {
  vgpu::KeptVariable variable;
  SourcePlace launch;
};

/// A call that was refused for the allocation that it reaches past the end of.
struct PastAllocation {
  vgpu::Overreach reach;
  SourcePlace allocation;  // where it was made
};

/// A call that a program made again and again until its time was up.
struct RepeatedCall {
  WatchedCall call;
  std::uint64_t times = 0;
  bool created = false;             // where it asks for an event: that was made by the program
  SourcePlace recorded, destroyed;  // likewise: where the last call does that; of a stream, where it is destroyed
};

struct Observation {
  RunEnd end = RunEnd::protocol_error;
  bool idle = false;     // ended because it did nothing for too long: no busy machine explains that
  std::string after;     // the case that did not come to an end before, so that this one was hurried, or not run at all
  std::string detail;    // one line for people: "killed by SIGSEGV (invalid memory reference)"
  std::string console;   // what it printed, cut at the output limit; printable UTF-8
  std::string errors;    // of that what went to stderr
  SourcePlace ended_at;  // of a run that exited early: where the submission called `exit` or the like; of one that
                         // used up its processor time: the line that it executed then
  std::vector<datasets::Array> outputs;         // copied from the runner after DONE; empty unless finished
  std::vector<datasets::Array> outputs_before;  // those of the first of two calls
  std::vector<LaunchPlace> launch_places;       // of each kernel, where an output may be unwritten, or is a sum
  std::vector<Finding> findings;                // from the virtual GPU and the runtime server
  std::vector<vgpu::LaunchCounters> launches;
  std::uint64_t asked_launches = 0;  // all that the device was asked for
  vgpu::LineCoverage coverage;
  vgpu::BranchCoverage branches;
  std::vector<vgpu::AccessSample> accesses;    // empty unless asked for
  std::vector<vgpu::ArrayWriter> idle_stores;  // to outputs, that no thread came to in some launch
  std::vector<vgpu::StoreExtent> extents;      // what each launch stored to the outputs on the device
  std::vector<vgpu::ArrayWriter> writers;      // of the outputs on the device, and of other memory there
  std::vector<ResultCopy> copies;              // after a launch, in the order of the first of each call
  std::vector<ResultCopy> early_copies;        // likewise, before any launch
  std::vector<HostWrite> host_writes;          // one for each output that has any
  bool has_managed = false;                    // there was unified memory
  std::vector<vgpu::OutputGaps> gaps;          // what nothing wrote of outputs in device memory, where that is known
  std::vector<std::string> on_device;          // the outputs that lie in device memory
  std::vector<KeptValue> kept_values;
  vgpu::BarrierUsage barriers;
  bool wide_accesses = false;         // its device code may access several elements of memory at once
  std::vector<WatchedCall> watched;   // in the order the virtual GPU saw them
  bool clock_after_watched = false;   // the program read a clock after the last of them
  std::optional<WatchedCall> failed;  // of a run that ended in a runtime error: the last call that reported one; of one
                                      // that ended in a device reset: that call
  std::optional<WatchedCall> refused;  // the first call that failed for a reason of its own; not in a case with faults
  std::optional<RepeatedCall> repeated;                // of a run whose time was up
  std::optional<PastAllocation> past_allocation;       // why `refused` failed, where that is the reason
  std::optional<vgpu::CallPointers> refused_pointers;  // likewise
  SourcePlace freed_before;                            // the last call before a refused one that freed device memory
  bool refused_before_launch = false;  // `refused` was before the last kernel, which may have suffered from it
  bool nothing_failed =
      false;  // in a case with faults: no call that was to fail was made. What is wrong is so elsewhere
  /// Of a case in which a call is made to fail: the first that failed so, and what the program called from then on
  /// until its function returned (run/call_trail.h); likewise from a launch on that nobody asks about.
  std::vector<WatchedCall> after_failure, after_launch;
  std::optional<FailedCall> made_to_fail;  // of a case in which a launch or a copy was to fail, if it came to it
  double wall_seconds = 0;                 // GO to DONE on the trusted side's clock
  double kernel_seconds = 0;               // time the virtual GPU spent in kernels
  std::vector<double> launch_seconds;      // of each launch, in the order of their execution; the first ones
  vgpu::TransferLog transfers;             // empty unless asked for
  vgpu::MutantLog mutants;                 // likewise; places as the compiler knows them
};

/// The sandbox tier this machine offers, probed once: "bubblewrap", ... and why it is not a stronger one.
struct SandboxTier {
  std::string name;    // "A (bubblewrap, seccomp)", ...
  std::string reason;  // why not a stronger tier; empty for the strongest
};
SandboxTier sandbox_tier();

/// Gives `finding` the line of the runtime call with this origin, in the student's own file.
void place_at_call(Finding& finding, const vgpu::CallOrigin& call, const RunRequest& request);

/// Runs one case in a fresh process. Throws std::runtime_error only when the grader's own machinery fails.
Observation run(const RunRequest& request);

}  // namespace cudalabs
