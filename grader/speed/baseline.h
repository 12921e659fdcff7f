// The pinned baselines: programs of the grader's own that submissions are compared with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "build/builder.h"
#include "datasets/timed_work.h"
#include "lab/lab.h"

namespace cudalabs::speed {

/// A baseline as a lab, so that it is built and run like a submission; its source is the contract's, in its folder.
/// Throws std::runtime_error when there is none of that name.
Lab baseline_lab(const std::string& name);

/// "a naive product with coalesced accesses"
std::string describe_baseline(const std::string& name);

/// Its inputs stay in host memory, so that no plan can patch them.
bool works_on_host(const std::string& name);

/// The baseline `lab` as a program, built for `device` as fast as `toolchain` can. Throws std::runtime_error when it
/// does not compile.
std::filesystem::path built_baseline(const Lab& lab, const Toolchain& toolchain, Device device);

/// What is timed of a lab, by its slug, or of a baseline. Throws std::runtime_error when nothing is known of it.
std::unique_ptr<datasets::TimedWork> timed_work(const std::string& name,
                                                const std::map<std::string, std::int64_t>& parameters);

/// The baseline that moves data and computes nothing: its work is bytes, and no kernel of ours.
inline constexpr std::string_view kCopy = "copy";

/// The names that lab.toml may use.
std::vector<std::string> baseline_names();

}  // namespace cudalabs::speed
