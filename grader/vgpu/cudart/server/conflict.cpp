// Where two operations on device memory meet.
#include "vgpu/cudart/server/conflict.h"

#include <algorithm>
#include <vector>

namespace cudalabs::vgpu {
namespace {

using Ranges = std::vector<ByteRange>;

/// The lowest bytes in both.
std::optional<ByteRange> meeting(const Ranges& left, const Ranges& right) {
  auto a = left.begin(), b = right.begin();
  while (a != left.end() && b != right.end()) {
    const ByteRange both{std::max(a->begin, b->begin), std::min(a->end, b->end)};
    if (both.begin < both.end) return both;
    if (a->end < b->end) {
      ++a;
    } else {
      ++b;
    }
  }
  return std::nullopt;
}

std::uint64_t bytes_in(const Ranges& ranges) {
  std::uint64_t bytes = 0;
  for (const ByteRange& range : ranges) bytes += range.end - range.begin;
  return bytes;
}

/// The one begins first, and ends first.
bool reaches_into(const ByteRange& first, const ByteRange& second) {
  return first.begin < second.begin && first.end < second.end;
}

}  // namespace

std::optional<WrittenOverlap> written_overlap(const TouchedBytes& first, const TouchedBytes& second) {
  const bool needs_other = meeting(first.writes, second.reads) || meeting(first.reads, second.writes);
  if (needs_other || !first.shared.empty() || !second.shared.empty()) return std::nullopt;
  WrittenOverlap overlap{0, bytes_in(first.writes), bytes_in(second.writes)};
  auto a = first.writes.begin(), b = second.writes.begin();
  while (a != first.writes.end() && b != second.writes.end()) {
    const std::uint64_t begin = std::max(a->begin, b->begin), end = std::min(a->end, b->end);
    if (begin < end) {
      if (!reaches_into(*a, *b) && !reaches_into(*b, *a)) return std::nullopt;
      overlap.bytes += end - begin;
    }
    if (a->end < b->end) {
      ++a;
    } else {
      ++b;
    }
  }
  return overlap.bytes > 0 ? std::optional(overlap) : std::nullopt;
}

std::optional<Conflict> conflict(const TouchedBytes& first, const TouchedBytes& second) {
  std::optional<Conflict> lowest;
  const auto look = [&](const Ranges& left, const Ranges& right, bool first_writes, bool second_writes) {
    const auto bytes = meeting(left, right);
    if (bytes && (!lowest || bytes->begin < lowest->bytes.begin)) lowest = {*bytes, first_writes, second_writes};
  };
  look(first.writes, second.writes, true, true);
  look(first.writes, second.shared, true, true);
  look(first.shared, second.writes, true, true);
  look(first.writes, second.reads, true, false);
  look(first.shared, second.reads, true, false);
  look(first.reads, second.writes, false, true);
  look(first.reads, second.shared, false, true);
  return lowest;
}

}  // namespace cudalabs::vgpu
