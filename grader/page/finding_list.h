// The findings of one part of a page, and the files that it shows whole.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/source_text.h"
#include "vgpu/finding.h"

namespace cudalabs::page {

/// Findings are counted from 1. What this refers to must outlive it.
struct FindingList {
  std::string id;  // what the anchors of this part begin with: letters, digits and `_`
  std::span<const Finding> findings;
  const FileSources& sources;
  std::vector<std::string> files;  // shown whole, where their text is known
};

}  // namespace cudalabs::page
