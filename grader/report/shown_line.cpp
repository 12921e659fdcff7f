// From bytes of a file to columns of a terminal.
#include "report/shown_line.h"

#include <algorithm>

#include "report/layout.h"
#include "report/printable.h"

namespace cudalabs {

std::optional<ShownLine> shown_line(const SourceText& sources, const SourcePlace& place) {
  const std::string raw = sources.line(place.file, place.line);
  const std::size_t indent = std::min(raw.find_first_not_of(" \t"), raw.size());
  if (indent == raw.size()) return std::nullopt;
  ShownLine shown;
  shown.text = expand_tabs(printable(raw));
  // The column counts bytes of the file; a column past the line's end is none.
  const bool known = place.column != 0 && place.column <= raw.size();
  shown.column = display_width(expand_tabs(printable(raw.substr(0, known ? place.column - 1 : indent))));
  if (!known) shown.length = display_width(shown.text) - shown.column;
  return shown;
}

}  // namespace cudalabs
