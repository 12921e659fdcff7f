// One finding in few rows, for a report that has to fit a screen.
#include "report/compact_finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "report/finding_words.h"
#include "report/layout.h"
#include "report/paint.h"
#include "report/printable.h"
#include "report/shown_line.h"
#include "vgpu/check/launch_words.h"

namespace cudalabs {
namespace {

constexpr std::string_view kCut = "...";

/// The part of a line that has its place in it, for a line that is too long to be shown whole.
ShownLine around_place(const ShownLine& line, std::size_t room) {
  if (display_width(line.text) <= room) return line;
  ShownLine shown = line;
  const std::size_t before = room / 2;
  if (line.column + std::min(line.length, before) + kCut.size() > room) {
    const std::size_t dropped = line.column - std::min(line.column, before);
    std::string_view rest = line.text;
    rest.remove_prefix(fit(rest, dropped + kCut.size()).size());
    shown.text = std::string(kCut) + std::string(rest);
    shown.column = line.column - dropped;
  }
  shown.text = shorten(shown.text, room);
  shown.length = std::max<std::size_t>(1, std::min(shown.length, room - std::min(room, shown.column)));
  return shown;
}

class Compact {
 public:
  Compact(const Finding& finding, const SourceText& sources, const TerminalStyle& style, const FindingRows& rows)
      : finding_(finding), sources_(sources), width_(style.width), paint_(style), rows_(rows) {
    const std::uint32_t other = finding.other ? finding.other->place.line : 0;
    gutter_ = std::to_string(std::max(finding.where.line, other)).size();
  }

  std::vector<std::string> lines() {
    title();
    const std::string thread = thread_text(finding_.block, finding_.thread);
    if (finding_.where.known()) {
      arrow("-->", finding_.where, kernel_text(finding_.kernel, times_of(finding_)));
      snippet(finding_.where, '^', thread);
    }
    if (finding_.other) other_place(*finding_.other);
    note();
    remark("help: ", finding_.help, rows_.help);
    return std::move(lines_);
  }

 private:
  void title() {
    const std::string head = fmt::format("{}[{}]", name_of(finding_.severity), printable_line(finding_.id));
    const auto lines = wrap_to_rows(head + ": " + printable_line(finding_.message), width_, rows_.message);
    const std::size_t colored = std::min(head.size(), lines[0].size());
    lines_.push_back(paint_.in_color_of(finding_.severity, lines[0].substr(0, colored)) +
                     paint_.bold(lines[0].substr(colored)));
    for (std::size_t i = 1; i < lines.size(); ++i) lines_.push_back(paint_.bold(lines[i]));
  }

  void arrow(std::string_view sign, const SourcePlace& place, const std::string& beside) {
    const std::size_t room = width_ - gutter_ - sign.size() - 1;
    std::string text = place_text(place, room);
    if (!beside.empty() && display_width(text) + 2 + display_width(beside) <= room) text += ", " + beside;
    lines_.push_back(std::string(gutter_, ' ') + paint_.frame(sign) + ' ' + text);
  }

  void snippet(const SourcePlace& place, char mark, const std::string& label) {
    const std::optional<ShownLine> whole = shown_line(sources_, place);
    const std::size_t room = width_ - gutter_ - 3;
    if (!whole) {
      remark("", label, 1);
      return;
    }
    const ShownLine shown = around_place(*whole, room);
    lines_.push_back(paint_.frame(fmt::format("{:>{}} |", place.line, gutter_)) + ' ' + shown.text);
    const std::string marks(shown.length, mark);
    const std::string painted = mark == '^' ? paint_.in_color_of(finding_.severity, marks) : paint_.frame(marks);
    const std::string frame = std::string(gutter_ + 1, ' ') + paint_.frame("|") + ' ';
    const std::size_t used = shown.column + shown.length + 1;
    if (used + display_width(label) <= room) {
      lines_.push_back(frame + std::string(shown.column, ' ') + painted + (label.empty() ? "" : ' ' + label));
    } else if (display_width(label) + 1 <= shown.column) {
      const std::size_t gap = shown.column - display_width(label) - 1;
      lines_.push_back(frame + std::string(gap, ' ') + label + ' ' + painted);
    } else {
      lines_.push_back(frame + std::string(shown.column, ' ') + painted);
      remark("", label, 1);
    }
  }

