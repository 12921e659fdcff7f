// An open hash table for a block's sectors, and extents and sums for each range.
#include "vgpu/profile/footprint.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cudalabs::vgpu {

bool SectorSet::insert(std::uint64_t sector) {
  if (2 * (count_ + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (sector * 0x9E3779B97F4A7C15u) >> 20 & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    if (slots_[at] == sector + 1) return false;
  }
  slots_[at] = sector + 1;
  ++count_;
  return true;
}

void SectorSet::clear() {
  if (count_ != 0) std::ranges::fill(slots_, 0);
  count_ = 0;
}

void SectorSet::grow() {
  std::vector<std::uint64_t> old(2 * slots_.size());
  old.swap(slots_);
  count_ = 0;
  for (const std::uint64_t slot : old) {
    if (slot != 0) insert(slot - 1);
  }
}

Footprint::Footprint(std::vector<AddressRange> ranges) : ranges_(std::move(ranges)), touched_(ranges_.size()) {}

void Footprint::access(const WarpAccess& access) {
  std::uint64_t previous = ~0ull;
  for (LaneMask lanes = access.active; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t address = access.address[std::countr_zero(lanes)];
    for (std::uint64_t sector = address / kSectorBytes; sector <= (address + access.bytes - 1) / kSectorBytes;
         ++sector) {
      if (sector == previous) continue;
      previous = sector;
      if (access.kind == AccessKind::atomic && changed_.insert(sector)) touch(&Touched::atomics, sector);
      if (access.kind == AccessKind::store) {
        if (stored_.insert(sector)) touch(&Touched::stores, sector);
      } else if (loaded_.insert(sector)) {
        touch(&Touched::loads, sector);
      }
    }
  }
}

void Footprint::touch(Sectors Touched::*which, std::uint64_t sector) {
  const std::uint64_t address = (sector + 1) * kSectorBytes - 1;
  const auto after = std::ranges::upper_bound(ranges_, address, {}, &AddressRange::address);
  if (after == ranges_.begin()) return;
  Sectors& sectors = touched_[static_cast<std::size_t>(after - ranges_.begin()) - 1].*which;
  sectors.first = std::min(sectors.first, sector);
  sectors.last = std::max(sectors.last, sector);
  ++sectors.sum;
}

void Footprint::block_end() {
  loaded_.clear();
  stored_.clear();
  changed_.clear();
}

Footprint& Footprint::operator+=(const Footprint& other) {
  const auto add = [](Sectors& to, const Sectors& from) {
    to.first = std::min(to.first, from.first);
    to.last = std::max(to.last, from.last);
    to.sum += from.sum;
  };
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    add(touched_[i].loads, other.touched_[i].loads);
    add(touched_[i].stores, other.touched_[i].stores);
    add(touched_[i].atomics, other.touched_[i].atomics);
  }
  return *this;
}

std::uint64_t Footprint::block_loads() const {
  std::uint64_t sum = 0;
  for (const Touched& range : touched_) sum += range.loads.sum;
  return sum;
}

std::uint64_t Footprint::block_stores() const {
  std::uint64_t sum = 0;
  for (const Touched& range : touched_) sum += range.stores.sum;
  return sum;
}

double Footprint::of_launch(Sectors Touched::*which, double scale) const {
  double sum = 0;
  for (const Touched& range : touched_) {
    const Sectors& sectors = range.*which;
    if (sectors.sum == 0) continue;
    sum += std::min(scale * static_cast<double>(sectors.sum), static_cast<double>(sectors.last - sectors.first + 1));
  }
  return sum;
}

}  // namespace cudalabs::vgpu
