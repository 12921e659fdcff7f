// A lab of one function that adds vectors, made for a test in a folder of its own.
#pragma once

#include <string>

#include "build/builder.h"
#include "lab/lab.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::testing {

class SmallLab {
 public:
  SmallLab();

  const Lab& lab() const { return lab_; }
  const sandbox::TemporaryFolder& folder() const { return folder_; }
  /// Builds `text` as a submission, in a cache of its own.
  BuildResult build(const std::string& text, const Toolchain& toolchain, BuildKind kind = BuildKind::checked) const;

 private:
  sandbox::TemporaryFolder folder_;
  Lab lab_;
};

/// A submission that does the work.
std::string honest_submission();

}  // namespace cudalabs::testing
