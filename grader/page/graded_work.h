// What a page shows of one grading.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/access_picture.h"
#include "report/kernel_coverage.h"
#include "report/report.h"
#include "report/source_text.h"

namespace cudalabs::page {

/// A picture as PNG bytes, each of its pixels one element of an array.
struct Image {
  std::string name;  // "c, expected"
  std::string png;
  std::int64_t width = 0, height = 0;  // pixels
};

/// What went into a case, what came out, and where that is wrong.
struct CasePictures {
  std::string test;  // the case, as people read it
  struct Output {
    std::string name;
    std::int64_t wrong = 0, of = 0;  // elements
  };
  std::vector<Output> outputs;
  std::vector<Image> images;

  bool wrong() const;
};

/// Versions of a lab's kernel that were measured before, to hold a speed against.
struct Ladder {
  std::string device;  // "NVIDIA H200"
  std::string size;    // "2^26"
  std::string limit;   // what 1 is: "device-to-device copy"
  std::string unit;    // "GB/s"
  struct Step {
    std::string name;
    double rate = 0, share = 0;  // in `unit`; of the limit
  };
  std::vector<Step> steps;  // in the order of the ladder
  /// `rate` of this submission, where it was measured on that device and the units agree; 0: not known.
  double own_rate = 0;
};

/// The report must be there; all else is shown where it is known.
struct GradedWork {
  Report report;
  FileSources sources;  // the file called `report.submission` is shown whole
  std::optional<KernelCoverage> coverage;
  std::optional<AccessPicture> accesses;
  std::vector<CasePictures> pictures;
  std::vector<std::pair<std::string, Ladder>> ladders;  // by the check that they belong to
};

}  // namespace cudalabs::page
