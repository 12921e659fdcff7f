// What the virtual GPU's server saw of one client, as it travels to the process that started the server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/check/barrier_usage.h"
#include "vgpu/cudart/pointer_kind.h"
#include "vgpu/finding.h"
#include "vgpu/store_extent.h"
#include "vgpu/touched_bytes.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

/// A call site in the client's program: addresses relative to its load address, inside the call instruction, for
/// addr2line (origins.h). 0: unknown. The client says these, so they are claims.
struct CallOrigin {
  std::uint64_t address = 0;
  std::uint64_t outer = 0;  // where the function around it was called: wanted when that is a wrapper in a CUDA header

  bool operator==(const CallOrigin&) const = default;
};

/// Where a host-side finding comes from.
struct FindingOrigin {
  std::uint32_t finding = 0;  // index into ServerReport::findings
  CallOrigin origin;          // of Finding::where
  bool of_other = false;      // of Finding::other instead
  bool of_launch = false;     // of Finding::launch instead
  bool of_cause = false;      // of Finding::cause instead

  bool operator==(const FindingOrigin&) const = default;
};

/// One runtime API call, in the order the server saw them.
struct ApiCall {
  std::string name;          // "cudaMemcpy"
  std::uint64_t stream = 0;  // 0: default stream, or a call that names none
  std::uint64_t origin = 0;  // as CallOrigin::address
  int status = 0;            // cudaError_t
  bool dropped = false;      // a launch by <<<>>>: the program never got the status
  bool waits = false;        // when it returned, everything launched before it was done
  bool encloses = false;     // an elapsed time whose events have the last launch between them, and were waited for
  bool after_clock = false;  // the program read a clock between the call before and this one
  std::uint64_t outer = 0;   // as CallOrigin::outer
  std::uint64_t event = 0;   // that it is about: a number that no other event has; 0: none
  // Of an elapsed time, whose first event is `event`.
  std::uint64_t second_event = 0;
  bool begins_before = false;      // the first is recorded in an order before the last launch
  bool ends_after = false;         // the second is recorded in an order after it
  bool without_time = false;       // it has created an event with cudaEventDisableTiming
  std::uint64_t times = 1;         // that it was made, one after the other, from one place and with one answer
  bool first_of_function = false;  // the caller has gone on to its next function since the call before

  bool operator==(const ApiCall&) const = default;
};

/// The copies to the host that one call of the program made.
struct HostCopy {
  std::string name;             // "cudaMemcpy"
  CallOrigin origin;            // of the call
  std::uint64_t calls = 0;      // how often it was made
  std::uint64_t bytes = 0;      // copied by all of them
  std::uint64_t unwritten = 0;  // of these, that nothing had written on the device
  bool elsewhere = false;  // where bytes were unwritten: only kernels wrote to the array, and at least as many bytes of
                           // it as were copied, but not the same ones
  std::vector<ArrayWriter> writers;  // the lines of kernels that wrote to the arrays; the first ones
  std::vector<StoreExtent> extents;  // of a single copy that begins with an array: what each launch stored to it

  bool operator==(const HostCopy&) const = default;
};

/// What nothing had written of an output in device memory when its caller copied it back.
struct OutputGaps {
  static constexpr std::size_t kMost = 10'000;  // of one with more gaps nothing is told

  std::string name;
  std::vector<ByteRange> unwritten;  // from the output's first byte on, in their order

  bool operator==(const OutputGaps&) const = default;
};

/// The last call of the program, other than a launch, that wrote to an output in device memory.
struct HostWrite {
  std::string array;
  std::string name;  // "cudaMemset"
  CallOrigin origin;

  bool operator==(const HostWrite&) const = default;
};

/// Where a kernel was launched last, and first.
struct LaunchCall {
  std::string kernel;  // as in LaunchCounters
  CallOrigin origin, first;

  bool operator==(const LaunchCall&) const = default;
};

