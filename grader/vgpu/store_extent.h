// What the threads of one launch stored to one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// From one line of a kernel, in one launch.
struct StoreExtent {
  static constexpr std::size_t kMost = 256;  // in a report: where there are so many there may be others

  std::string array;   // an output, as its caller declared it; empty: global memory that is none
  std::string kernel;  // demangled, without parameters
  SourcePlace where;
  std::uint64_t launch = 0;          // its number, from 1 on
  std::uint64_t threads = 0;         // that stored there: those of the instruction of that line which has most
  std::uint64_t stores = 0;          // by all of them
  std::uint64_t first = 0, end = 0;  // in bytes from the array's beginning, of all that lies between them

  bool operator==(const StoreExtent&) const = default;
};

}  // namespace cudalabs::vgpu
