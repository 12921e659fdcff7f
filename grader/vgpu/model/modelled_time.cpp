// A roofline for each launch: the busiest part of the GPU sets the time.
#include "vgpu/model/modelled_time.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "vgpu/model/occupancy.h"
#include "vgpu/profile/counter_names.h"

namespace cudalabs::vgpu {
namespace {

constexpr double kLaunchSeconds = 2.5e-6;
constexpr double kSectorBytes = 32;
constexpr double kWarpInstructionsPerCycle = 4;  // of a multiprocessor
constexpr double kWavefrontsPerCycle = 1;        // of shared memory

struct Part {
  std::string_view name;
  double seconds = 0;
};

double count(const LaunchCounters& launch, std::string_view name) {
  const auto found = launch.values.find(std::string(name));
  return found == launch.values.end() ? 0 : static_cast<double>(found->second);
}

std::optional<std::string> doubt_about(const DeviceModel& device, const LaunchCounters& launch) {
  if (!launch.complete) return "`" + launch.kernel + "` did not run to its end";
  const BlockNeeds needs{launch.config.threads_per_block(), launch.registers, launch.shared_bytes};
  if (resident_blocks(device, needs) == 0) return "a block of `" + launch.kernel + "` seems not to fit the GPU";
  return std::nullopt;
}

Part slowest_part(const DeviceModel& device, const LaunchCounters& launch) {
  using namespace counter_names;
  const double hertz = 1e3 * device.clock_khz * device.multiprocessors;
  const double bytes_a_second = 2e3 * device.memory_clock_khz * device.memory_bus_bits / 8;
  const double sectors =
      count(launch, kGlobalLoadSectors) + count(launch, kGlobalStoreSectors) + count(launch, kGlobalAtomicSectors);
  const double wavefronts = count(launch, kSharedLoadWavefronts) + count(launch, kSharedStoreWavefronts);
  const Part parts[] = {{"memory", sectors * kSectorBytes / bytes_a_second},
                        {"issue", count(launch, kWarpInstructions) / kWarpInstructionsPerCycle / hertz},
                        {"shared memory", wavefronts / kWavefrontsPerCycle / hertz}};
  return *std::ranges::max_element(parts, {}, &Part::seconds);
}

}  // namespace

ModelledTime modelled_time(const DeviceModel& device, std::span<const LaunchCounters> launches) {
  ModelledTime time;
  std::map<std::string_view, double> by_part;
  for (const LaunchCounters& launch : launches) {
    if (const auto doubt = doubt_about(device, launch); doubt && !time.doubt) time.doubt = doubt;
    const Part part = slowest_part(device, launch);
    by_part[part.name] += part.seconds;
    by_part["launch"] += kLaunchSeconds;
  }
  for (const auto& [name, seconds] : by_part) {
    time.seconds += seconds;
    if (time.bound.empty() || seconds > by_part[time.bound]) time.bound = name;
  }
  return time;
}

}  // namespace cudalabs::vgpu
