// Where the grader's own helper programs and libraries are: beside an installed grader, or in the build folder.
#pragma once

#include <filesystem>
#include <string_view>

namespace cudalabs::sandbox {

/// `<prefix>/lib/cudalabs/NAME` when the running program is in `<prefix>/bin` and that file exists, else `built`.
std::filesystem::path installed_file(std::string_view name, const std::filesystem::path& built);

/// Whether any user of this machine may execute the file `path` (absolute, links followed): its own mode and that of
/// every folder above it say so. False when one of them cannot be asked.
bool everyone_may_execute(const std::filesystem::path& path);

}  // namespace cudalabs::sandbox
