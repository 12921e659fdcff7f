// One finding in few rows, for a report that has to fit a screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "report/source_text.h"
#include "vgpu/finding.h"

namespace cudalabs {

/// The most rows of each part. The place is never left out, nor is the row of a note that says what was launched.
struct FindingRows {
  std::size_t message = 3, note = 3, help = 4;
};

/// Message, place, the source line with its column marked, the line of the other access, why, and what to do; lines of
/// at most the style's width, without line ends. What is cut ends in "...".
std::vector<std::string> compact_finding(const Finding& finding, const SourceText& sources, const TerminalStyle& style,
                                         const FindingRows& rows);

/// `text` wrapped to lines of `width`, at most `rows` of them: where some are missing, the last ends in "...".
std::vector<std::string> wrap_to_rows(std::string_view text, std::size_t width, std::size_t rows);

}  // namespace cudalabs
