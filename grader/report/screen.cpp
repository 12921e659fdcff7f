// A report for one look: what to fix first, and in a line each what else there is.
#include "report/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "report/compact_finding.h"
#include "report/layout.h"
#include "report/number_text.h"
#include "report/paint.h"
#include "report/printable.h"
#include "report/report.h"
#include "report/source_text.h"
#include "report/terminal_parts.h"

namespace cudalabs {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kBar = 20, kNarrowestBar = 5;

/// How much of everything is shown. The richest that fits the screen is.
struct Detail {
  FindingRows finding;
  std::size_t reason;   // rows of why a check failed, where that comes first
  std::size_t folded;   // rows of checks that need no line of their own, each kind
  std::size_t checks;   // lines of other checks that failed
  std::size_t printed;  // lines of what the program printed; kUnsaid: not even that there are some
  std::size_t steps;    // what to do next: the last one, and from the first on as many as there is room for
};
constexpr std::size_t kAllSteps = 100, kMostFolded = 6, kUnsaid = 1000;
// What is wrong is shortened last.
constexpr std::array<Detail, 14> kDetails{{{{3, 6, 6}, 8, 3, 20, 8, kAllSteps},
                                           {{3, 6, 6}, 8, 2, 20, 3, kAllSteps},
                                           {{3, 3, 4}, 6, 2, 20, 3, kAllSteps},
                                           {{3, 2, 4}, 5, 2, 20, 1, kAllSteps},
                                           {{3, 2, 4}, 5, 1, 12, 1, kAllSteps},
                                           {{3, 1, 4}, 4, 1, 12, 1, kAllSteps},
                                           {{3, 1, 3}, 4, 1, 8, 0, kAllSteps},
                                           {{2, 1, 3}, 3, 1, 5, 0, kAllSteps},
                                           {{2, 1, 2}, 2, 1, 3, 0, kAllSteps},
                                           {{2, 1, 2}, 2, 1, 1, 0, kAllSteps},
                                           {{2, 1, 2}, 2, 1, 1, kUnsaid, kAllSteps},
                                           {{2, 1, 2}, 2, 1, 1, kUnsaid, 2},
                                           {{2, 1, 2}, 2, 1, 1, kUnsaid, 1},
                                           {{1, 1, 2}, 2, 1, 1, kUnsaid, 1}}};

class Screen {
 public:
  Screen(const Report& report, const SourceText& sources, const TerminalStyle& style)
      : report_(report), sources_(sources), style_(style), paint_(style), width_(style.width) {
    const auto named = std::ranges::find(report.checks, report.first_check, &CheckResult::id);
    if (!report.first_check.empty() && named != report.checks.end()) {
      first_check_ = &*named;
    } else if (!report.findings.empty() && report.findings.front().severity != Severity::advice) {
      first_finding_ = &report.findings.front();
    }
  }

  std::string text(const Detail& detail) const {
    std::string out = header();
    for (const std::string& section : sections(detail)) {
      if (!section.empty()) out += '\n' + section;
    }
    return out;
  }

 private:
  Lines sections(const Detail& detail) const {
    if (does_not_build(report_)) return {build(detail), steps(detail)};
    return {first(detail), checks(detail) + printed(detail), remarks(detail), steps(detail)};
  }

  std::string header() const {
    const std::string points = points_text(report_.points, report_.max);
    const std::string title = title_of(report_);
    const std::size_t taken = display_width(title) + display_width(points) + 3;
    std::string out = paint_.bold(title);
    if (taken + kNarrowestBar <= width_) {
      const std::size_t bar = std::min(kBar, width_ - taken);
      out += std::string(width_ - taken - bar + 1, ' ') + score_bar(report_, bar, paint_) + "  " + paint_.bold(points);
    } else {
      out = paint_.bold(shorten(title, width_)) + '\n' + paint_.bold(points);
    }
    std::string device = std::string(paint_.sign(" · ", ", ")) + printable_line(report_.device);
    if (display_width(device) > width_ / 2) device.clear();
    const std::string path = printable_line(report_.submission);
    const std::size_t room = width_ - display_width(device);
    return out + '\n' + paint_.dim(shortened_front(path, room) + device) + '\n';
  }

