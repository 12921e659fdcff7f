// Wrong results whose cause a lab knows. Detectors find them, by name; what is said of them stands in the lab's
// lab.toml.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/comparison.h"
#include "check/region.h"
#include "check/value_pattern.h"
#include "datasets/dataset.h"
#include "lab/lab.h"

namespace cudalabs {

/// What a detector found: one of the names that it is registered under, and the numbers that the words may use.
struct Detected {
  std::string_view name;
  std::map<std::string_view, std::int64_t> numbers = {};
  bool sure = true;  // false: another name that the detector answers with explains this output as well
};

/// Looks at an output of `test` with wrong elements. Answers only when all of them fit, and enough of them that chance
/// is out of the question. `block`: the block of threads that the submission launched, if it launched one.
using Detector = std::optional<Detected> (*)(const Comparison& comparison, const datasets::Case& test,
                                             std::optional<BlockShape> block);

/// A detector's file defines one of these at namespace scope, for all the names that it answers with, each with the
/// names of its numbers. Throws std::logic_error for a name that is taken.
struct RegisterDetector {
  using Numbers = std::vector<std::string_view>;
  RegisterDetector(std::initializer_list<std::pair<std::string_view, Numbers>> names, Detector detector);
};

/// All names of detectors, sorted.
std::vector<std::string> detector_names();

/// Why the explanation cannot be given: no such detector, or words with a number that it does not find. Empty: it can.
std::string fault_of(const Explanation& explanation);

/// The first of the explanations that applies, in its words. Throws std::runtime_error for one that cannot be given.
std::optional<ValuePattern> explain(std::span<const Explanation> explanations, const Comparison& comparison,
                                    const datasets::Case& test, std::optional<BlockShape> block);

}  // namespace cudalabs
