// One finding as a compiler would print it: message, place, source line, the other place, note, help.
#pragma once

#include <string>

#include "report/source_text.h"
#include "report/terminal_style.h"
#include "vgpu/finding.h"

namespace cudalabs {

std::string render_finding(const Finding& finding, const SourceText& sources, const TerminalStyle& style);

}  // namespace cudalabs
