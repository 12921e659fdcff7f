// What a person asked to see of a grading besides the report.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/submission_run.h"
#include "cli/options.h"
#include "cli/picture_files.h"
#include "cli/project.h"
#include "page/graded_work.h"
#include "report/access_picture.h"
#include "report/kernel_coverage.h"
#include "report/report.h"
#include "report/source_text.h"

namespace cudalabs {

class RequestedArtifacts {
 public:
  /// All must outlive it. Throws UsageError for files that cannot be written where the command wants them.
  RequestedArtifacts(const GradeCommand& command, const Lab& lab, const Submission& submission);

  /// Keeps of the submission run what was asked for.
  void take(const SubmissionRun& submission_run);

  /// Writes the files, and returns what the terminal shows; nothing where nothing was asked for.
  std::string show(const SourceText& sources, const TerminalStyle& style) const;

  /// Of `report` and of what was kept of its run.
  std::string page(const Report& report, const FileSources& sources) const;

 private:
  /// Where the picture of accesses goes when no file is named.
  std::filesystem::path picture_file() const;
  std::string pictures_text() const;

  const GradeCommand& command_;
  const Lab& lab_;
  const Submission& submission_;
  std::optional<KernelCoverage> coverage_;
  std::optional<AccessPicture> accesses_;
  PictureFiles pictures_;
  std::size_t pictured_ = 0;                       // cases
  std::vector<page::CasePictures> page_pictures_;  // for a browser
};

}  // namespace cudalabs
