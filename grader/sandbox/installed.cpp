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

bool everyone_may_execute(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  constexpr fs::perms kNeeded = fs::perms::others_read | fs::perms::others_exec;
  std::error_code error;
  const fs::path file = fs::canonical(path, error);
  if (error || (fs::status(file, error).permissions() & kNeeded) != kNeeded) return false;
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    if ((fs::status(folder, error).permissions() & fs::perms::others_exec) == fs::perms::none || error) return false;
    if (folder == folder.root_path()) return true;
  }
}

}  // namespace cudalabs::sandbox
