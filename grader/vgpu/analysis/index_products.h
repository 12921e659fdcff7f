// Products of 32 bits that the index of an access is computed from. Seen in the program's text; what they are worth in
// a thread, its launch tells.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "vgpu/analysis/thread_value.h"
#include "vgpu/analysis/value_flow.h"

namespace cudalabs::vgpu {

/// A multiplication whose result is taken for a signed number on its way to an address, and its factors.
struct IndexProduct {
  CodePlace place;
  ThreadValue left, right;
};

/// By access to memory that is not known to be the block's or the thread's own, in a kernel's own code; the nearest
/// product first. Products in functions that the kernel calls are among them, once for each call; those whose factors
/// depend on what is loaded from memory, or on a loop, are left out.
std::map<CodePlace, std::vector<IndexProduct>> index_products(const ValueFlow& flow);

/// A product of two ints that is none: "264192 * 8129".
struct LargeProduct {
  CodePlace place;
  std::int64_t left = 0, right = 0;

  std::int64_t exact() const { return left * right; }
  bool operator==(const LargeProduct&) const = default;
};

/// The one farthest from the access of those that no `int` can hold in that thread.
std::optional<LargeProduct> innermost_overflow(const std::vector<IndexProduct>& products, const ThreadOfLaunch& thread);

}  // namespace cudalabs::vgpu
