// Executes one kernel launch: hands out its blocks, lets them run, gathers what they leave.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "vgpu/exec/begin_order.h"
#include "vgpu/exec/device_launch.h"
#include "vgpu/exec/observer.h"
#include "vgpu/exec/program.h"
#include "vgpu/exec/worker_pool.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/texture/texture_image.h"

namespace cudalabs::vgpu::exec {

enum class LaunchError : std::uint8_t {
  none,
  illegal_address,
  misaligned_address,
  illegal_instruction,
  assert_failed,
  trap,
  barrier_deadlock,
  cluster_block_missing,  // an access to shared memory of a block that its cluster does not have, or no more
  too_many_instructions,  // of one block
  timed_out               // the launch
};

/// What a shuffle gives where it reads a lane that does not execute it: undefined by the ISA, 0 on an H200.
struct InactiveLaneValue {
  std::uint32_t value = 0;
  std::optional<std::uint32_t> instruction;  // of the program, the only one that gives `value`; none: all
};

/// The driver's memory for a cooperative launch. The word at kGridBarrierOffset is the barrier of CUDA's grid groups:
/// its top bit changes when as many arrivals have been added as the grid has blocks.
constexpr std::uint64_t kGridWorkspaceBytes = 8, kGridBarrierOffset = 4;

/// A device ends a launch at the first access that memory refuses. This one goes on, so that all findings are
/// collected, until memory has refused so many accesses of single lanes.
constexpr std::uint64_t kMostRefusedAccesses = 100'000;

struct LaunchRequest {
  const Program* program = nullptr;
  const KernelInfo* kernel = nullptr;
  LaunchConfig config;
  std::span<const std::byte> parameters;  // KernelInfo::parameter_bytes of them
  std::span<Observer* const> observers;
  std::uint32_t multiprocessors = 1;
  std::uint64_t resident_blocks = 1;  // blocks in execution at a time, when they take turns; a cluster is as a whole
  BeginOrder order;                   // of blocks that take turns
  bool one_at_a_time = false;         // never run blocks on several threads
  /// A seed: threads get on in an order that it chooses wherever the program does not order them, on one thread of the
  /// machine. Meant for launches that are known to race.
  std::optional<std::uint64_t> disorder;
  std::uint64_t sampled_blocks = 0;     // about as many are executed, spread over the grid; 0: all
  std::uint64_t instruction_limit = 0;  // of each block; 0: none. A block that needs more ends the launch
  /// Such a block is stopped, and the others go on: so much of each is executed, on every machine the same. Not where
  /// it may wait for a block that is left out of the sample: that ends the launch.
  bool stops_slow_blocks = false;
  /// Instructions that only threads come to that never end. A block with such threads ends the launch as if it had come
  /// to its limit, once it has executed enough that the proof saves time; null: none is known.
  const std::set<std::uint32_t>* never_left = nullptr;
  /// Each worker may compute in this launch; none: no limit.
  std::optional<std::chrono::nanoseconds> processor_time;
  const std::atomic<bool>* interrupted = nullptr;
  /// Asked now and then, by any worker; true abandons the launch, whose result is then worthless.
  std::function<bool()> abandoned;
  std::uint64_t grid_number = 0;
  /// Whether the device can execute what a kernel launches; empty: all of it.
  std::function<bool(const KernelInfo&, const LaunchConfig&)> can_launch;
  std::uint32_t depth = 0;              // how many kernels have started it, one the other
  std::uint64_t heap_bytes = 8u << 20;  // that the kernel may allocate: CUDA's limit unless a program asks for more
  const ImageTable* images = nullptr;   // what texture and surface objects stand for; null: there are none
  InactiveLaneValue inactive_lane;
  /// What each word of a block's shared memory holds when the block begins: unspecified by CUDA. This is NaN, or -1.
  std::uint32_t shared_begins_with = 0xFFFF'FFFF;
  /// Of a cooperative launch: the address of kGridWorkspaceBytes of device memory that hold zeros. 0 in other launches.
  std::uint64_t grid_workspace = 0;
};

struct FailedAssertion {
  std::uint32_t thread = 0;  // linear, in its block
  std::string expression;
  std::string file;  // as the compiler was given it
  std::uint32_t line = 0;
};

struct LaunchResult {
  LaunchError error = LaunchError::none;     // of the first block, in linear order, that had one
  std::uint64_t block = 0;                   // that block
  std::uint32_t instruction = 0;             // where it was
  bool endless = false;                      // it was at an instruction that is never left
  bool cut_short = false;                    // not all blocks to be executed ran to their end
  std::optional<FailedAssertion> assertion;  // of that block: the first that failed there
  std::string output;                        // of printf and assert, in block order
  std::vector<DeviceLaunch> launches = {};   // that the kernel asked for, in block order
};

/// Does not look at the configuration's limits. What it computes, tells and prints is the same for any number of
/// workers, except that of a concurrent launch that was cut short.
LaunchResult run_launch(const LaunchRequest& request, GlobalMemory& memory, WorkerPool& pool);

}  // namespace cudalabs::vgpu::exec
