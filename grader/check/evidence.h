// Everything a lab's Catch2 checks may look at: the build, and each case with what was observed of it.
#pragma once

#include <string_view>
#include <vector>

#include "build/builder.h"
#include "datasets/dataset.h"
#include "lab/lab.h"
#include "run/run.h"

namespace cudalabs {

struct Trial {
  datasets::Case test;
  Observation observed;      // checked build, every check on
};

struct Evidence {
  const Lab* lab = nullptr;
  BuildResult build;         // checked build
  std::vector<Trial> trials; // empty when the build failed

  /// Trials of cases with `tag`, in the order of lab.toml.
  std::vector<const Trial*> with_tag(std::string_view tag) const;
};

/// The evidence of the grading in progress; set once before the Catch2 session, read by test cases.
const Evidence& evidence();
void set_evidence(const Evidence* evidence);

}  // namespace cudalabs
