// Site numbers, the ring of recent phases, and the way from bits to source places.
#include "vgpu/check/barrier_needs.h"

#include <algorithm>
#include <bit>

namespace cudalabs::vgpu {

std::uint32_t LaunchBarriers::site(std::uint32_t instruction) {
  const std::lock_guard lock(mutex_);
  const auto it = std::find(instructions_.begin(), instructions_.end(), instruction);
  const auto index = static_cast<std::uint32_t>(it - instructions_.begin());
  if (it == instructions_.end()) {
    instructions_.push_back(instruction);
    executed_.push_back(0);
    repeated_.push_back(false);
  }
  return std::min(index, kLastSite);
}

void LaunchBarriers::add(const std::vector<std::uint64_t>& executed, SiteMask needed,
                         const std::set<SiteMask>& alternatives) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < executed.size(); ++i) {
    executed_[i] += executed[i];
    if (executed[i] > 1) repeated_[i] = true;
  }
  needed_ |= needed;
  alternatives_.insert(alternatives.begin(), alternatives.end());
}

BarrierUsage LaunchBarriers::usage(const LaunchNames& names, bool all_needed) const {
  const std::lock_guard lock(mutex_);
  BarrierUsage result;
  for (std::size_t i = 0; i < instructions_.size(); ++i) {
    BarrierUsage one;
    const bool judged = repeated_[i] || !names.in_loop(instructions_[i]);
    one.sites.push_back({names.kernel(), names.place(instructions_[i]), executed_[i], judged});
    const std::size_t bit = std::min<std::size_t>(i, kLastSite);
    if (all_needed || (needed_ >> bit & 1) != 0) one.needs.push_back({0});
    result.merge(one);
  }
  for (const SiteMask mask : alternatives_) {
    BarrierUsage one;
    for (SiteMask left = mask; left != 0; left &= left - 1) {
      BarrierUsage site;
      site.sites.push_back({names.kernel(), names.place(instructions_[std::countr_zero(left)]), 0, false});
      one.merge(site);
    }
    one.needs.emplace_back();
    for (std::uint32_t i = 0; i < one.sites.size(); ++i) one.needs.back().push_back(i);
    result.merge(one);
  }
  return result;
}

std::uint32_t BlockBarriers::site(std::uint32_t instruction) {
  for (const auto& [known, index] : known_) {
    if (known == instruction) return index;
  }
  const std::uint32_t index = launch_.site(instruction);
  known_.emplace_back(instruction, index);
  if (executed_.size() <= index) executed_.resize(index + 1);
  return index;
}

void BlockBarriers::count_executions() {
  for (SiteMask left = arrived_; left != 0; left &= left - 1) ++executed_[std::countr_zero(left)];
}

void BlockBarriers::complete(Stamp phase) {
  count_executions();
  // Threads at different sites are a mistake of their own; nothing is said against any of these barriers.
  if (std::popcount(arrived_) > 1) needed_ |= arrived_;
  phases_[count_++ % kKept] = {phase, arrived_};
  newest_ = arrived_;
  arrived_ = 0;
}

void BlockBarriers::separates(Stamp earlier) {
  SiteMask between = 0;
  for (std::uint32_t back = 1; back <= std::min(count_, kKept); ++back) {
    const Phase& phase = phases_[(count_ - back) % kKept];
    if (phase.begin <= earlier) break;
    between |= phase.sites;
  }
  // Phases that have left the ring are left out: the need that remains is the stricter one.
  if ((between & needed_) != 0) return;
  if (std::has_single_bit(between)) {
    needed_ |= between;
  } else if (between != 0) {
    alternatives_.insert(between);
  }
}

void BlockBarriers::separates_unknown() {
  for (std::uint32_t back = 1; back <= std::min(count_, kKept); ++back) {
    needed_ |= phases_[(count_ - back) % kKept].sites;
  }
}

void BlockBarriers::end_block() {
  launch_.add(executed_, needed_, alternatives_);
  std::fill(executed_.begin(), executed_.end(), 0);
  alternatives_.clear();
}

}  // namespace cudalabs::vgpu
