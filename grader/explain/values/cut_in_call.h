// Values of `float` that lose their fractions on the way through a function of the device that takes or returns `int`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// "__device__ int warp_sum(int v)", called with a `float`.
struct CutInCall {
  std::string function;
  std::string type;                     // "int"
  std::vector<std::string> parameters;  // of that type, which are given a `float` by value: "v"
  bool returns = false;                 // it returns a value of that type that is computed from such ones
  std::string given;                    // "float", or "T" of the caller's template
  std::uint32_t line = 0, column = 0;   // of the function's first such type
  std::uint32_t call = 0;               // the line that calls it with such a value; 0: it only returns one

  bool operator==(const CutInCall&) const = default;
};

/// Those of a source, in their order. `floats`: a kernel is an instance for `float` or `double`, so that types that
/// templates take are such. `code` has no comments.
std::vector<CutInCall> cuts_in_calls(std::string_view code, bool floats);

/// Places wrong values that are whole numbers, and should be none, at the only such function of the source. `source` is
/// the text of `file`.
void show_cuts_in_calls(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
