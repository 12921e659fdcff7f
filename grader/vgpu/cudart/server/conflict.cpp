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

}  // namespace

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