  /// A path is known by its end.
  static std::string shortened_front(const std::string& path, std::size_t room) {
    const std::size_t width = display_width(path);
    if (width <= room) return path;
    return "..." + path.substr(fit(path, width - room + 3).size());
  }

  void append(std::string& out, const Lines& lines) const {
    for (const std::string& line : lines) out += line + '\n';
  }

  std::string heading() const {
    std::string text = report_.points < report_.max ? "fix this first" : "this costs no points, and is worth a change";
    if (first_finding_ != nullptr && report_.findings.size() > 1)
      text += fmt::format(" (finding 1 of {})", report_.findings.size());
    return paint_.dim(text) + '\n';
  }

  std::string first(const Detail& detail) const {
    std::string out;
    if (first_finding_ != nullptr) {
      out = heading();
      append(out, compact_finding(*first_finding_, sources_, style_, detail.finding));
    } else if (first_check_ != nullptr) {
      out = heading() + check_in_full(*first_check_, detail);
    } else if (const auto broken = std::ranges::find(report_.checks, CheckStatus::error, &CheckResult::status);
               broken != report_.checks.end()) {
      append(out, wrap_to_rows("the grader failed: " + expand_tabs(printable(broken->message)), width_, detail.reason));
    }
    return out;
  }

  std::string check_in_full(const CheckResult& check, const Detail& detail) const {
    std::string out = check_line(check, "");
    const auto below = [&](const std::string& text, std::size_t rows) {
      if (text.empty()) return;
      for (const std::string& line : wrap_to_rows(text, width_ - 2, rows)) out += "  " + line + '\n';
    };
    below(expand_tabs(printable(check.message)), detail.reason);
    below(speed_behind(report_, check), detail.finding.note);
    if (!check.help.empty()) below("help: " + printable(check.help), detail.finding.help);
    return out;
  }

  /// "✗ edges  0/15  sizes that no block divides are right", cut at the width.
  std::string check_line(const CheckResult& check, const std::string& why) const {
    const std::string head = fmt::format("{}  {}/{}  ", printable_line(check.id), points_of(check.points, check.max),
                                         points_of(check.max, check.max));
    const std::string tail = why.empty() ? "" : " (" + why + ")";
    const std::size_t room = width_ - std::min<std::size_t>(width_, 2 + display_width(tail));
    return mark_of(check.status, paint_) + ' ' + shorten(head + printable_line(check.title), room) + tail + '\n';
  }

  bool follows_from_first(const CheckResult& check) const {
    return first_finding_ != nullptr && check.because == std::vector<std::size_t>{1};
  }

  /// "✗ 6 checks fail because of it: square, edges", or with their number alone where even that does not fit.
  std::string fold(const std::string& mark, const std::string& text, const std::vector<const CheckResult*>& folded,
                   std::size_t rows) const {
    if (folded.empty()) return {};
    Lines ids;
    for (const CheckResult* check : folded) ids.push_back(printable_line(check->id));
    Lines lines = wrap(fmt::format("{}: {}", text, fmt::join(ids, ", ")), width_ - 2);
    const bool fits = lines.size() <= rows &&
                      std::ranges::all_of(lines, [&](const auto& line) { return display_width(line) <= width_ - 2; });
    if (!fits) lines = {shorten(text, width_ - 2)};
    std::string out = mark + ' ' + lines[0] + '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) out += "  " + lines[i] + '\n';
    return out;
  }

  static std::string checks_text(std::size_t count, std::string_view one, std::string_view many) {
    return count == 1 ? fmt::format("1 check {}", one) : fmt::format("{} checks {}", count, many);
  }

