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
#include "vgpu/analysis/origin_kind.h"

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

/// An output, right or wrong, and the case that it is of.
struct CaseOutput {
  const Comparison* comparison = nullptr;
  const datasets::Case* test = nullptr;
};

/// Whether what a detector has answered with `name` for one of the outputs may be true where these are a submission's:
/// none of them contradicts.
using Agreement = bool (*)(std::string_view name, std::span<const CaseOutput> outputs);

/// The kind of line that values lead to. Where there is none of it the next one is looked for.
struct CauseLine {
  enum class Kind : std::uint8_t {
    origin,               // that has this part in the value
    last_origin,          // the same, and of several lines the last one
    origin_if_odd_block,  // the last one, where the number of threads of a block is no power of two
    restart,              // where a sum begins anew in a round of the loop in which it is accumulated
    overwrite,            // where a value is set that should have been added to
    index,                // where the place is computed that the values are read from
    signed_type,          // where bytes are given a type that makes some of them negative
    signed_word,          // where words are given a type that makes some of their highest bytes negative
    arguments,            // the launch of the kernel that stored the value, for what it gets
    first_launch,         // of the kernel that stored the value
    last_launch           // likewise
  };
  Kind kind = Kind::origin;
  vgpu::OriginKind origin = vgpu::OriginKind::loop;
  std::string_view array = {};  // of a fill: what it must be filled from; empty: any
};

/// A name that a detector answers with.
struct DetectorAnswer {
  std::string_view name;
  std::vector<std::string_view> numbers = {};  // their names
  std::vector<CauseLine> causes = {};
};

/// A detector's file defines one of these at namespace scope, for all that it answers with. No detector: what answers
/// with these names needs more than the values (words_for). No agreement: the answers say nothing of other outputs.
/// Throws std::logic_error for a name that is taken.
struct RegisterDetector {
  RegisterDetector(std::initializer_list<DetectorAnswer> answers, Detector detector, Agreement agreement = nullptr);
};

/// All names of detectors, sorted.
std::vector<std::string> detector_names();

/// What the answer of this name leads to; nothing: no detector is called so.
std::span<const CauseLine> causes_of(std::string_view detector);
/// Whether it leads to a line of this kind.
bool leads_to(std::string_view detector, CauseLine::Kind kind);

/// Whether the detector's answers say anything of other outputs than the one that they are given for.
bool speaks_of_others(std::string_view detector);
/// Whether none of the outputs contradicts what the detector says.
bool agrees_with(std::string_view detector, std::span<const CaseOutput> outputs);

/// Why the explanation cannot be given: no such detector, or words with a number that it does not find. Empty: it can.
std::string fault_of(const Explanation& explanation);

/// What the lab says of it; nothing: it has no words for it. Throws like explain().
std::optional<ValuePattern> words_for(const Detected& detected, std::span<const Explanation> explanations);

/// The first of the explanations that applies, in its words. Throws std::runtime_error for one that cannot be given.
std::optional<ValuePattern> explain(std::span<const Explanation> explanations, const Comparison& comparison,
                                    const datasets::Case& test, std::optional<BlockShape> block);

}  // namespace cudalabs
