// A case as files that a person, or numpy, can open.
#pragma once

#include <filesystem>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// Writes `test` to the new folder PARENT/NN_name (NN: `number` in at least two digits) and returns its path:
///   INPUT.npy            each input, in its own type
///   OUTPUT_expected.npy  each expected output, the reference in double
///   OUTPUT_bound.npy     how far from the reference each element may be, in double
///   case.json            name, title, seed, parameters, tags, and which file holds what
/// Creates PARENT where it is missing. Throws std::runtime_error when the folder is there already or a file cannot be
/// written.
std::filesystem::path write_case(const Case& test, const std::filesystem::path& parent, unsigned number);

}  // namespace cudalabs::datasets
