// A table of entries by instruction and by where the first lane lies.
#include "vgpu/profile/cost_cache.h"

#include <bit>

namespace cudalabs::vgpu {
namespace {

constexpr std::size_t kEntries = 256;       // unrolled loops have more than a hundred accesses
constexpr std::size_t kSpread = 37;         // neighbouring instructions do not share entries
constexpr std::uint32_t kWidestGroup = 16;  // bytes that loads of shared memory are joined to

/// What decides the cost besides how the other lanes lie to the first one.
std::uint32_t phase_of(const WarpAccess& a, Passes passes) {
  const std::uint32_t of_global = passes == Passes::wanted ? kLineBytes : kSectorBytes;
  return static_cast<std::uint32_t>(a.address[0] % (a.space == MemorySpace::shared ? kWidestGroup : of_global));
}

}  // namespace

AccessCost CostCache::cost(const WarpAccess& a) {
  if (a.active != ~0u || a.consecutive) return counted(a);
  if (entries_.empty()) entries_.resize(kEntries);
  const std::uint64_t base = a.address[0];
  const std::uint32_t phase = phase_of(a, passes());
  Entry& e = entries_[(a.instruction * kSpread + phase / kBankBytes) % kEntries];
  if (e.known && e.instruction == a.instruction && e.space == a.space && e.phase == phase) {
    std::uint64_t difference = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) difference |= (a.address[lane] - base) ^ e.relative[lane];
    if (difference == 0) return e.cost;
  }
  e.known = true;
  e.instruction = a.instruction;
  e.space = a.space;
  e.phase = phase;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) e.relative[lane] = a.address[lane] - base;
  e.cost = counted(a);
  return e.cost;
}

AccessCost CostCache::counted(const WarpAccess& a) {
  if (a.space != MemorySpace::shared) return global_cost(a, passes());
  AccessCost cost = shared_cost(a, marks_, passes());
  if (schedule_ == nullptr || a.active == 0) return cost;
  const ScheduleTable::Instruction& load = schedule_->instructions[a.instruction];
  const std::uint32_t group_bytes = load.group_words * kBankBytes, offset = load.place_in_group * kBankBytes;
  const std::uint64_t address = a.address[std::countr_zero(a.active)];
  if (group_bytes == 0 || (address - offset) % group_bytes != 0) return cost;
  cost.passes = load.joined ? 0 : joined_passes(a, offset, static_cast<std::uint8_t>(group_bytes));
  return cost;
}

std::uint32_t CostCache::joined_passes(const WarpAccess& a, std::uint32_t offset, std::uint8_t bytes) {
  std::array<std::uint64_t, kWarpSize> first{};
  // Further up by a group, for some lane may access the first word of all: that changes nothing for the banks.
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) first[lane] = a.address[lane] + kWidestGroup - offset;
  WarpAccess joined = a;
  joined.address = first.data();
  joined.bytes = bytes;
  joined.consecutive = false;
  return shared_cost(joined, marks_).passes;
}

}  // namespace cudalabs::vgpu
