// The virtual GPU as its clients see it: modules, device memory, launches, findings, counters. Knows nothing of labs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/array_reads.h"
#include "vgpu/array_writer.h"
#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"
#include "vgpu/input_array.h"
#include "vgpu/kept_variable.h"
#include "vgpu/late_writers.h"
#include "vgpu/memory/reserved_range.h"
#include "vgpu/model/device_model.h"
#include "vgpu/profile/access_sample.h"
#include "vgpu/profile/branch_coverage.h"
#include "vgpu/profile/launch_counters.h"
#include "vgpu/profile/line_counts.h"
#include "vgpu/profile/thread_work.h"
#include "vgpu/store_extent.h"
#include "vgpu/texture/texture_image.h"
#include "vgpu/touched_bytes.h"

namespace cudalabs::vgpu {

struct BarrierUsage;  // check/barrier_usage.h
namespace ptx {
struct Refusal;
struct TypedModule;
}  // namespace ptx

using DeviceAddress = std::uint64_t;

struct VirtualGpuOptions {
  DeviceModel model;                        // named GPU whose properties and limits are in force
  unsigned workers = 0;                     // worker threads; 0: one per core. Results do not depend on it
  bool check_races = true;                  // races in shared and global memory, redundant barriers
  bool check_initialized = true;            // uninitialised reads
  bool tries_unwritten_values = false;      // such a read is an error only where other values there change a result
  bool count = true;                        // counters, line and branch coverage
  bool count_accesses = true;               // of the counters, those of memory: they cost the most
  bool record_accesses = false;             // an example of every memory instruction
  bool record_work = false;                 // which threads load and store
  bool record_reads = false;                // how often each element of a declared input is read
  std::optional<std::uint64_t> order_seed;  // blocks that take turns begin in an order of this seed; none: descending
  std::uint64_t sampled_blocks = 0;   // about as many blocks of a launch are executed; 0: all. What it computes is then
                                      // worthless, and its counts are estimates
  std::uint64_t reset_variables = 0;  // KeptVariables::number as bits: of these, no launch keeps the value of another
  /// What the first module is taken for that is loaded, whatever its text says; null: what it says. Not owned.
  const ptx::TypedModule* first_module = nullptr;
  std::uint64_t instruction_limit = 0;  // warp instructions a block may execute; 0: none
  bool stops_slow_blocks = false;       // those alone that come to the limit, as in exec::LaunchRequest
  double seconds_limit = 0;             // processor time of a worker thread in one launch; 0: none
};

enum class LaunchStatus {
  ok,
  unknown_kernel,
  invalid_configuration,
  illegal_address,
  misaligned_address,
  launch_failure,  // an access to shared memory of a block that its cluster does not have
  illegal_instruction,
  assert_failed,
  trap,
  not_cooperative,  // a trap in a kernel that uses the grid's group, in a launch that is not cooperative
  barrier_deadlock,
  timed_out,
  refused  // the kernel holds what the virtual GPU does not execute: refusals() says what
};

struct KernelParameter {
  std::uint32_t offset = 0, size = 0;
};  // bytes, in the parameter buffer

struct KernelDescription {
  std::string name;  // mangled
  std::vector<KernelParameter> parameters;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  // per thread
  std::uint32_t registers = 0;    // estimate, 32-bit registers a thread
  std::uint32_t max_threads = 1024;
  std::optional<Index3> required_cluster;            // that every launch has
  bool explicit_cluster = false;                     // a launch has to have one
  std::optional<std::uint32_t> most_cluster_blocks;  // that a cluster may have
};

struct VariableDescription {
  std::string name;
  DeviceAddress address = 0;
  std::uint64_t size = 0;
  bool constant = false;
  bool managed = false;  // has whole pages for itself: the host may map them
};

struct LaunchOutcome {
  LaunchStatus status = LaunchStatus::ok;
  double seconds = 0;          // wall time the virtual GPU spent on it
  std::string output;          // text of printf and assert, in block order
  TouchedBytes touched = {};   // of global memory, when that was asked for
  std::uint64_t number = 0;    // as in LaunchFacts; 0: it was not executed
  std::uint64_t launches = 1;  // that were executed, with those that the kernel has started: their numbers are the next
};

class VirtualGpu {
 public:
  explicit VirtualGpu(VirtualGpuOptions options);
  ~VirtualGpu();
  VirtualGpu(const VirtualGpu&) = delete;
  VirtualGpu& operator=(const VirtualGpu&) = delete;

