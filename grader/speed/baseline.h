// The pinned baselines: programs of the grader's own that submissions are compared with.
#pragma once

#include <string>
#include <vector>

#include "lab/lab.h"

namespace cudalabs::speed {

/// A baseline as a lab, so that it is built and run like a submission; its source is the contract's, in its folder.
/// Throws std::runtime_error when there is none of that name.
Lab baseline_lab(const std::string& name);

/// "a naive product with coalesced accesses"
std::string describe_baseline(const std::string& name);

/// Its inputs stay in host memory, so that no plan can patch them.
bool works_on_host(const std::string& name);

/// The names that lab.toml may use.
std::vector<std::string> baseline_names();

}  // namespace cudalabs::speed
