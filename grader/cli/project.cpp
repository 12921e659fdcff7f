// Where the labs are, and which file of which lab a command line means.
#include "cli/project.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "build/intake.h"
#include "cli/usage_error.h"
#include "sandbox/own_files.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// The shorter of the path itself and the path from here: what a person can read and a terminal can open.
fs::path from_here(const fs::path& path) {
  std::error_code error;
  const fs::path relative = fs::proximate(path, error);
  return error || relative.empty() || relative.native().size() > path.native().size() ? path : relative;
}

}  // namespace

fs::path project_root() {
  if (const char* root = std::getenv("CUDALABS_ROOT"); root != nullptr && *root != '\0') return root;
  return sandbox::own_files().data();
}

Lab load_lab(const std::string& name) {
  const fs::path root = project_root();
  fs::path folder;
  try {
    folder = find_lab(root / "labs", name);
  } catch (const LabError& error) {
    throw UsageError(std::string(error.what()) + " (" + invocation().name + " list names the labs)");
  }
  return read_lab(folder, root / "solutions");
}

Submission find_submission(const Target& target, const Lab& lab, const Invocation& how) {
  std::error_code error;
  if (target.solution && !fs::is_directory(lab.solution_folder, error)) {
    throw UsageError(fmt::format("there is no solution of {} here", lab.id));
  }
  const bool own_copy = how.installed && !target.submission && !target.solution;
  if (own_copy && !fs::exists(fs::symlink_status(lab.contract.source, error))) {
    throw UsageError(fmt::format("there is no {} in this folder; `{} start {}` writes one, --submission names another",
                                 lab.contract.source, how.typed, lab.id));
  }
  const fs::path path = target.submission ? *target.submission
                        : own_copy        ? fs::path(lab.contract.source)
                                          : from_here(target.solution ? lab.solution_folder : lab.folder);
  Submission submission{path, {}};
  if (fs::is_directory(path, error)) submission = {path / lab.contract.source, path};
  if (!fs::exists(fs::symlink_status(submission.source, error))) {
    throw UsageError(fmt::format("{}: there is no such file; {} is graded from a file, or from a folder with a {}",
                                 submission.source.string(), lab.id, lab.contract.source));
  }
  builder::Intake taken = builder::take_in(submission.source, submission.beneath);
  if (!taken.problem) submission.text = std::move(taken.text);
  return submission;
}

void make_folder(const std::string& option, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw UsageError(fmt::format("{} {}: cannot make that folder: {}", option, folder.string(),
                                 error ? error.message() : "a file of that name is there"));
  }
}

}  // namespace cudalabs
