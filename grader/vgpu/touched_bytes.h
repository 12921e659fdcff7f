// Which bytes of device memory an operation touched: a kernel, a copy, a fill.
#pragma once

#include <cstdint>
#include <vector>

namespace cudalabs::vgpu {

struct ByteRange {
  std::uint64_t begin = 0, end = 0;  // device addresses, [begin, end)

  bool operator==(const ByteRange&) const = default;
};

/// Each list is sorted, and its ranges do not touch. `shared` are accesses that may meet others of their kind without
/// order: atomics, and what is volatile or goes through `cuda::atomic`. `system` are those of them that all accesses of
/// this kind share with the whole system, the host included.
struct TouchedBytes {
  std::vector<ByteRange> reads, writes, shared, system = {};

  bool operator==(const TouchedBytes&) const = default;
};

}  // namespace cudalabs::vgpu
