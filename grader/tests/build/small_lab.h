// A lab of one function that adds vectors, made for a test in a folder of its own.
#pragma once

#include <string>

#include "build/builder.h"
#include "lab/lab.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::testing {

/// Where a lab's submissions are kept when they are built. What submissions have in common, headers and the runner, is
/// compiled once for a cache.
enum class CacheOf { test_program, lab };

class SmallLab {
 public:
  explicit SmallLab(CacheOf cache = CacheOf::test_program);

  const Lab& lab() const { return lab_; }
  const sandbox::TemporaryFolder& folder() const { return folder_; }
  /// Builds `text` as a submission.
  BuildResult build(const std::string& text, const Toolchain& toolchain, BuildKind kind = BuildKind::checked,
                    BuildPart part = BuildPart::program) const;

 private:
  sandbox::TemporaryFolder folder_;
  Lab lab_;
};

/// A submission that does the work.
std::string honest_submission();

}  // namespace cudalabs::testing
