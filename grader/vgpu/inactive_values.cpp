// Whether the values that shuffles read from inactive lanes change what a launch does.
#include "vgpu/inactive_values.h"

#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

namespace {

// Far from 0 on either side, as integers, as floats and as halves of doubles: a sum, a maximum or a minimum shows one
// of them. Neither is NaN, which fmaxf and fminf would hide.
constexpr std::uint32_t kOthers[] = {0x7F7F'7F7F, 0xFF7F'7F7F};
constexpr std::size_t kMostShufflesEach = 8;  // more are tried together only

}  // namespace

std::set<std::uint32_t> shuffles_that_matter(const std::set<std::uint32_t>& shuffles, exec::LaunchRequest request,
                                             const exec::LaunchResult& result, GlobalMemory& memory,
                                             exec::WorkerPool& pool) {
  const std::vector<PageJournal::ChangedPage> expected = memory.journal().changed_pages();
  request.observers = {};
  request.abandoned = nullptr;
  const auto run = [&](exec::InactiveLaneValue value) {
    memory.roll_back();
    request.inactive_lane = value;
    return exec::run_launch(request, memory, pool);
  };
  const auto changes = [&](std::optional<std::uint32_t> instruction) {
    for (const std::uint32_t other : kOthers) {
      const exec::LaunchResult changed = run({other, instruction});
      if (changed.error != result.error || changed.output != result.output ||
          memory.journal().changed_pages() != expected) {
        return true;
      }
    }
    return false;
  };

  std::set<std::uint32_t> matter;
  if (changes(std::nullopt)) {
    if (shuffles.size() <= kMostShufflesEach) {
      for (const std::uint32_t instruction : shuffles) {
        if (shuffles.size() == 1 || changes(instruction)) matter.insert(instruction);
      }
    }
    if (matter.empty()) matter = shuffles;  // only several together change anything
  }
  run({});
  return matter;
}

}  // namespace cudalabs::vgpu
