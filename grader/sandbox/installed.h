// Where the grader's own helper programs and libraries are: beside an installed grader, or in the build folder.
#pragma once

#include <filesystem>
#include <string_view>

namespace cudalabs::sandbox {

/// `<prefix>/lib/cudalabs/NAME` when the running program is in `<prefix>/bin` and that file exists, else `built`.
std::filesystem::path installed_file(std::string_view name, const std::filesystem::path& built);

}  // namespace cudalabs::sandbox
