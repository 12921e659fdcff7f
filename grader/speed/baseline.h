// The pinned baselines: programs of the grader's own that submissions are compared with. Each is a folder with its own
// data, grader/speed/pinned/NAME/baseline.toml.
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
#include "lab/program_data.h"

namespace cudalabs::speed {

struct Baseline {
  std::string name;      // "coalesced_product"
  std::string title;     // for people: "a naive product with coalesced accesses"
  std::string work;      // what is timed: a name that timed_work_for() knows
  bool on_host = false;  // its inputs stay in host memory, so that no plan can patch them
  bool copies = false;   // it moves data and computes nothing: its work is bytes, and no kernel of ours
  Program program;       // its source is the contract's, in its folder
};

/// Throws std::runtime_error when there is none of that name, LabError when its data is wrong.
Baseline read_baseline(const std::string& name);

/// The names that lab.toml may use, sorted.
std::vector<std::string> baseline_names();

/// The baseline as a program, built for `device` as fast as `toolchain` can. Throws std::runtime_error when it does not
/// compile.
std::filesystem::path built_baseline(const Baseline& baseline, const Toolchain& toolchain, Device device);

/// What is timed under a name. Throws std::runtime_error when nothing is known of it, std::invalid_argument for a size
/// that cannot be.
std::unique_ptr<datasets::TimedWork> timed_work(const std::string& work,
                                                const std::map<std::string, std::int64_t>& parameters);

/// The baseline that a GPU's bandwidth is measured by.
inline constexpr std::string_view kCopy = "copy";

}  // namespace cudalabs::speed
