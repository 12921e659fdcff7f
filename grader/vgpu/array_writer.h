// A line of a kernel that wrote to an array last.
#pragma once

#include <string>

#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// One of the places from which the last launch that wrote to an array did so.
struct ArrayWriter {
  std::string array;   // an output, as its caller declared it; empty: global memory that is none
  std::string kernel;  // demangled, without parameters
  SourcePlace where;

  bool operator==(const ArrayWriter&) const = default;
};

}  // namespace cudalabs::vgpu
