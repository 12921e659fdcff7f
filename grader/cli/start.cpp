#include "cli/start.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

#include "cli/project.h"
#include "cli/usage_error.h"

namespace cudalabs {

namespace fs = std::filesystem;

std::vector<fs::path> copy_skeleton(const Lab& lab, const fs::path& folder) {
  std::vector<fs::path> copies;
  for (const std::string& name : {lab.contract.source, lab.contract.header}) copies.push_back(folder / name);
  for (const fs::path& copy : copies) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(copy, error))) {
      throw UsageError(fmt::format(
          "{}: this file is there already, and nothing was written; --out names another folder", copy.string()));
    }
  }
  make_folder("--out", folder);
  for (const fs::path& copy : copies) {
    // What is installed may be read-only: the copy is there to be edited.
    fs::copy_file(lab.folder / copy.filename(), copy);
    fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write, fs::perm_options::add);
  }
  return copies;
}

}  // namespace cudalabs
