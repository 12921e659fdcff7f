// Whether the values that a launch reads where nobody has written change what it does.
#include "vgpu/unwritten_values.h"

#include <algorithm>
#include <cstddef>

#include "vgpu/repeated_launch.h"

namespace cudalabs::vgpu {

namespace {

/// Besides NaN, which is -1: a flag, a mask, and what counts round may be told from one another by 0 alone.
constexpr std::uint32_t kFillings[] = {0, kOtherValues[0], kOtherValues[1]};

/// Nothing counts as written by this.
void fill_unwritten(const std::set<std::uint64_t>& pages, std::uint32_t value, GlobalMemory& memory) {
  const InitBits written = memory.initialized();
  for (const std::uint64_t page : pages) {
    const std::uint64_t first = page * kPageBytes;
    memory.touch(kGlobalBase + first, kPageBytes);
    memory.journal().before_write(first, kPageBytes);
    std::byte* const bytes = memory.host(kGlobalBase + first);
    const auto* const of_value = reinterpret_cast<const std::byte*>(&value);
    for (std::uint64_t at = 0; at < kPageBytes; ++at)
      if (!written.test(first + at, 1)) bytes[at] = of_value[at % sizeof value];
  }
}

}  // namespace

bool unwritten_values_matter(const std::set<std::uint64_t>& pages, const exec::LaunchRequest& request,
                             GlobalMemory& memory, exec::WorkerPool& pool) {
  RepeatedLaunch launch(request, memory, pool);
  const auto filled_with = [&](std::uint32_t value) {
    return [&pages, value](exec::LaunchRequest& changed, GlobalMemory& changed_memory) {
      changed.shared_begins_with = value;
      fill_unwritten(pages, value, changed_memory);
    };
  };
  const bool matter =
      !launch.begin(filled_with(request.shared_begins_with)) ||
      std::ranges::any_of(kFillings, [&](std::uint32_t other) { return launch.differs(filled_with(other)); });
  launch.restore();
  return matter;
}

}  // namespace cudalabs::vgpu
