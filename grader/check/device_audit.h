// Tells whether a right result was computed on the device. The case is run a second time with a difference that only
// the device can see: its arrays hold other values, while the host is shown the same as before. A result that was
// computed on the device becomes that of the other values; one that came through the host, or from constants, does not.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "check/submission_run.h"
#include "vgpu/cudart/transfers.h"

namespace cudalabs {

/// A case with the sizes of another, whose arrays take the place of the other's on the device.
struct Twin {
  datasets::Case test;
  vgpu::Replacements replacements;  // no answers yet
  bool host_arrays = false;         // the function gets its arrays in host memory
};

/// A twin of a case of the generator `name`, every output of which differs from the case's; `spec` is what the case was
/// made from. None when there is none, as for a case without inputs.
std::optional<Twin> twin_of(const datasets::Case& test, datasets::CaseSpec spec, std::string_view name);

/// What the submission's own copies to the host brought in a recorded run. None when the log does not end with the
/// harness's copies of `observed.outputs`, so that it is not clear which are its own.
std::optional<std::vector<std::vector<std::byte>>> answers_of(const Observation& observed);

/// What the submission's kernels printed in a recorded run.
std::vector<std::vector<std::byte>> prints_of(const Observation& observed);

/// What a run with the twin's replacements tells of a right run of the case.
struct Audit {
  ComputedOn where = ComputedOn::unknown;
  /// Of a result that was computed elsewhere: what is wrong, without a place.
  std::optional<Finding> finding;
  vgpu::CallOrigin call;  // its place; address 0: none
};

/// What is wrong with a right result for which more was copied between host and device than can be followed, although
/// the function gets its arrays in device memory; without a place.
Finding copies_too_much(const datasets::Case& test);

/// `first`: the case as it is; `second`: with the replacements. Both recorded. Unknown where the host did not do the
/// same in both, so that the results cannot be held against each other; of host arrays, unless the result is the
/// twin's, or has an element left that is the first run's.
Audit audit_of(const Twin& twin, const Observation& first, const Observation& second);

}  // namespace cudalabs
