// The files that findings may quote from.
#include "cli/sources.h"

namespace cudalabs {

FileSources sources_of(const Lab& lab, const Submission& submission) {
  FileSources sources;
  if (submission.text) {
    sources.add_text(submission.source.string(), *submission.text);
  } else {
    sources.add(submission.source.string(), submission.source);
  }
  sources.add(lab.contract.header, lab.folder / lab.contract.header);
  return sources;
}

}  // namespace cudalabs
