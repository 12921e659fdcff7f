// The text of a file for templates: each line with what ran of it, and what was found there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "page/finding_list.h"
#include "page/values.h"
#include "report/kernel_coverage.h"

namespace cudalabs::page {

/// Which lines of the code on the device ran, and in what.
struct ShownCoverage {
  const KernelCoverage& coverage;
  std::string over;  // "3 cases"
};

/// The anchor of a line of the file with this number, from 0.
std::string line_anchor_of(const FindingList& list, std::size_t file, std::uint32_t line);

/// Whether the page shows the line that `place` names, in one of the files that it shows whole.
bool is_shown(const FindingList& list, const SourcePlace& place);

/// For the template `source`: of the file with this number, from 0. Nothing where its text is not known.
std::optional<Values> source_values(const FindingList& list, std::size_t file,
                                    const std::optional<ShownCoverage>& coverage);

}  // namespace cudalabs::page
