// A line of source as it is shown to people, with the part of it that is meant.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "report/source_text.h"
#include "vgpu/finding.h"

namespace cudalabs {

struct ShownLine {
  std::string text;        // printable, without tabs
  std::size_t column = 0;  // where the meant part begins, in columns from 0
  std::size_t length = 1;  // and its columns
};

/// What stands at `place`; without a column that is the whole line. Nothing where there is no text.
std::optional<ShownLine> shown_line(const SourceText& sources, const SourcePlace& place);

}  // namespace cudalabs