  void other_place(const OtherPlace& other) {
    std::string label = printable_line(other.label);
    const std::string thread = thread_text(other.block, other.thread);
    if (!thread.empty()) label += (label.empty() ? "" : ": ") + thread;
    if (!other.place.known()) {
      remark("", label, 1);
      return;
    }
    if (other.place.file == finding_.where.file && other.place.line == finding_.where.line) {
      remark("", other.place.column == 0 ? label : fmt::format("{} (column {})", label, other.place.column), 2);
      return;
    }
    if (other.place.file != finding_.where.file) arrow(":::", other.place, "");
    snippet(other.place, '-', label);
  }

  /// Where it is cut, what was launched stays, in a row of its own behind the lines that come first.
  void note() {
    const std::string_view text = finding_.note;
    const std::size_t indent = gutter_ + 3;
    const std::size_t begin = text.find('\n' + std::string(vgpu::kLaunchNote));
    const bool cut = wrap(expand_tabs(printable(text)), width_ - indent).size() > rows_.note;
    if (begin == std::string_view::npos || !cut || rows_.note == 0) return remark("", finding_.note, rows_.note);
    const std::size_t end = std::min(text.find('\n', begin + 1), text.size());
    remark("", std::string(text.substr(0, begin)) + std::string(text.substr(end)),
           std::max<std::size_t>(rows_.note, 2) - 1);
    const auto launch = wrap_to_rows(printable(text.substr(begin + 1, end - begin - 1)), width_ - indent, 1);
    lines_.push_back(std::string(indent, ' ') + launch[0]);
  }

  /// "  = head text", wrapped under itself.
  void remark(std::string_view head, const std::string& text, std::size_t rows) {
    if (text.empty() || rows == 0) return;
    const std::size_t indent = gutter_ + 3;
    const auto lines = wrap_to_rows(std::string(head) + expand_tabs(printable(text)), width_ - indent, rows);
    const std::size_t bold = std::min(head.size(), lines[0].size());
    lines_.push_back(std::string(gutter_ + 1, ' ') + paint_.frame("=") + ' ' + paint_.bold(lines[0].substr(0, bold)) +
                     lines[0].substr(bold));
    for (std::size_t i = 1; i < lines.size(); ++i) lines_.push_back(std::string(indent, ' ') + lines[i]);
  }

  const Finding& finding_;
  const SourceText& sources_;
  std::size_t width_;
  Paint paint_;
  FindingRows rows_;
  std::size_t gutter_ = 1;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> compact_finding(const Finding& finding, const SourceText& sources, const TerminalStyle& style,
                                         const FindingRows& rows) {
  return Compact(finding, sources, style, rows).lines();
}

std::vector<std::string> wrap_to_rows(std::string_view text, std::size_t width, std::size_t rows) {
  std::vector<std::string> lines = wrap(text, width);
  const bool cut = lines.size() > rows;
  if (cut) lines.resize(std::max<std::size_t>(rows, 1));
  for (std::string& line : lines) line = shorten(line, width);  // a word may be longer than a line
  if (cut && !lines.back().ends_with(kCut)) {
    const std::size_t room = width - std::min(width, kCut.size() + 1);
    std::string kept(fit(lines.back(), room));
    // Whole words, where there are some.
    if (kept.size() < lines.back().size() && lines.back()[kept.size()] != ' ') {
      const std::size_t space = kept.find_last_of(' ');
      if (space != std::string::npos && kept.find_first_not_of(' ') < space) kept.resize(space);
    }
    while (kept.ends_with(' ')) kept.pop_back();
    lines.back() = kept + ' ' + std::string(kCut);
  }
  return lines;
}

}  // namespace cudalabs
