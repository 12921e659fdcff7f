// Whether the values that a launch reads where nobody has written change what it does.
#include "vgpu/unwritten_values.h"

#include <cstddef>

#include "vgpu/repeated_launch.h"

namespace cudalabs::vgpu {

namespace {

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

// Tried are 0, by which alone a flag, a mask, and what counts round may be told from one another, the two others, and
// what it was executed with: NaN, which is -1.
bool unwritten_values_matter(const std::set<std::uint64_t>& pages, const exec::LaunchRequest& request,
                             GlobalMemory& memory, exec::WorkerPool& pool) {
  RepeatedLaunch launch(request, memory, pool);
  const auto filled_with = [&](std::uint32_t value) {
    return [&pages, value](exec::LaunchRequest& changed, GlobalMemory& changed_memory) {
      changed.shared_begins_with = value;
      fill_unwritten(pages, value, changed_memory);
    };
  };
  // The run as it was comes last: it is one of those that are compared, too.
  bool matter = !launch.begin(filled_with(0));
  for (const std::uint32_t other : kOtherValues) matter = matter || launch.differs(filled_with(other));
  const bool last_differs = launch.restore();
  return matter || last_differs;
}

}  // namespace cudalabs::vgpu
