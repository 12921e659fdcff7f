// A straight line through what two samples did, up to the number of blocks of the grid.
#include "speed/shared_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "vgpu/profile/counter_names.h"

namespace cudalabs::speed {
namespace {

using vgpu::LaunchCounters;
using namespace vgpu::counter_names;

/// Times the instructions of a block among more others: blocks of a grid differ by less than that, also when they are
/// few.
constexpr double kShared = 1.25;

/// Those that are no sums over the executed blocks: what the launch is, and what it touches at least and at most.
constexpr std::array kNoSums{
    kBlocks, kThreads, kBusiestBlockAccesses, kLaunchLoadSectors, kLaunchStoreSectors, kLaunchAtomicSectors};

bool is_sampled(const LaunchCounters& launch) {
  return launch.executed_blocks < launch.config.blocks();
}

bool are_of_one_launch(const LaunchCounters& a, const LaunchCounters& b) {
  return a.kernel == b.kernel && a.config.grid == b.config.grid && a.config.block == b.config.block;
}

double counted(const LaunchCounters& launch, std::string_view name) {
  const auto found = launch.values.find(std::string(name));
  return found == launch.values.end() ? 0 : static_cast<double>(found->second);
}

/// Of the blocks that were executed, all together.
double sum(const LaunchCounters& launch, std::string_view name) {
  return counted(launch, name) * static_cast<double>(launch.executed_blocks) /
         static_cast<double>(launch.config.blocks());
}

/// Blocks do less the more of them there are. `counted` of a launch is what its blocks would do if each did as much as
/// an executed one.
bool share_work(const LaunchCounters& more, const LaunchCounters& fewer) {
  return counted(fewer, kWarpInstructions) > kShared * counted(more, kWarpInstructions);
}

LaunchCounters whole(LaunchCounters more, const LaunchCounters& fewer) {
  const auto blocks = static_cast<double>(more.config.blocks());
  const auto executed = static_cast<double>(more.executed_blocks);
  const double further = executed - static_cast<double>(fewer.executed_blocks);
  std::map<std::string, std::uint64_t> values = more.values;
  for (auto& [name, value] : values) {
    if (std::ranges::find(kNoSums, name) != kNoSums.end()) continue;
    const double done = sum(more, name);
    const double of_a_block = std::max(0.0, (done - sum(fewer, name)) / further);
    value = static_cast<std::uint64_t>(std::llround(done + of_a_block * (blocks - executed)));
  }
  more.values = std::move(values);
  more.executed_blocks = more.config.blocks();
  return more;
}

}  // namespace

bool may_share_work(std::span<const LaunchCounters> launches) {
  return std::ranges::any_of(launches, [](const LaunchCounters& launch) {
    return is_sampled(launch) && counted(launch, kGlobalAtomicQuestions) > 0;
  });
}

std::optional<std::vector<LaunchCounters>> with_shared_work(std::vector<LaunchCounters> launches,
                                                            std::span<const LaunchCounters> fewer) {
  if (!std::ranges::equal(launches, fewer, are_of_one_launch)) return std::nullopt;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const bool is_pair = fewer[i].executed_blocks < launches[i].executed_blocks && is_sampled(launches[i]);
    if (is_pair && share_work(launches[i], fewer[i])) launches[i] = whole(std::move(launches[i]), fewer[i]);
  }
  return launches;
}

}  // namespace cudalabs::speed
