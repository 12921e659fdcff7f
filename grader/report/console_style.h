// How this terminal wants its report.
#pragma once

#include "report/terminal_style.h"

namespace cudalabs {

/// For what is written to this descriptor. Colour only on a terminal that wants it ($NO_COLOR, TERM=dumb), signs beyond
/// ASCII only where the locale is UTF-8, the width of the terminal up to 120 columns (without one that of $COLUMNS,
/// else 100).
TerminalStyle console_style(int descriptor);

}  // namespace cudalabs
