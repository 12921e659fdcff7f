// Text laid out in columns.
#include "report/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/printable.h"

namespace cudalabs {
namespace {

constexpr std::size_t kTab = 4;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// What must not be broken: words, and code between backticks with the spaces in it, as long as it is short enough.
std::vector<std::string> unbreakable(std::string_view text, std::size_t longest) {
  std::vector<std::string> pieces;
  bool in_code = false;
  for (const std::string_view word : split(text, ' ')) {
    if (in_code && display_width(pieces.back()) + 1 + display_width(word) <= longest) {
      (pieces.back() += ' ') += word;
    } else {
      pieces.emplace_back(word);
    }
    if (std::ranges::count(word, '`') % 2 != 0) in_code = !in_code;
  }
  return pieces;
}

void wrap_paragraph(std::string_view paragraph, std::size_t width, std::vector<std::string>& lines) {
  // Spaces at the start are an indentation that the author meant.
  const std::size_t indent = std::min(paragraph.find_first_not_of(' '), paragraph.size());
  std::string line(paragraph.substr(0, indent));
  std::size_t columns = indent;
  bool empty = true;
  for (const std::string& word : unbreakable(paragraph.substr(indent), width / 2)) {
    const std::size_t length = display_width(word);
    if (!empty && columns + 1 + length > width) {
      lines.push_back(std::move(line));
      line.assign(paragraph.substr(0, indent));
      columns = indent;
      empty = true;
    }
    if (!empty) {
      line += ' ';
      ++columns;
    }
    line += word;
    columns += length;
    empty = false;
  }
  lines.push_back(std::move(line));
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string_view paragraph : split(text, '\n')) wrap_paragraph(paragraph, width, lines);
  return lines;
}

std::string shorten(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  return std::string(fit(text, columns > 3 ? columns - 3 : 0)) + "...";
}

std::string excerpt(std::string_view text, std::size_t lines, std::size_t columns) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::vector<std::string_view> all = split(text, '\n');
  std::string out;
  for (std::size_t i = 0; i < std::min(lines, all.size()); ++i) {
    if (i > 0) out += '\n';
    out += shorten(expand_tabs(all[i]), columns);
  }
  if (all.size() > lines) {
    out += fmt::format("\n... ({} more {})", all.size() - lines, all.size() - lines == 1 ? "line" : "lines");
  }
  return out;
}

std::size_t rows_of(std::string_view text, std::size_t width) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::size_t rows = 0;
  for (const std::string_view line : split(text, '\n'))
    rows += std::max<std::size_t>(1, (display_width(line) + width - 1) / width);
  return rows;
}

std::string expand_tabs(std::string_view line) {
  std::string out;
  std::size_t column = 0;
  for (const std::string_view part : split(line, '\t')) {
    if (!out.empty() || part.data() != line.data()) {
      const std::size_t spaces = kTab - column % kTab;
      out.append(spaces, ' ');
      column += spaces;
    }
    out += part;
    column += display_width(part);
  }
  return out;
}

}  // namespace cudalabs