  static std::string numbers_text(const std::vector<std::size_t>& numbers) {
    return fmt::format("{} {}", numbers.size() == 1 ? "finding" : "findings", fmt::join(numbers, ", "));
  }

  std::string checks(const Detail& detail) const {
    std::vector<const CheckResult*> following, others, waiting, unasked, passed;
    for (const CheckResult& check : report_.checks) {
      if (&check == first_check_ || check.status == CheckStatus::error) continue;
      if (check.status == CheckStatus::passed) {
        passed.push_back(&check);
      } else if (follows_from_first(check)) {
        following.push_back(&check);
      } else if (check.status == CheckStatus::failed) {
        others.push_back(&check);
      } else {
        (is_unasked(check) ? unasked : waiting).push_back(&check);
      }
    }
    double lost = 0;
    for (const CheckResult* check : following) lost += check->max - check->points;
    std::string out = fold(
        mark_of(CheckStatus::failed, paint_),
        fmt::format("{} ({} points)", checks_text(following.size(), "fails because of this", "fail because of this"),
                    points_of(lost, report_.max)),
        following, detail.folded);
    for (std::size_t i = 0; i < std::min(others.size(), detail.checks); ++i)
      out += check_line(*others[i], others[i]->because.empty() ? "" : numbers_text(others[i]->because));
    if (others.size() > detail.checks) {
      out += fmt::format("{} {}\n", mark_of(CheckStatus::failed, paint_),
                         fmt::format("{} more failed: --all", others.size() - detail.checks));
    }
    const std::string dash = mark_of(CheckStatus::skipped, paint_);
    out += fold(dash, checks_text(waiting.size(), "needs another to pass first", "need others to pass first"), waiting,
                detail.folded);
    out += fold(dash, checks_text(unasked.size(), "was not selected", "were not selected"), unasked, 1);
    out += fold(mark_of(CheckStatus::passed, paint_), checks_text(passed.size(), "passed", "passed"), passed,
                detail.folded);
    return out;
  }

  /// A check that nobody selected needs no other.
  static bool is_unasked(const CheckResult& check) { return check.message == kNotSelected; }

  /// What could be better, and the speed, where nothing has to be fixed.
  std::string remarks(const Detail& detail) const {
    if (first_finding_ != nullptr || first_check_ != nullptr) return {};
    std::string out;
    for (const CheckResult& check : report_.checks) {
      const std::string speed = speed_behind(report_, check);
      if (speed.empty()) continue;
      for (const std::string& line : wrap_to_rows(speed, width_ - 2, detail.folded)) out += "  " + line + '\n';
    }
    if (report_.findings.empty()) return out;
    if (!out.empty()) out += '\n';
    append(out, compact_finding(report_.findings.front(), sources_, style_, detail.finding));
    return out;
  }

  std::string build(const Detail& detail) const {
    std::string out;
    if (!report_.findings.empty() && !said_by_compiler(report_.findings.front(), report_)) {
      append(out, compact_finding(report_.findings.front(), sources_, style_, detail.finding));
    } else if (report_.build_output.empty() && !report_.checks.empty()) {
      append(out, wrap_to_rows(printable(report_.checks.front().message), width_, detail.reason));
    }
    if (const Lines said = quoted(report_.build_output, kWhole, kLongestLine, paint_); !said.empty()) {
      if (!out.empty()) out += '\n';
      out += paint_.bold("the compiler said") + '\n';
      append(out, said);
    }
    append(out, help_with_build(report_, width_));
    return out;
  }

  /// "folder/a.cu:3: warning" -> "a.cu:3: warning"
  static std::string without_folder(const std::string& line) {
    const std::size_t slash = line.rfind('/', line.find(':'));
    return slash == std::string::npos ? line : line.substr(slash + 1);
  }

