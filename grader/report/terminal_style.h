// How a terminal shows what is written to it.
#pragma once

namespace cudalabs {

struct TerminalStyle {
  bool color = false;
  bool unicode = true;   // false: ASCII stands in for the signs of this project's own (not for the student's text)
  unsigned width = 100;  // columns; lines of text are wrapped to it, source lines are cut
};

}  // namespace cudalabs