/// A copy or a fill that was refused, for it begins in an allocation, or a little behind, and reaches past its end.
struct Overreach {
  CallOrigin call, allocation;  // where each was made
  bool writes = false;          // to the allocation; else it reads
  std::uint64_t offset = 0;     // in the allocation, of the first byte
  std::uint64_t bytes = 0;      // from the first byte to the last one, with the gaps between rows
  std::uint64_t rows = 1;
  std::uint64_t allocated = 0;  // bytes of the allocation
  bool kept = false;            // the allocation was made in an earlier call of the caller

  bool operator==(const Overreach&) const = default;
};

/// A call that was refused for its pointers.
struct RefusedPointers {
  CallOrigin call;
  CallPointers pointers;

  bool operator==(const RefusedPointers&) const = default;
};

/// A variable that a launch began with as another had left it.
struct KeptValue {
  KeptVariable variable;
  CallOrigin launch;

  bool operator==(const KeptValue&) const = default;
};

struct ServerReport {
  static constexpr int kVersion = 1;
  /// Of its JSON text, when it comes from `serve`.
  static constexpr std::size_t kMostBytes = 16u << 20;

  std::string model;  // the device's name
  std::vector<Finding> findings;
  std::vector<FindingOrigin> origins;
  std::vector<LaunchCounters> launches;  // the first ones; launch_count says how many there were
  std::uint64_t launch_count = 0;
  std::uint64_t asked_launches = 0;      // with those that were made to fail
  std::vector<LaunchCall> launch_calls;  // one for each kernel, by name
  LineCoverage coverage;
  BranchCoverage branches;
  std::vector<AccessSample> accesses;
  std::vector<ArrayWriter> writers;
  std::vector<ArrayWriter> idle_stores;  // to outputs, that no thread came to in some launch
  std::vector<StoreExtent> extents;      // what each launch stored to the outputs
  std::vector<HostCopy>
      host_copies;  // after a launch; the first ones, none of what the caller copies after `take_back`
  std::vector<HostCopy> early_copies;  // likewise, before any launch
  std::vector<HostWrite> host_writes;  // one for each output that has any
  bool has_managed = false;            // there was unified memory, which the host reads without a copy
  std::vector<std::string> on_device;  // the arrays in device memory that the caller declared as outputs: their names
  std::vector<OutputGaps> gaps;        // of those that the caller copied back as a whole
  std::vector<Overreach> overreaches;  // the first ones
  std::vector<RefusedPointers> refused_pointers;  // the first ones
  std::vector<KeptValue> kept_values;
  BarrierUsage barriers;
  double kernel_seconds = 0;           // wall time spent in kernels
  std::vector<double> launch_seconds;  // of each launch that was executed, in that order; the first ones
  std::vector<ApiCall> calls;          // the first ones; call_count says how many there were
  std::uint64_t call_count = 0;
  std::vector<std::string> module_errors;  // device code that could not be loaded: one text each
  std::vector<std::string> not_executed;   // device code that a GPU would execute and the virtual one does not
  bool optimised = false;                  // some device code was compiled by nvcc without -G
  bool wide_accesses = false;              // some device code may access several elements of memory at once
  int context_error = 0;                   // cudaError_t that ended the context, 0 for none
  bool said_goodbye = false;               // the client ended in order: not by a signal, not by _exit
  bool interrupted = false;                // work was still running at the end and was cut off
  std::string protocol_error;              // what the client said that no client says; empty: nothing
  std::string exhausted;                   // the client took so much that the server could not go on; empty: it did not
  std::string internal_error;              // a failure of the server itself; empty: none
};

/// JSON, one object. Text that is not UTF-8 has its bad bytes replaced.
std::string to_json(const ServerReport& report);

/// A report that is not one: `what()` names the member.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws ReportError for anything `to_json` does not write.
ServerReport server_report_from_json(std::string_view text);

}  // namespace cudalabs::vgpu
