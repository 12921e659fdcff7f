// How long launches take: parts of the GPU that work at the same time, of which the busiest counts most.
//
// All that is known of a kernel are the counters of its launch (profile/counter_names.h), all that is known of a GPU
// its data file (gpus/*.toml). For one launch, in cycles where nothing else is said:
//
//   rounds   the busiest multiprocessor gets blocks / multiprocessors of them, rounded up, and holds as many at a time
//            as registers, shared memory and slots allow (occupancy.h): so many rounds, the last one full or not.
//   work     what a block keeps the multiprocessor busy with: the largest of
//              issue           instructions over 4 schedulers and kIssueEfficiency,
//              arithmetic      instructions over the lanes for them: single precision, double precision, and
//              conversions
//                              from and to double precision,
//              shared memory   passes over the 32 banks of the first-level memory, for shared and global accesses alike
//                              (access_cost.h).
//            The multiprocessor's work is that of all its blocks, and no less than what one warp's own instructions
//            take, round after round.
//   waits    what one warp waits for, one after the other (profile/warp_path.h): results of arithmetic, of shared
//            memory, of loads, barriers, and the start of its block, round after round. A block loads each
//            sector once, and its warps step through memory together: a load in which any of them needs a sector that
//            is new to the block waits for L2 or for memory, other loads wait for the first-level cache. Blocks of a
//            round step together too: all that touch a sector no round before did wait for memory, whichever came
//            first. (Seen in products that share rows of B: as many cycles a row in 64 blocks as in 660.) What came in
//            an earlier round is in L2, but for what L2 has no room for.
//   Work of some warps fills the waits of others. They overlap as a norm: (work^p + waits^p)^(1/p); p is larger where
//   warps run freely than where barriers hold them together, and with one warp's worth of work they would just add up.
//   blocks   the GPU starts so many blocks a second, whatever is in them.
//   memory   bytes over the bandwidth that streams reach; each sector a launch touches is loaded once, and again by
//            other blocks as far as it may have left L2 by then. Sectors written in part cost more when they leave L2.
//   L2       sectors between L2 and the multiprocessors over its bandwidth.
//   atomics  those on one address take place one after the other.
//   fences   those of a multiprocessor's blocks take place one after the other, those of a block's warps together.
//   The largest of work-and-waits, blocks and fences, and the largest of memory and L2, overlap as a norm as well. Each
//   launch begins with what launching takes.
//
// Fitted constants are universal, none belongs to a kernel: kIssueEfficiency, kFreeOverlap, kBarrierOverlap,
// kMemoryOverlap, kBlockStart, kBarrierForEachWarp, kL2Efficiency, kPartialSectors, kAgain, kFirstTouch, kBeyondL2,
// kFence. They were fitted to medians of the labs' ladders and submissions on an H200 (ladder-h200.json and
// submissions-h200.json in grader/bench/results), with the PTX of clang and of nvcc; grader/bench/model_bench says how
// well they do, apart for the sizes they were fitted on and the others. Everything else was published or measured by
// itself.
//
// What it does not know: clocks that drop under load, the instruction cache, spilled registers, tensor cores, copies
// and transfers, contention of atomics on neighbouring addresses, and what another compiler makes of the same source.
#include "vgpu/model/modelled_time.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "vgpu/model/occupancy.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs::vgpu {
namespace {

using namespace counter_names;

constexpr std::string_view kFloat32Instructions = "float32_instructions";
constexpr std::string_view kFloat64Instructions = "float64_instructions";
constexpr std::string_view kFloat64Conversions = "float64_conversion_instructions";
constexpr std::string_view kFenceInstructions = "fence_instructions";
constexpr double kSectorBytes = 32;
constexpr double kSchedulers = 4;
constexpr double kBarrier = 12;             // cycles; measured on an H200 for one warp
constexpr double kMemoryEfficiency = 0.9;   // of what clock and width give; measured on an H200: 4.41 of 4.92 TB/s
constexpr double kAtomicSeconds = 1.74e-9;  // between two on one address; measured on an H200: 2^28 of them
constexpr double kAtomicUnits = 96;         // addresses that are served at a time

constexpr double kIssueEfficiency = 0.97;  // of the cycles in which some warp could issue
constexpr double kFreeOverlap = 3, kBarrierOverlap = 1.17, kMemoryOverlap = 3.9;  // exponents
constexpr double kBlockStart = 520;        // cycles from a block's end until the next one's first instruction
constexpr double kBarrierForEachWarp = 4;  // cycles the last of a block's warps comes later for each of them
constexpr double kFirstTouch = 1.09;       // of memory's latency, when many blocks wait for the same sectors
constexpr double kBeyondL2 = 0.48;         // of the waits for what L2 has no room for, that go on to memory
constexpr double kFence = 6370;            // cycles of a multiprocessor; they flush, and empty the first-level cache
constexpr double kL2Efficiency = 1.2;      // of the bandwidth measured; what many blocks read comes faster than that
constexpr double kPartialSectors = 3.6;    // sectors it costs that a row of stores begins and ends within one
constexpr double kAgain = 0.1;             // of the sectors that other blocks load too, when L2 holds none of them

// Times the accesses of an average block. Blocks that take their work from a counter take that of those, too, that
// a sample leaves out: what they did then says nothing of the others.
constexpr double kUneven = 3;

struct Part {
  std::string_view name;
  double seconds = 0;
};

/// Bytes a second that streams through memory reach.
double stream_bandwidth(const DeviceModel& device) {
  return kMemoryEfficiency * 2e3 * device.memory_clock_khz * device.memory_bus_bits / 8;
}

/// Like the larger of both, and more where they are alike.
double together(double a, double b, double exponent) {
  const double most = std::max(a, b);
  if (most == 0) return 0;
  return most * std::pow(std::pow(a / most, exponent) + std::pow(b / most, exponent), 1 / exponent);
}

const Part& largest(const Part& a, const Part& b) {
  return b.seconds > a.seconds ? b : a;
}

double counted(const LaunchCounters& launch, std::string_view name) {
  const auto found = launch.values.find(std::string(name));
  return found == launch.values.end() ? 0 : static_cast<double>(found->second);
}

/// Cycles of one multiprocessor, if it did it all.
double float32_cycles(const DeviceModel& device, const LaunchCounters& launch) {
  return kWarpSize * counted(launch, kFloat32Instructions) / device.float32_lanes;
}
double float64_cycles(const DeviceModel& device, const LaunchCounters& launch) {
  return kWarpSize * std::max(counted(launch, kFloat64Instructions) / device.float64_lanes,
                              counted(launch, kFloat64Conversions) / device.float64_conversion_lanes);
}

class LaunchModel {
 public:
  LaunchModel(const DeviceModel& device, const LaunchCounters& launch)
      : device_(device),
        launch_(launch),
        blocks_(static_cast<double>(launch.config.blocks())),
        warps_a_block_(std::ceil(launch.config.threads_per_block() / double{kWarpSize})),
        resident_(resident_blocks(device, {launch.config.threads_per_block(), launch.registers, launch.shared_bytes})) {
    loads_ = count(kGlobalLoadSectors) + count(kGlobalAtomicSectors);
    block_loads_ = std::min(loads_, count(kBlockLoadSectors));
    launch_loads_ = std::min(block_loads_, count(kLaunchLoadSectors));
    const double footprint = kSectorBytes * (launch_loads_ + count(kLaunchStoreSectors));
    beyond_l2_ = footprint > device.l2_bytes ? 1 - device.l2_bytes / footprint : 0;
    memory_loads_ = launch_loads_ + kAgain * beyond_l2_ * (block_loads_ - launch_loads_);
  }

