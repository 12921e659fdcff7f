// What fits a screen.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"
#include "report/source_text.h"

namespace cudalabs {

/// render_screen() for `rows` rows, where that is possible.
std::string render_screen_of(const Report& report, const SourceText& sources, const TerminalStyle& style,
                             std::size_t rows);

}  // namespace cudalabs
