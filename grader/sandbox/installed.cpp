// Finds helper files relative to the running program, so that an installed tree can be moved.
#include "sandbox/installed.h"

#include <system_error>

namespace cudalabs::sandbox {

std::filesystem::path installed_file(std::string_view name, const std::filesystem::path& built) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    std::filesystem::path beside = program.parent_path().parent_path() / "lib" / "cudalabs" / name;
    if (std::filesystem::exists(beside, error)) return beside;
  }
  return built;
}

}  // namespace cudalabs::sandbox
