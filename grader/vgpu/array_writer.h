// A line of a kernel that wrote to an array last.
#pragma once

#include <string>
#include <vector>

#include "vgpu/analysis/origin_kind.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// A line that has a part in the values that another one stores.
struct OriginPlace {
  OriginKind kind = OriginKind::half;
  SourcePlace where;
  std::string array;  // the input that a fill takes its values from, where that is known

  bool operator==(const OriginPlace&) const = default;
};

/// One of the places from which the last launch that wrote to an array did so.
struct ArrayWriter {
  std::string array;   // an output, as its caller declared it; empty: global memory that is none
  std::string kernel;  // demangled, without parameters
  SourcePlace where;
  std::vector<OriginPlace> origins = {};  // the nearest first

  bool operator==(const ArrayWriter&) const = default;
};

}  // namespace cudalabs::vgpu
