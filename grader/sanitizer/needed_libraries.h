// Which shared libraries a program asks the loader for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cudalabs::sanitizer {

/// The names in the dynamic section of a 64-bit ELF file, such as "libcudart.so.13"; none for one that is linked
/// statically. Nothing for a file that is no such ELF file, or a damaged one.
std::optional<std::vector<std::string>> needed_libraries(const std::filesystem::path& program);

}  // namespace cudalabs::sanitizer
