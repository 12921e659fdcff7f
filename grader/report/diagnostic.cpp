// One finding as a compiler would print it.
#include "report/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/finding_words.h"
#include "report/layout.h"
#include "report/paint.h"
#include "report/printable.h"
#include "report/shown_line.h"

namespace cudalabs {
namespace {

/// "in `k`, block (0, 0, 0), thread (7, 0, 0), the first of 12 times"; any part may be missing.
std::string who(const Finding& finding) {
  const std::string thread = thread_text(finding.block, finding.thread);
  std::vector<std::string> parts;
  if (!finding.kernel.empty()) parts.push_back(kernel_text(finding.kernel, 1));
  if (!thread.empty()) parts.push_back(thread);
  if (times_of(finding) > 1 && !parts.empty()) parts.push_back(kernel_text("", times_of(finding)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Builds the lines of one finding; every line but the first begins with a gutter of one width.
class Diagnostic {
 public:
  Diagnostic(const Finding& finding, const SourceText& sources, const TerminalStyle& style)
      : finding_(finding), sources_(sources), style_(style), paint_(style) {
    const std::uint32_t other = finding.other ? finding.other->place.line : 0;
    gutter_ = std::to_string(std::max(finding.where.line, other)).size();
  }

  std::string text() {
    title();
    const std::string whom = who(finding_);
    const bool brief = finding_.severity == Severity::advice;
    if (finding_.where.known()) {
      arrow("-->", finding_.where);
      if (!brief) snippet(finding_.where, '^', whom);
    } else {
      remark("", whom);
    }
    if (finding_.other && !brief) other_place(*finding_.other);
    if (!brief) remark("note: ", finding_.note);
    remark("help: ", finding_.help);
    return std::move(out_);
  }

 private:
  void title() {
    const std::string head = fmt::format("{}[{}]", name_of(finding_.severity), printable_line(finding_.id));
    const auto lines = wrap(head + ": " + printable_line(finding_.message), style_.width);
    // Known ids hold no space, so that the head is never broken.
    const std::size_t colored = std::min(head.size(), lines[0].size());
    out_ += paint_.in_color_of(finding_.severity, lines[0].substr(0, colored)) + paint_.bold(lines[0].substr(colored));
    out_ += '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) out_ += paint_.bold(lines[i]) + '\n';
  }

  void arrow(std::string_view sign, const SourcePlace& place) {
    out_ += std::string(gutter_, ' ') + paint_.frame(sign) + ' ' + place_text(place) + '\n';
  }

  void bar(std::string_view text = "") {
    out_ += std::string(gutter_ + 1, ' ') + paint_.frame("|");
    if (!text.empty()) out_ += ' ' + std::string(text);
    out_ += '\n';
  }

  /// The source line with the place marked below it. Without the text there is nothing to mark.
  void snippet(const SourcePlace& place, char mark, const std::string& label) {
    const std::optional<ShownLine> shown = shown_line(sources_, place);
    if (!shown) {
      remark("", label);
      return;
    }
    const auto& [line, column, length] = *shown;
    const std::size_t room = style_.width > gutter_ + 3 ? style_.width - gutter_ - 3 : 1;
    bar();
    out_ += paint_.frame(fmt::format("{:>{}} |", place.line, gutter_)) + ' ' + shorten(line, room) + '\n';
    if (column >= room) {
      remark("", label);
      return;
    }
    const std::string marks(std::min(length, room - column), mark);
    const bool beside = column + marks.size() + 1 + display_width(label) <= room;
    const std::string painted = mark == '^' ? paint_.in_color_of(finding_.severity, marks) : paint_.frame(marks);
    bar(std::string(column, ' ') + painted + (beside && !label.empty() ? ' ' + label : std::string()));
    if (!beside) remark("", label);
  }

  void other_place(const OtherPlace& other) {
    std::string label = printable_line(other.label);
    const std::string whom = thread_text(other.block, other.thread);
    if (!whom.empty()) label += (label.empty() ? "" : ", ") + whom;
    if (!other.place.known()) {
      remark("note: ", label);
      return;
    }
    bar();
    arrow(":::", other.place);
    snippet(other.place, '-', label);
  }

  /// "   = note: text", wrapped under itself.
  void remark(std::string_view head, const std::string& text) {
    if (text.empty()) return;
    const std::size_t indent = gutter_ + 3 + head.size();
    const std::size_t room = style_.width > indent + 20 ? style_.width - indent : 20;
    const auto lines = wrap(expand_tabs(printable(text)), room);
    out_ += std::string(gutter_ + 1, ' ') + paint_.frame("=") + ' ' + paint_.bold(head) + lines[0] + '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) out_ += std::string(indent, ' ') + lines[i] + '\n';
  }

  const Finding& finding_;
  const SourceText& sources_;
  const TerminalStyle& style_;
  Paint paint_;
  std::size_t gutter_ = 1;
  std::string out_;
};

}  // namespace

std::string render_finding(const Finding& finding, const SourceText& sources, const TerminalStyle& style) {
  return Diagnostic(finding, sources, style).text();
}

}  // namespace cudalabs