  std::optional<std::string> doubt() const {
    const std::string kernel = "`" + launch_.kernel + "`";
    if (!launch_.complete) return kernel + " was stopped: its blocks may wait for blocks that were left out";
    if (resident_ == 0) return "a block of " + kernel + " seems not to fit the GPU";
    if (!launch_.values.contains(std::string(kIssuedInstructions))) {
      return kernel + " was not counted in the detail that the model needs";
    }
    if (launch_.executed_blocks < launch_.config.blocks() && count(kGlobalAtomicRequests) > 0 &&
        count(kBusiestBlockAccesses) > kUneven * count(kAccesses) / blocks_) {
      return "the blocks of " + kernel +
             " seem to share out their work as they go, and only some of them were executed";
    }
    if (count(kLocalRequests) > 0.1 * count(kGlobalLoadRequests) + 0.1 * count(kSharedLoadRequests)) {
      return kernel + " uses local memory, for arrays or for what it prints, which the model leaves out";
    }
    return std::nullopt;
  }

  /// Without what launching takes.
  Part time() const {
    const Part on_multiprocessor =
        largest(work_and_waits(), largest({"block starts", blocks_ / block_starts_a_second()}, {"fences", fences()}));
    const Part in_memory = largest({"memory", memory_seconds()}, largest({"L2", l2_seconds()}, {"atomics", atomics()}));
    return {largest(on_multiprocessor, in_memory).name,
            together(on_multiprocessor.seconds, in_memory.seconds, kMemoryOverlap)};
  }

 private:
  double count(std::string_view name) const { return counted(launch_, name); }
  double of_a_warp(std::string_view name) const { return count(name) / (blocks_ * warps_a_block_); }
  double hertz() const { return 1e3 * device_.clock_khz; }
  double block_starts_a_second() const { return 1e6 * device_.block_starts_per_microsecond; }

