// A figure of the slides and handouts, registered by name; each lives in a file of its own.
#pragma once

#include <map>
#include <string>

namespace cudalabs::figures {

/// Draws the figure and returns its SVG text; the same bytes on every machine.
using Draw = std::string (*)();

/// All figures, by file name without extension.
const std::map<std::string, Draw>& all_figures();

struct RegisterFigure {
  RegisterFigure(const std::string& name, Draw draw);
};

}  // namespace cudalabs::figures
