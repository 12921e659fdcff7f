// An input of the host that went to the device twice, where another one never did: a line that was copied, and not
// changed everywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/dataset.h"
#include "vgpu/cudart/transfers.h"
#include "vgpu/finding.h"

namespace cudalabs {

struct Mismatch;

struct RepeatedCopy {
  std::string copied, missing;  // inputs, by name
  vgpu::CallOrigin call;        // the one of the two copies that stands where the missing input's belongs
  SourcePlace where = {};       // of that call, where it was looked up
};

/// Answers only when every copy to the device brought one whole input, one of them twice and one not at all. Copies
/// stand in the order of the inputs.
std::optional<RepeatedCopy> repeated_copy(const datasets::Case& test, const vgpu::TransferLog& log);

/// Wrong values of an array of the host come from that copy.
void name_repeated_copy(Mismatch& mismatch, const RepeatedCopy& repeated);

}  // namespace cudalabs
