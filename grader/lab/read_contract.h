// The files of a lab or a baseline, from its [contract].
#pragma once

#include <filesystem>

#include "lab/program_data.h"
#include "lab/toml_reader.h"

namespace cudalabs {

/// Reads [contract]. The files must lie in `folder`. Throws LabError.
Contract read_contract(TableReader reader, const std::filesystem::path& folder);

}  // namespace cudalabs
