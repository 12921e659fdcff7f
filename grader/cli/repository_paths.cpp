// Where a submission lies in the repository it belongs to.
#include "cli/repository_paths.h"

#include <system_error>

namespace cudalabs {

namespace fs = std::filesystem;

namespace {

fs::path whole(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::absolute(path).lexically_normal() : absolute;
}

void add(SourcePaths& paths, const std::string& name, const fs::path& file, const fs::path& top) {
  const fs::path relative = whole(file).lexically_relative(top);
  if (!relative.empty() && *relative.begin() != "..") paths[name] = relative.generic_string();
}

}  // namespace

fs::path repository_of(const fs::path& file) {
  fs::path folder = whole(file).parent_path();
  std::error_code error;
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at;
  }
  return folder;
}

SourcePaths repository_paths(const Lab& lab, const Submission& submission) {
  SourcePaths paths;
  const fs::path top = repository_of(submission.source);
  add(paths, lab.contract.header, lab.folder / lab.contract.header, top);
  add(paths, submission.source.string(), submission.source, top);
  return paths;
}

}  // namespace cudalabs