  /// Loads PTX text; throws ptx::ParseError or UnsupportedPtx (both name the PTX line). Returns a module handle. Code
  /// that is not executed is refused when a kernel is launched from which it can be reached.
  std::uint32_t load_module(const std::string& ptx) { return load_module(std::span(&ptx, 1)); }
  /// The same of several texts, at least one, that are linked. Throws ptx::LinkError, too. Lines of PTX are counted on
  /// from each text to the next.
  std::uint32_t load_module(std::span<const std::string> texts);
  void unload_module(std::uint32_t module);
  std::vector<KernelDescription> kernels(std::uint32_t module) const;
  std::vector<VariableDescription> variables(std::uint32_t module) const;

  /// 0 when the model's memory is exhausted. `origin`: opaque tag of the host call site, kept for leak findings.
  /// `alignment`: 0, or a power of two from 256 on, of whose multiples the allocation has all for itself.
  DeviceAddress allocate(std::uint64_t bytes, std::uint64_t origin = 0, std::uint64_t alignment = 0);
  /// At an address that `allocate` gave for as many bytes, and that is free: memory as good as fresh. Else 0.
  DeviceAddress allocate_again(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin = 0);
  /// False when `address` is not the start of a live allocation (double free included).
  bool free(DeviceAddress address, std::uint64_t origin = 0);
  /// The same for page-locked memory of the host. `host`: where it lies there, a multiple of 8, by which kernels may
  /// call it as well; 0: the host takes the address that is returned.
  DeviceAddress allocate_host(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment, std::uint64_t host);
  bool free_host(DeviceAddress address, std::uint64_t origin = 0);
  /// Copies and fills check bounds: false when any byte lies outside one live allocation or module variable.
  bool copy_in(DeviceAddress to, std::span<const std::byte> from);
  bool copy_out(std::span<std::byte> to, DeviceAddress from);
  /// The same, but bytes that were never written are those of `unwritten_word`, where all blocks are executed.
  bool copy_out_marked(std::span<std::byte> to, DeviceAddress from);
  bool copy(DeviceAddress to, DeviceAddress from, std::uint64_t bytes);
  bool fill(DeviceAddress to, std::uint8_t value, std::uint64_t bytes);
  /// What is there is lost: it counts as unwritten. The same bounds.
  bool discard(DeviceAddress at, std::uint64_t bytes);
  /// From now on, and until its allocation is freed, kernels may only read the array: their writes are findings, and
  /// done all the same. Host-side copies and fills are the caller's to watch.
  void declare_input(InputArray input);
  /// An array that kernels are to write, until its allocation is freed: `writers` tells which of their lines do.
  void declare_output(InputArray output);
  /// A texture or surface object: its handle, which is never 0 and never used again. The image must be one; where its
  /// texels lie is looked at when kernels use it.
  std::uint64_t create_image(const Image& image);
  /// False when there is no such object.
  bool destroy_image(std::uint64_t handle);
  /// What the kernels of a launch may allocate together by malloc, at most 512 MiB; 8 MiB at first.
  void set_heap_bytes(std::uint64_t bytes);
  /// Addresses without memory, at a multiple of `alignment`: bytes and alignment are multiples of kPageBytes. 0: there
  /// are not so many. What is made of them: parts in order, without gaps. See RangeState.
  DeviceAddress reserve_range(std::uint64_t bytes, std::uint64_t origin, std::uint64_t alignment);
  void divide_range(DeviceAddress address, std::uint64_t bytes, std::span<const RangePart> parts);
  void free_range(DeviceAddress address, std::uint64_t bytes, std::uint64_t origin);
  /// Memory that has no address yet; false when the model's is exhausted.
  bool take_memory(std::uint64_t bytes);
  void give_memory(std::uint64_t bytes);
  /// What memory held comes to addresses of a range, or goes from there, with what was written of it.
  void map_range(DeviceAddress address, std::uint64_t bytes, const SavedPages& pages);
  SavedPages unmap_range(DeviceAddress address, std::uint64_t bytes);
  std::uint64_t free_bytes() const;
  struct LiveAllocation {
    DeviceAddress address;
    std::uint64_t bytes;
    std::uint64_t origin;
  };
  std::vector<LiveAllocation> live_allocations() const;

