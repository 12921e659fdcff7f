// The names of the counters of a launch, as in LaunchCounters::values.
#pragma once

#include <string_view>

namespace cudalabs::vgpu::counter_names {

// Instructions. A warp instruction counts once however many lanes are active; thread instructions count the lanes, so
// that thread_instructions / (32 * warp_instructions) is the warp execution efficiency.
inline constexpr std::string_view kWarpInstructions = "warp_instructions";
inline constexpr std::string_view kThreadInstructions = "thread_instructions";
// Warp instructions by kind: the kind's name (below) followed by this.
inline constexpr std::string_view kInstructionsSuffix = "_instructions";
// Floating-point operations of threads; a fused multiply-add is two.
inline constexpr std::string_view kFloat16Operations = "float16_operations";
inline constexpr std::string_view kFloat32Operations = "float32_operations";
inline constexpr std::string_view kFloat64Operations = "float64_operations";

// Global memory. A request is an access of a warp, a sector is 32 bytes; bytes are what the lanes ask for.
inline constexpr std::string_view kGlobalLoadRequests = "global_load_requests";
inline constexpr std::string_view kGlobalLoadSectors = "global_load_sectors";
inline constexpr std::string_view kGlobalLoadBytes = "global_load_bytes";
inline constexpr std::string_view kGlobalStoreRequests = "global_store_requests";
inline constexpr std::string_view kGlobalStoreSectors = "global_store_sectors";
inline constexpr std::string_view kGlobalStoreBytes = "global_store_bytes";
inline constexpr std::string_view kGlobalAtomicRequests = "global_atomic_requests";
inline constexpr std::string_view kGlobalAtomicSectors = "global_atomic_sectors";
// Lanes of a warp that wait for another lane of theirs at the same address.
inline constexpr std::string_view kGlobalAtomicConflicts = "global_atomic_conflicts";

// Shared memory. Wavefronts are the passes over the 32 banks that requests took, conflicts those beyond the least.
inline constexpr std::string_view kSharedLoadRequests = "shared_load_requests";
inline constexpr std::string_view kSharedLoadWavefronts = "shared_load_wavefronts";
inline constexpr std::string_view kSharedStoreRequests = "shared_store_requests";
inline constexpr std::string_view kSharedStoreWavefronts = "shared_store_wavefronts";
inline constexpr std::string_view kSharedAtomicRequests = "shared_atomic_requests";
inline constexpr std::string_view kSharedAtomicConflicts = "shared_atomic_conflicts";
inline constexpr std::string_view kSharedBankConflicts = "shared_bank_conflicts";

inline constexpr std::string_view kLocalRequests = "local_requests";
inline constexpr std::string_view kConstantRequests = "constant_requests";

// Block executions of barriers of the whole block, those with its number of threads as a count among them.
inline constexpr std::string_view kBarriers = "barriers";

// Only of launches counted in detail, for the model of time.
// Cycles of the multiprocessors' first-level memories: its 32 banks give global and shared memory alike.
inline constexpr std::string_view kGlobalPasses = "global_passes";
inline constexpr std::string_view kSharedPasses = "shared_passes";
// Warp instructions without those that compilers for GPUs leave out: moves, and loads they join to others.
inline constexpr std::string_view kIssuedInstructions = "issued_instructions";
// Warp accesses to memory, all together; and those of the executed block with the most.
inline constexpr std::string_view kAccesses = "accesses";
inline constexpr std::string_view kBusiestBlockAccesses = "busiest_block_accesses";
// Sectors that some lane of a block loads or stores, each once a block; and once a launch.
inline constexpr std::string_view kBlockLoadSectors = "block_load_sectors";
inline constexpr std::string_view kBlockStoreSectors = "block_store_sectors";
inline constexpr std::string_view kLaunchLoadSectors = "launch_load_sectors";
inline constexpr std::string_view kLaunchStoreSectors = "launch_store_sectors";
inline constexpr std::string_view kLaunchAtomicSectors = "launch_atomic_sectors";
// Requests of atomics on global memory whose answer is looked at: blocks may draw their work from there.
inline constexpr std::string_view kGlobalAtomicQuestions = "global_atomic_questions";
// What warps would wait for one after the other, each having a multiprocessor to itself (profile/warp_path.h).
inline constexpr std::string_view kPathIssues = "path_issues";
inline constexpr std::string_view kPathArithmetic = "path_arithmetic";
inline constexpr std::string_view kPathSpecial = "path_special";
inline constexpr std::string_view kPathShared = "path_shared";
inline constexpr std::string_view kPathGlobal = "path_global";
inline constexpr std::string_view kPathBarriers = "path_barriers";

inline constexpr std::string_view kBlocks = "blocks";
inline constexpr std::string_view kThreads = "threads";

}  // namespace cudalabs::vgpu::counter_names
