// Coverage for the person who asks what the cases did not try.
#include <fmt/format.h>

#include <algorithm>

#include "report/kernel_coverage.h"
#include "report/layout.h"
#include "report/paint.h"
#include "report/printable.h"
#include "report/shown_line.h"

namespace cudalabs {
namespace {

constexpr std::size_t kNarrowestCoverage = 40;
constexpr std::size_t kShown = 20;  // lines, and conditions; the tracefile has them all

std::string target(const SourcePlace& from, const SourcePlace& to) {
  if (!to.known()) return "to the end of the kernel";
  if (to.file != from.file) return fmt::format("to {}:{}", printable_line(to.file), to.line);
  if (to.line < from.line) return fmt::format("back to line {}", to.line);
  if (to.line == from.line) return "within this line";
  return fmt::format("to line {}", to.line);
}

class CoverageText {
 public:
  CoverageText(const KernelCoverage& coverage, const SourceText& sources, const TerminalStyle& style)
      : coverage_(coverage),
        sources_(sources),
        width_(std::max<std::size_t>(style.width, kNarrowestCoverage)),
        paint_(style) {
    for (const auto& [file, lines] : coverage.lines) {
      if (!lines.empty()) gutter_ = std::max(gutter_, std::to_string(lines.rbegin()->first).size());
    }
  }

  std::string text() {
    if (coverage_.lines_found() == 0) return "coverage of the kernel: no kernel was launched, so no line of one ran\n";
    const std::string title =
        fmt::format("coverage of the kernel, {} together: {} of {} lines ran, {} of {} sides of conditions", cases(),
                    coverage_.lines_hit(), coverage_.lines_found(), coverage_.sides_hit(), coverage_.sides_found());
    for (const std::string& line : wrap(title, width_)) out_ += paint_.bold(line) + '\n';
    silent_lines();
    one_sided_conditions();
    if (shown_ == 0) {
      paragraph(coverage_.branches.empty() ? "every line ran" : "every line ran, and every condition went both ways");
    } else {
      paragraph("help: no case puts this to the test: either it is not needed, or think of sizes that need it");
    }
    return std::move(out_);
  }

 private:
  std::string cases() const { return fmt::format("{} {}", coverage_.cases, coverage_.cases == 1 ? "case" : "cases"); }

  void paragraph(const std::string& text) {
    for (const std::string& line : wrap(text, width_)) out_ += line + '\n';
  }

  void heading(bool& said, const std::string& file, std::string_view what) {
    if (said) return;
    const std::string name = coverage_.lines.size() > 1 ? printable_line(file) + ": " : "";
    out_ += fmt::format("{}{}\n", name, what);
    said = true;
  }

  /// The source line, marked where it has a column; then `label`.
  void show(const SourcePlace& place, const std::string& label) {
    const auto shown = shown_line(sources_, place);
    const std::size_t room = width_ - gutter_ - 5;
    out_ += paint_.frame(fmt::format("  {:>{}} |", place.line, gutter_));
    if (shown) out_ += ' ' + shorten(shown->text, room);
    out_ += '\n';
    if (label.empty()) return;
    const bool marked = shown && place.column != 0 && shown->column < room;
    const std::string mark = marked ? std::string(shown->column, ' ') + paint_.in_color_of(Severity::warning, "^") : "";
    const std::size_t used = marked ? shown->column + 2 : 0;
    const bool beside = used + display_width(label) <= room;
    if (beside) {
      note(mark + (mark.empty() ? "" : " ") + label);
      return;
    }
    if (marked) note(mark);
    for (const std::string& line : wrap(label, room)) note(line);
  }

  void note(const std::string& text) { out_ += std::string(gutter_ + 3, ' ') + paint_.frame("|") + ' ' + text + '\n'; }

  void left_out(std::size_t count) {
    if (count > 0) out_ += fmt::format("  ... and {} more\n", count);
  }

  void silent_lines() {
    std::size_t more = 0;
    for (const auto& [file, lines] : coverage_.lines) {
      bool said = false;
      for (const auto& [line, threads] : lines) {
        if (threads != 0) continue;
        if (++silent_ > kShown) {
          ++more;
          continue;
        }
        heading(said, file, "lines that no thread ran");
        show({file, line, 0}, "");
        ++shown_;
      }
    }
    left_out(more);
  }

  void one_sided_conditions() {
    std::size_t count = 0, more = 0;
    std::string file;
    bool said = false;
    for (const vgpu::BranchCount& branch : coverage_.branches) {
      if ((branch.next.threads == 0) == (branch.other.threads == 0)) continue;
      if (++count > kShown) {
        ++more;
        continue;
      }
      if (branch.where.file != file) said = false;
      file = branch.where.file;
      heading(said, file, "conditions of which one side never ran");
      show(branch.where, one_sided_text(branch));
      ++shown_;
    }
    left_out(more);
  }

  const KernelCoverage& coverage_;
  const SourceText& sources_;
  std::size_t width_;
  Paint paint_;
  std::size_t gutter_ = 1, silent_ = 0, shown_ = 0;
  std::string out_;
};

}  // namespace

std::string one_sided_text(const vgpu::BranchCount& branch) {
  const bool straight = branch.other.threads == 0;
  const vgpu::BranchSide& used = straight ? branch.next : branch.other;
  const vgpu::BranchSide& unused = straight ? branch.other : branch.next;
  const std::string all = used.threads == 1 ? "the only thread" : fmt::format("all {} threads", used.threads);
  const std::string way = target(branch.where, used.to), other = target(branch.where, unused.to);
  if (way == other) {
    return fmt::format("{} took its {} side, none its {}", all, straight ? "first" : "second",
                       straight ? "second" : "first");
  }
  return fmt::format("{} went {}{}, none {}", all, way.starts_with("back") ? "" : "on ", way, other);
}

std::string render_coverage(const KernelCoverage& coverage, const SourceText& sources, const TerminalStyle& style) {
  return CoverageText(coverage, sources, style).text();
}

}  // namespace cudalabs
