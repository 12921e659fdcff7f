// Takes in a file a student could have made anything of: a link, a pipe, a gigabyte of zeros.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "vgpu/finding.h"

namespace cudalabs::builder {

/// More than any solution of a lab needs, less than what hurts.
constexpr std::size_t kMostSourceBytes = 1u << 20;

struct Intake {
  std::string text;                // the file's bytes; empty when refused
  std::optional<Finding> problem;  // "build-failed" that says what is wrong with the file
};

/// Reads `source` without following links: no component below `beneath` may be one, nor lead out of it. With an empty
/// `beneath` only the last component is held to that. Refuses what is not a regular file, is empty, too long, or not
/// text.
Intake take_in(const std::filesystem::path& source, const std::filesystem::path& beneath);

}  // namespace cudalabs::builder