  Part work_and_waits() const {
    const double busiest = std::ceil(blocks_ / device_.multiprocessors);
    const double rounds = std::ceil(busiest / std::max(1u, resident_));
    const Part issue{"issue", count(kIssuedInstructions) / (kSchedulers * kIssueEfficiency)};
    const Part arithmetic =
        largest({"arithmetic", float32_cycles(device_, launch_)}, {kDoublePrecision, float64_cycles(device_, launch_)});
    const Part passes{"shared memory", count(kSharedPasses) + count(kGlobalPasses)};
    Part work = largest(issue, largest(arithmetic, passes));
    if (work.name == passes.name && count(kGlobalPasses) > count(kSharedPasses)) work.name = "L1";
    const double busy = std::max(busiest * work.seconds / blocks_, rounds * of_a_warp(kPathIssues));
    const double waiting = rounds * waits();
    const bool barriers = count(kBarriers) > blocks_;
    const double cycles = together(busy, waiting, barriers ? kBarrierOverlap : kFreeOverlap);
    return {busy >= waiting ? work.name : "latency", cycles / hertz()};
  }

  /// Cycles a warp waits, from its block's start on.
  double waits() const {
    return kBlockStart + device_.arithmetic_cycles * of_a_warp(kPathArithmetic) +
           device_.special_cycles * of_a_warp(kPathSpecial) + device_.shared_cycles * of_a_warp(kPathShared) +
           load_cycles() * of_a_warp(kPathGlobal) +
           (kBarrier + kBarrierForEachWarp * warps_a_block_) * of_a_warp(kPathBarriers);
  }

  double load_cycles() const {
    const double loads = of_a_warp(kPathGlobal);
    if (loads == 0) return 0;
    const double misses = std::min(1.0, block_loads_ / blocks_ / loads);
    const double from_memory = first_touches() + (1 - first_touches()) * kBeyondL2 * beyond_l2_;
    const double missing = device_.l2_cycles + from_memory * (kFirstTouch * device_.dram_cycles - device_.l2_cycles);
    return device_.l1_cycles + misses * (missing - device_.l1_cycles);
  }

  /// The part of a block's new sectors that are new to all blocks before those that run with it.
  double first_touches() const {
    if (block_loads_ == 0) return 0;
    const double rounds = blocks_ / (device_.multiprocessors * std::max(1.0, static_cast<double>(resident_)));
    return std::max(1 / std::max(1.0, rounds), launch_loads_ / block_loads_);
  }

  double memory_seconds() const {
    const double stores = std::min(count(kGlobalStoreSectors), count(kBlockStoreSectors));
    const double partial = std::max(0.0, stores - count(kGlobalStoreBytes) / kSectorBytes);
    const double sectors = memory_loads_ + stores + kPartialSectors * beyond_l2_ * partial;
    return kSectorBytes * sectors / stream_bandwidth(device_);
  }

  double l2_seconds() const {
    const double sectors = block_loads_ + count(kGlobalStoreSectors);
    return kSectorBytes * sectors / (1e9 * device_.l2_gb_per_second * kL2Efficiency);
  }

  double fences() const {
    const double of_a_block = count(kFenceInstructions) / blocks_;
    if (of_a_block == 0) return 0;
    return kFence * blocks_ * std::max(1.0, of_a_block / warps_a_block_) / device_.multiprocessors / hertz();
  }

  double atomics() const {
    const double places = std::clamp(count(kLaunchAtomicSectors), 1.0, kAtomicUnits);
    return kAtomicSeconds * (count(kGlobalAtomicSectors) + count(kGlobalAtomicConflicts)) / places;
  }

  const DeviceModel& device_;
  const LaunchCounters& launch_;
  double blocks_, warps_a_block_;
  std::uint32_t resident_;
  double loads_, block_loads_, launch_loads_;  // sectors: each request, each block, the launch
  double beyond_l2_;                           // the part of what the launch touches for which L2 has no room
  double memory_loads_;                        // sectors
};

}  // namespace

ModelledTime modelled_time(const DeviceModel& device, std::span<const LaunchCounters> launches) {
  ModelledTime time;
  std::map<std::string_view, double> by_part;
  for (const LaunchCounters& launch : launches) {
    const LaunchModel model(device, launch);
    if (const auto doubt = model.doubt(); doubt && !time.doubt) time.doubt = doubt;
    const Part part = model.time();
    by_part[part.name] += part.seconds;
    by_part["launch"] += 1e-6 * device.launch_microseconds;
  }
  for (const auto& [name, seconds] : by_part) {
    time.seconds += seconds;
    if (time.bound.empty() || seconds > by_part[time.bound]) time.bound = name;
  }
  return time;
}

bool bound_by_double_precision(const DeviceModel& device, std::span<const LaunchCounters> launches) {
  double float64 = 0, other = 0, sectors = 0;  // cycles of one multiprocessor, and what moves
  for (const LaunchCounters& launch : launches) {
    float64 += float64_cycles(device, launch);
    other += std::max(float32_cycles(device, launch), counted(launch, kWarpInstructions) / kSchedulers);
    sectors += counted(launch, kGlobalLoadSectors) + counted(launch, kGlobalStoreSectors);
  }
  const double seconds = float64 / device.multiprocessors / (1e3 * device.clock_khz);
  return float64 > other && seconds > kSectorBytes * sectors / stream_bandwidth(device);
}

double modelled_copy_seconds(const DeviceModel& device, double bytes) {
  return 1e-6 * device.launch_microseconds + 2 * bytes / stream_bandwidth(device);
}

}  // namespace cudalabs::vgpu
