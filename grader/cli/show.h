// Text to the terminal.
#pragma once

#include <cstdio>
#include <string>

namespace cudalabs {

/// Prints at once: a reader may wait for it, and what a compiler or a library prints comes after it.
inline void show(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace cudalabs
