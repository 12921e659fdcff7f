// A function that allocates into its own copy of a pointer: the caller never gets the address.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "bool make(float* d, int n) { return cudaMalloc(&d, n) == cudaSuccess; }": `d` at the allocation, and what it is a
/// parameter of. Where the function does something else with the address, such as return it, nothing is lost.
struct LostAllocation {
  Setting pointer;
  std::string function, parameter;  // "float* d"

  bool operator==(const LostAllocation&) const = default;
};

/// The first of a source.
std::optional<LostAllocation> lost_allocation(std::string_view source);

/// Shows it beside findings about pointers that are null, or lead nowhere, in the host's code and in kernels.
void show_lost_allocation(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
