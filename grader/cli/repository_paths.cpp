// Where a submission lies in the repository it belongs to.
#include "cli/repository_paths.h"

namespace cudalabs {

namespace fs = std::filesystem;

SourcePaths repository_paths(const Lab& lab, const Submission& submission) {
  SourcePaths paths;
  const fs::path top = repository_of(submission.source);
  add_source_path(paths, lab.contract.header, lab.folder / lab.contract.header, top);
  add_source_path(paths, submission.source.string(), submission.source, top);
  return paths;
}

}  // namespace cudalabs
