// What allocating and filling device memory costs on the virtual GPU.
#pragma once

#include <string>
#include <vector>

namespace cudalabs::bench {

struct MemoryTime {
  std::string name;
  double milliseconds = 0;
};

/// Each once, on fresh memory.
std::vector<MemoryTime> time_memory();

}  // namespace cudalabs::bench
