// What has a part in the values that a module stores to global memory, and has a line of its own: a loss of digits, the
// end of a loop that sums, the fill of shared memory. Where a wrong value is looked for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vgpu/analysis/index_products.h"
#include "vgpu/analysis/origin_kind.h"
#include "vgpu/analysis/thread_guards.h"
#include "vgpu/analysis/value_flow.h"

namespace cudalabs::vgpu {

struct ValueOrigin {
  OriginKind kind = OriginKind::half;
  CodePlace place;
  /// Of a fill: the kernel's parameter that points to what is stored there; none: several, or not known.
  std::optional<std::uint32_t> parameter;
};

struct ValueOrigins {
  std::map<CodePlace, std::vector<ValueOrigin>> of_stores;  // the nearest first
  /// By instruction in a loop that cannot end, for nothing changes that is compared: the comparison.
  std::map<CodePlace, CodePlace> endless;
  /// Instructions of such loops that no thread comes to which has not gone on in the loop, and so does for ever.
  std::set<CodePlace> never_left;
  /// By access whose address is computed from an integer that was cut to fewer bits: where that is, the nearest one.
  std::map<CodePlace, CodePlace> cut_indices;
  /// By access in a kernel's own code: the number of its parameter, from 0 on, that the address is computed from. Of a
  /// pointer that may be one or the other it is one of them.
  std::map<CodePlace, std::uint32_t> pointers;
  std::map<CodePlace, std::vector<IndexProduct>> products;  // as index_products() says
  std::map<CodePlace, std::vector<ThreadGuard>> guards;     // as thread_guards() says
};

/// Nothing of modules that are very large.
ValueOrigins value_origins(const ptx::Module& module);

}  // namespace cudalabs::vgpu
