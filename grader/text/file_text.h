// A file, whole.
#pragma once

#include <filesystem>
#include <string>

namespace cudalabs {

/// The file's bytes; none where it cannot be read.
std::string text_of(const std::filesystem::path& file);

/// The same. Throws std::runtime_error, which names the file, where it cannot be read.
std::string readable_text_of(const std::filesystem::path& file);

}  // namespace cudalabs
