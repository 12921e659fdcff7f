// Races of a script by brute force: a graph of all events of all threads, its closure, and every pair of accesses.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "event_script.h"

namespace cudalabs::vgpu::testing {

/// A byte: space, block (0 for global memory), address.
using Byte = std::tuple<MemorySpace, std::uint64_t, std::uint64_t>;

struct OracleVerdict {
  /// Pairs of instructions (smaller first) that race, and the bytes on which they do.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<Byte>> races;

  std::set<Byte> bytes() const {
    std::set<Byte> all;
    for (const auto& [pair, bytes] : races) all.insert(bytes.begin(), bytes.end());
    return all;
  }
};

/// Shares no code with RaceRecorder; knows nothing of clocks, epochs or cells.
OracleVerdict races_by_brute_force(const Script& script);

}  // namespace cudalabs::vgpu::testing