  /// Executes a kernel to its end. `parameters` is the parameter buffer as laid out by KernelDescription.
  /// What the device cannot launch, or parameters cut short, is an invalid configuration and no finding.
  LaunchOutcome launch(std::uint32_t module, std::string_view kernel, const LaunchConfig& config,
                       std::span<const std::byte> parameters, bool record_touched = false);
  /// The launches from now on are of the caller's call of this number, from 1 on; without it all are of one.
  void begin_call(std::uint64_t call);
  /// Variables that launches so far began with as other launches had left them; the first ones.
  const std::vector<KeptVariable>& kept_variables() const;
  /// Asks a launch in progress, on another thread, to end soon with LaunchStatus::timed_out.
  void interrupt();

  /// Of the kernels whose launch was refused, once each.
  const std::vector<ptx::Refusal>& refusals() const;
  /// Of all launches so far, sorted by (kernel, place, id); far more than people read, but not any number.
  std::vector<Finding> findings() const;
  /// Of the first launches, some thousands.
  const std::vector<LaunchCounters>& launches() const;
  /// That were executed and counted; with those that `launches` leaves out.
  std::uint64_t launch_count() const;
  LineCoverage coverage() const;
  /// Of all launches that ran to their end.
  BranchCoverage branches() const;
  /// An example of every memory instruction, each of the first launch that executed it; in the order of launches and
  /// instructions, the first ones only. Empty unless asked for in the options.
  const std::vector<AccessSample>& access_samples() const;
  /// Of each launch, where that was asked for; the first ones only.
  const std::vector<ThreadWork>& thread_work() const;
  /// Of each declared input, over all launches, where that was asked for; the first ones only.
  const std::vector<ArrayReads>& input_reads() const;
  /// Of each declared output, and of all other global memory, the places in the last launch that wrote there; none
  /// when a copy or fill of the host wrote there since, or without checks of initialisation. The first ones only.
  std::vector<ArrayWriter> writers() const;
  /// Stores to a declared output, in kernels' own code, that no thread came to in some launch that went to its end.
  const std::vector<ArrayWriter>& idle_stores() const;
  /// Like `writers`, of the output, or of the allocation, that holds this byte.
  std::vector<ArrayWriter> writers_at(DeviceAddress address) const;
  /// The launch that has written what the launch of this number read at `address` before it was written; the first
  /// such reads only.
  std::optional<LateWriter> late_writer(DeviceAddress address, std::uint64_t launch) const;
  /// What each launch stored to the declared outputs since the last copy or fill of the host to them; the first ones.
  std::vector<StoreExtent> store_extents() const;
  /// Likewise, to the output or the allocation that begins with that byte.
  std::vector<StoreExtent> store_extents_from(DeviceAddress address) const;
  /// How many of these bytes, which lie in one live allocation, a kernel, a copy or a fill has written; else 0.
  std::uint64_t written_bytes(DeviceAddress address, std::uint64_t bytes) const;
  /// The stretches of these bytes, which lie in one live allocation, that nothing has written, by address; nothing
  /// where there are more than `most` of them, or only some blocks are executed.
  std::optional<std::vector<ByteRange>> unwritten(DeviceAddress address, std::uint64_t bytes, std::size_t most) const;
  /// Nothing has written any of these bytes; false where only some blocks are executed.
  bool known_unwritten(DeviceAddress address, std::uint64_t bytes) const;
  BarrierUsage barrier_usage() const;  // of all launches so far; empty without race checks

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cudalabs::vgpu
