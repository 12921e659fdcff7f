// The steps of a ladder: shared libraries, one a step, each with the lab's contract function in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs::ladder {

struct Step {
  std::string name;          // the source file without its extension: "03_tiled_16"
  void* function = nullptr;  // the contract function; the caller knows its type
};

/// Loads every `*.so` of `folder` in order of name and finds `symbol`, a mangled name, in each. The libraries stay
/// loaded. Throws std::runtime_error if there is none, or one does not load or lacks the function.
std::vector<Step> load_steps(const std::filesystem::path& folder, const std::string& symbol);

}  // namespace cudalabs::ladder
