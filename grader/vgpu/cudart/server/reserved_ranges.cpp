#include "vgpu/cudart/server/reserved_ranges.h"

#include <iterator>

namespace cudalabs::vgpu {

void ReservedRanges::add_range(std::uint64_t address, std::uint64_t bytes, const CallOrigin& origin) {
  ranges_[address] = {bytes, origin, {}, {}};
}

ReservedRanges::Range* ReservedRanges::range(std::uint64_t address) {
  const auto found = ranges_.find(address);
  return found == ranges_.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> ReservedRanges::begin_of(std::uint64_t address, std::uint64_t bytes) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return std::nullopt;
  const auto& [begin, range] = *std::prev(after);
  const std::uint64_t offset = address - begin;
  return offset < range.bytes && bytes <= range.bytes - offset ? std::optional(begin) : std::nullopt;
}

std::uint64_t ReservedRanges::add_memory(std::uint64_t bytes, const CallOrigin& origin) {
  const std::uint64_t handle = next_handle_++;
  memories_[handle] = {bytes, 1, origin, 0, {}};
  return handle;
}

ReservedRanges::Memory* ReservedRanges::memory(std::uint64_t handle) {
  const auto found = memories_.find(handle);
  return found == memories_.end() || found->second.references == 0 ? nullptr : &found->second;
}

std::uint64_t ReservedRanges::remove_if_unused(std::uint64_t handle) {
  const auto found = memories_.find(handle);
  if (found == memories_.end() || found->second.references != 0 || found->second.address != 0) return 0;
  const std::uint64_t bytes = found->second.bytes;
  memories_.erase(found);
  return bytes;
}

bool ReservedRanges::is_unmapped(const Range& range, std::uint64_t address, std::uint64_t bytes) {
  const auto after = range.mappings.lower_bound(address);
  if (after != range.mappings.end() && after->first - address < bytes) return false;
  if (after == range.mappings.begin()) return true;
  const auto& [begin, mapping] = *std::prev(after);
  return address - begin >= mapping.bytes;
}

std::vector<std::uint64_t> ReservedRanges::mappings_of(const Range& range, std::uint64_t address, std::uint64_t bytes) {
  std::vector<std::uint64_t> found;
  std::uint64_t done = 0;
  for (auto at = range.mappings.find(address); at != range.mappings.end() && at->first == address + done; ++at) {
    if (at->second.bytes > bytes - done) return {};
    found.push_back(at->first);
    done += at->second.bytes;
    if (done == bytes) return found;
  }
  return {};
}

const ReservedRanges::Mapping* ReservedRanges::mapping_at(std::uint64_t address) const {
  const auto begin = begin_of(address, 1);
  if (!begin) return nullptr;
  const auto& mappings = ranges_.at(*begin).mappings;
  const auto after = mappings.upper_bound(address);
  if (after == mappings.begin()) return nullptr;
  const auto& [start, mapping] = *std::prev(after);
  return address - start < mapping.bytes ? &mapping : nullptr;
}

std::vector<RangePart> ReservedRanges::parts_of(std::uint64_t address, const Range& range) {
  std::vector<RangePart> parts;
  const auto add = [&](std::uint64_t begin, std::uint64_t end, RangeState state, const CallOrigin& origin) {
    if (begin == end) return;
    if (!parts.empty() && parts.back().state == state) {
      parts.back().bytes += end - begin;
    } else {
      parts.push_back({begin, end - begin, state, origin.address});
    }
  };
  std::uint64_t done = address;
  for (const auto& [begin, mapping] : range.mappings) {
    add(done, begin, RangeState::unmapped, range.origin);
    add(begin, begin + mapping.bytes, mapping.state, mapping.origin);
    done = begin + mapping.bytes;
  }
  add(done, address + range.bytes, RangeState::unmapped, range.origin);
  return parts;
}

std::optional<ReservedRanges::Reason> ReservedRanges::reason_at(std::uint64_t address) const {
  const auto found = begin_of(address, 1);
  if (!found) return std::nullopt;
  if (const Mapping* mapping = mapping_at(address)) {
    if (mapping->state == RangeState::read_write) return std::nullopt;
    return Reason{"it was mapped here", mapping->origin};
  }
  const Range& range = ranges_.at(*found);
  // Of the mappings that were there, the one that began last before the byte.
  const auto after = range.unmapped.upper_bound(address);
  if (after != range.unmapped.begin()) {
    const auto& [begin, origin] = *std::prev(after);
    if (is_unmapped(range, begin, address - begin + 1)) return Reason{"it was unmapped here", origin};
  }
  return Reason{"the addresses are reserved here", range.origin};
}

std::size_t ReservedRanges::count() const {
  std::size_t count = ranges_.size() + memories_.size();
  for (const auto& [address, range] : ranges_) count += range.mappings.size();
  return count;
}

void ReservedRanges::clear() {
  ranges_.clear();
  memories_.clear();
}

}  // namespace cudalabs::vgpu
