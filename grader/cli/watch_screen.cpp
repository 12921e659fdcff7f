#include "cli/watch_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "report/layout.h"
#include "report/printable.h"

namespace cudalabs {
namespace {

constexpr char kEscape = '\x1b';

/// Colours take no columns.
std::size_t rows_of_line(std::string_view line, std::size_t width) {
  std::string plain;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != kEscape) {
      plain += line[i];
      continue;
    }
    while (i < line.size() && line[i] != 'm') ++i;
  }
  return std::max<std::size_t>(1, (display_width(plain) + width - 1) / width);
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

std::string watch_screen(std::string_view report, std::string_view changes, std::string_view waiting, std::size_t rows,
                         std::size_t width) {
  const std::size_t room = std::max(rows, kWatchFooterRows + 2) - kWatchFooterRows;
  std::istringstream stream{std::string(report)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  std::size_t taken = 0, fit = 0;
  while (fit < lines.size() && taken + rows_of_line(lines[fit], width) <= room)
    taken += rows_of_line(lines[fit++], width);
  if (fit < lines.size()) {
    while (fit > 0 && taken + 1 > room) taken -= rows_of_line(lines[--fit], width);
    lines.resize(fit);
    lines.emplace_back("... more: grade without watch");
  }
  std::string out = fmt::format("{}\n\n", fmt::join(lines, "\n"));
  if (!changes.empty()) out += shorten("since the last grading: " + first_line(changes), width) + '\n';
  return out + shorten(waiting, width);
}

}  // namespace cudalabs