  /// The first finding shows the line that "a.cu:20:5: warning" or "a.cu(20): warning" is about.
  bool shows_line_of(const std::string& warning) const {
    const auto is_about = [&](const SourcePlace& place) {
      return place.known() && (warning.find(fmt::format(":{}:", place.line)) != std::string::npos ||
                               warning.find(fmt::format("({}):", place.line)) != std::string::npos);
    };
    return first_finding_ != nullptr &&
           (is_about(first_finding_->where) || (first_finding_->other && is_about(first_finding_->other->place)));
  }

  std::string printed(const Detail& detail) const {
    std::string out;
    if (const std::size_t at = report_.build_output.find("warning"); at != std::string::npos) {
      const std::size_t begin = report_.build_output.rfind('\n', at) + 1;
      const std::string line = report_.build_output.substr(begin, report_.build_output.find('\n', at) - begin);
      if (!shows_line_of(line)) {
        out += paint_.dim(shorten("the compiler said: " + printable_line(without_folder(line)), width_)) + '\n';
      }
    }
    if (detail.printed == kUnsaid) return out;
    const Lines all = quoted(report_.console, kWhole, width_, paint_);
    if (all.empty()) return out;
    if (all.size() > detail.printed) {
      out += paint_.dim(fmt::format("the program printed {} {}: --all shows {}", all.size(),
                                    all.size() == 1 ? "line" : "lines", all.size() == 1 ? "it" : "them")) +
             '\n';
      return out;
    }
    out += paint_.dim("the program printed") + '\n';
    append(out, all);
    return out;
  }

  std::string steps(const Detail& detail) const {
    Lines steps;
    if (const std::size_t more = further(); more > 0 && !does_not_build(report_)) {
      const std::size_t next = first_finding_ == nullptr ? 1 : 2;
      std::string text = fmt::format("{} more {}: --finding {}", more, more == 1 ? "finding" : "findings", next);
      if (more > 1) text += fmt::format(", --finding {}", next + 1);
      steps.push_back(text + (more > 2 ? ", ...; everything: --all" : "; everything: --all"));
    }
    steps.insert(steps.end(), report_.next_steps.begin(), report_.next_steps.end());
    if (steps.empty()) return {};
    if (steps.size() > detail.steps) {
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(detail.steps) - 1, steps.end() - 1);
    }
    std::string out;
    append_steps(out, steps, width_, paint_);
    return out;
  }

  /// Findings that are not shown.
  std::size_t further() const {
    const bool shown = first_finding_ != nullptr || first_check_ == nullptr;
    return report_.findings.size() - std::min<std::size_t>(report_.findings.size(), shown ? 1 : 0);
  }

  const Report& report_;
  const SourceText& sources_;
  const TerminalStyle& style_;
  Paint paint_;
  std::size_t width_;
  const Finding* first_finding_ = nullptr;
  const CheckResult* first_check_ = nullptr;
};

}  // namespace

std::string render_screen_of(const Report& report, const SourceText& sources, const TerminalStyle& wanted,
                             std::size_t rows) {
  TerminalStyle style = wanted, plain = wanted;
  style.width = plain.width = std::max<unsigned>(style.width, kNarrowest);
  plain.color = false;  // to be counted
  const Screen counted(report, sources, plain);
  const auto fits = [&](const Detail& detail) { return rows_of(counted.text(detail), plain.width) <= rows; };
  const auto found = std::ranges::find_if(kDetails, fits);
  Detail detail = found == kDetails.end() ? kDetails.back() : *found;
  // Rows that are left are for the names of checks.
  for (Detail more = detail; found != kDetails.end() && ++more.folded <= kMostFolded;) {
    if (fits(more)) detail = more;
  }
  return Screen(report, sources, style).text(detail);
}

std::string render_screen(const Report& report, const SourceText& sources, const TerminalStyle& style) {
  return render_screen_of(report, sources, style, kScreenRows);
}

}  // namespace cudalabs
