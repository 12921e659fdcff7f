// An open hash table for a block's sectors, and extents and sums for each range.
#include "vgpu/profile/footprint.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cudalabs::vgpu {

std::size_t SectorSet::free_or_of(std::uint64_t number) const {
  const std::size_t mask = words_.size() - 1;
  std::size_t at = (number * 0x9E3779B97F4A7C15u) >> 20 & mask;
  while (words_[at].number != 0 && words_[at].number != number + 1) at = (at + 1) & mask;
  return at;
}

std::size_t SectorSet::place_of(std::uint64_t number) {
  std::size_t at = free_or_of(number);
  if (words_[at].number != 0) return at;
  if (2 * ++count_ > words_.size()) {
    grow();
    at = free_or_of(number);
  }
  words_[at].number = number + 1;
  return at;
}

void SectorSet::clear() {
  if (count_ != 0) std::ranges::fill(words_, Word{});
  count_ = 0;
}

void SectorSet::grow() {
  std::vector<Word> old(2 * words_.size());
  old.swap(words_);
  for (const Word& word : old) {
    if (word.number != 0) words_[free_or_of(word.number - 1)] = word;
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
