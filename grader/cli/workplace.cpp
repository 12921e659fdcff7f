// Where the labs are, and which file of which lab a command line means.
#include "cli/workplace.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "cli/usage_error.h"

#ifndef CUDALABS_SOURCE_ROOT
#error "the build defines CUDALABS_SOURCE_ROOT"
#endif

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// Shorter of the path itself and the path from here: what a terminal can open with a click.
std::string shown(const fs::path& path) {
  std::error_code error;
  const std::string relative = fs::proximate(path, error).string();
  const std::string whole = path.string();
  return error || relative.empty() || relative.size() > whole.size() ? whole : relative;
}

}  // namespace

fs::path project_root() {
  if (const char* root = std::getenv("CUDALABS_ROOT"); root != nullptr && *root != '\0') return root;
  return CUDALABS_SOURCE_ROOT;
}

Lab load_lab(const std::string& name) {
  const fs::path root = project_root();
  fs::path folder;
  try {
    folder = find_lab(root / "labs", name);
  } catch (const LabError& error) {
    throw UsageError(std::string(error.what()) + " (grade list names the labs)");
  }
  return read_lab(folder, root / "solutions");
}

Submission find_submission(const Target& target, const Lab& lab) {
  const bool given = target.submission.has_value();
  const fs::path path = given ? *target.submission : target.solution ? lab.solution_folder : lab.folder;
  std::error_code error;
  if (target.solution && !fs::is_directory(path, error)) {
    throw UsageError(fmt::format("there is no solution of {} here", lab.id));
  }
  Submission submission{path, {}, given ? path.string() : shown(path)};
  if (fs::is_directory(path, error)) {
    submission = {path / lab.contract.source, path, (fs::path(submission.shown) / lab.contract.source).string()};
  }
  if (!fs::exists(fs::symlink_status(submission.source, error))) {
    throw UsageError(fmt::format("{}: there is no such file; {} is graded from a file, or from a folder with a {}",
                                 submission.shown, lab.id, lab.contract.source));
  }
  return submission;
}

}  // namespace cudalabs
