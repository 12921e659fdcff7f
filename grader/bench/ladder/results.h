// What the ladder benchmark found, as data and as tables.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "timing_rounds.h"

namespace cudalabs::ladder {

/// The timing of one size on a ladder. Rates and shares are work over time: the share of a step is its rate over the
/// limit's, corrected for the work (a vector add moves 12 bytes an element, the copy it is held against 8).
struct SizeResult {
  std::string label;                      // "4096 × 4096 × 4096", "2^28"
  std::string limit;                      // "cuBLAS, FP32", "device-to-device copy"
  std::string unit;                       // "GFLOP/s", "GB/s"
  double limit_work = 0, step_work = 0;   // floating-point operations, or bytes read and written
  std::vector<Measurement> measurements;  // the limit first
  std::vector<std::string> left_out;      // steps too slow to be timed at this size
};

struct LadderResult {
  std::string lab;
  std::string function;
  int edge_cases = 0;  // sizes checked for correctness, each with every step and both kinds of values
  std::vector<SizeResult> sizes;
};

nlohmann::ordered_json to_json(const LadderResult& result);

/// A table: a row for each step, a column for each size, "rate (share %)".
std::string to_markdown(const LadderResult& result);

}  // namespace cudalabs::ladder
