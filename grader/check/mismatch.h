// A comparison that failed, as findings a student can act on.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "check/comparison.h"
#include "check/region.h"
#include "check/value_pattern.h"
#include "datasets/dataset.h"
#include "lab/lab.h"
#include "vgpu/analysis/origin_kind.h"
#include "vgpu/array_writer.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// How much a mismatch says about its cause. Of many cases that show one bug, the clearest is shown.
enum class Clarity : std::uint8_t { none, place, guess, values };

/// What threads there were for elements that are missing: fewer than elements, each of which did one at most, or
/// threads that did several elements each.
enum class Reach : std::uint8_t {
  unsaid,
  too_few,
  several_each,
  never  // no thread came to the line that stores
};

/// How the message ends about an output that was written although a call had failed.
inline constexpr std::string_view kAlthoughFailed = ", although a call had failed";

/// How it ends where a call has told the program: ": `cudaGetLastError` returns the error here".
std::string returns_error(std::string_view call);

struct Mismatch {
  Finding finding;  // "result-mismatch", "nonfinite-result" or "unwritten-output"; count: faulty elements
  std::string output;
  Fault fault = Fault::unwritten;
  Clarity clarity = Clarity::none;
  RegionKind region = RegionKind::scattered;    // of the faulty elements
  RegionLines lines = {};                       // that their place is told by
  std::int64_t elements = 0;                    // of the output
  std::optional<ValuePattern> cause = {};       // what the lab knows of it, where that is sure
  std::optional<ValuePattern> pattern = {};     // of its wrong values
  std::optional<vgpu::OriginKind> origin = {};  // of the line that it was blamed on, where the values say so
  Reach reach = Reach::unsaid;                  // of the threads, where elements are missing
  std::vector<vgpu::ArrayWriter> stores = {};   // the lines that store to it, where there are several
  bool after_failure = false;                   // it was written although a call had failed before
  bool follows = false;                         // from a finding of the device in the same case: no finding of its own

  bool operator==(const Mismatch&) const = default;
};

/// One mismatch for each kind of fault in `comparison`, an output of `test`; empty when it is right.
/// `block`: the block of threads the submission launched, if it launched one. `explanations`: what the lab knows.
std::vector<Mismatch> mismatches_of(const Comparison& comparison, const datasets::Case& test,
                                    std::optional<BlockShape> block, std::span<const Explanation> explanations = {});

}  // namespace cudalabs
