// Whether the values that shuffles read from inactive lanes change what a launch does.
#include "vgpu/inactive_values.h"

#include "vgpu/repeated_launch.h"

namespace cudalabs::vgpu {

namespace {

constexpr std::size_t kMostShufflesEach = 8;  // more are tried together only

}  // namespace

std::set<std::uint32_t> shuffles_that_matter(const std::set<std::uint32_t>& shuffles,
                                             const exec::LaunchRequest& request, GlobalMemory& memory,
                                             exec::WorkerPool& pool) {
  RepeatedLaunch launch(request, memory, pool);
  const auto changes = [&](std::optional<std::uint32_t> instruction) {
    for (const std::uint32_t other : kOtherValues) {
      const auto give = [&](exec::LaunchRequest& changed, GlobalMemory&) {
        changed.inactive_lane = {other, instruction};
      };
      if (launch.differs(give)) return true;
    }
    return false;
  };

  std::set<std::uint32_t> matter;
  if (launch.begin([](exec::LaunchRequest&, GlobalMemory&) {}) && changes(std::nullopt)) {
    if (shuffles.size() <= kMostShufflesEach) {
      for (const std::uint32_t instruction : shuffles) {
        if (shuffles.size() == 1 || changes(instruction)) matter.insert(instruction);
      }
    }
    if (matter.empty()) matter = shuffles;  // only several together change anything
  }
  launch.restore();
  return matter;
}

}  // namespace cudalabs::vgpu
