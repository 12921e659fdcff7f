// The submission's text for templates.
#include "page/source_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "page/finding_values.h"
#include "report/finding_words.h"
#include "report/layout.h"
#include "report/number_text.h"
#include "report/printable.h"

namespace cudalabs::page {
namespace {

// A page has to stay one that a browser scrolls well; no honest submission comes near.
constexpr std::size_t kMostLines = 3000;
constexpr std::size_t kMostColumns = 1000;

/// The lines that are shown: the first ones, and further down what findings name, with lines around.
std::set<std::uint32_t> shown_lines(const Report& report, std::size_t count) {
  constexpr std::uint32_t kAround = 5;
  constexpr std::size_t kMostPlaces = 100;
  std::set<std::uint32_t> lines;
  for (std::uint32_t line = 1; line <= std::min(count, kMostLines); ++line) lines.insert(lines.end(), line);
  if (count <= kMostLines) return lines;
  std::size_t places = 0;
  const auto add = [&](const SourcePlace& place) {
    if (place.file != report.submission || place.line == 0 || place.line > count || ++places > kMostPlaces) return;
    const std::uint32_t first = place.line > kAround ? place.line - kAround : 1;
    const auto last = std::min<std::uint32_t>(place.line + kAround, static_cast<std::uint32_t>(count));
    for (std::uint32_t line = first; line <= last; ++line) lines.insert(line);
  };
  for (const Finding& finding : report.findings) {
    add(finding.where);
    if (finding.other) add(finding.other->place);
  }
  return lines;
}

struct Aside {
  std::string kind;          // class
  std::string target, name;  // of a link before the text
  std::string text;
  std::string other, other_name;  // of a link behind it
  int rank = 0;                   // the line takes the colour of the highest
};

Values aside_values(const Aside& aside) {
  Values values;
  values.text("kind", aside.kind).text("target", aside.target).text("name", aside.name);
  values.markup("text_markup", Markup::prose(aside.text));
  return values.text("other", aside.other).text("other_name", aside.other_name);
}

class Listing {
 public:
  explicit Listing(const GradedWork& work)
      : work_(work), report_(work.report), count_(work.sources.line_count(report_.submission)) {
    for (std::size_t i = 0; i < report_.findings.size(); ++i) add_finding(i + 1);
    if (!work.coverage) return;
    const auto lines = work.coverage->lines.find(report_.submission);
    if (lines != work.coverage->lines.end()) ran_ = &lines->second;
    for (const vgpu::BranchCount& branch : work.coverage->branches) add_branch(branch);
  }

  Values values() {
    std::vector<Values> rows;
    std::uint32_t before = 0;
    for (const std::uint32_t line : shown_lines(report_, count_)) {
      rows.push_back(row(line, line - before - 1));
      before = line;
    }
    Values values;
    values.text("file", report_.submission).flag("covered", ran_ != nullptr).list("rows", rows);
    return values.text("coverage", caption(before));
  }

 private:
  bool ours(const SourcePlace& place) const {
    return place.known() && place.file == report_.submission && place.line <= count_;
  }

  std::string link(const SourcePlace& place) const { return line_anchor(report_, work_.sources, place); }

  void add_finding(std::size_t number) {
    const Finding& finding = report_.findings[number - 1];
    const std::string target = finding_anchor(report_, number), name = fmt::format("finding {}", number);
    const int rank = finding.severity == Severity::error ? 4 : finding.severity == Severity::warning ? 3 : 1;
    const bool two = finding.other && ours(finding.other->place);
    if (ours(finding.where)) {
      Aside aside{std::string(name_of(finding.severity)), target, name, finding.message, {}, {}, rank};
      if (two) {
        aside.other = link(finding.other->place);
        aside.other_name = fmt::format("with line {}: {}", finding.other->place.line, finding.other->label);
      }
      asides_[finding.where.line].push_back(aside);
    }
    if (!two) return;
    Aside aside{"other", target, name, finding.other->label, {}, {}, 2};
    const std::string who = thread_text(finding.other->block, finding.other->thread);
    if (!who.empty()) aside.text += ", " + who;
    if (ours(finding.where)) {
      aside.other = link(finding.where);
      aside.other_name = fmt::format("against line {}", finding.where.line);
    }
    asides_[finding.other->place.line].push_back(aside);
  }

  void add_branch(const vgpu::BranchCount& branch) {
    if (!ours(branch.where) || (branch.next.threads == 0) == (branch.other.threads == 0)) return;
    asides_[branch.where.line].push_back(
        {"branch", {}, {}, "Of this condition one side never ran: " + one_sided_text(branch) + ".", {}, {}, 0});
  }

  Values row(std::uint32_t line, std::uint32_t left_out) const {
    std::vector<Values> asides;
    std::string kind;
    int rank = 0;
    if (const auto found = asides_.find(line); found != asides_.end()) {
      for (const Aside& aside : found->second) {
        asides.push_back(aside_values(aside));
        if (aside.rank > rank) kind = aside.kind, rank = aside.rank;
      }
    }
    std::string ran, unit;
    if (ran_ != nullptr) {
      if (const auto count = ran_->find(line); count != ran_->end()) {
        ran = count->second == 0 ? "never ran" : count_text(count->second);
        if (count->second != 0) unit = count->second == 1 ? "thread" : "threads";
        if (count->second == 0 && kind.empty()) kind = "never";
      }
    }
    const std::string text =
        shorten(expand_tabs(printable(work_.sources.line(report_.submission, line))), kMostColumns);
    Values values;
    values.text("target", fmt::format("{}-L{}", anchor_of(report_), line)).text("number", std::to_string(line));
    values.text("gap", left_out == 0 ? "" : fmt::format("{} lines are left out", count_text(left_out)));
    values.text("kind", kind).text("ran", ran).text("unit", unit).text("text", text);
    return values.list("asides", asides);
  }

  std::string caption(std::uint32_t last) const {
    std::string text = report_.submission;
    if (last < count_) text += fmt::format("; {} lines more are left out", count_text(count_ - last));
    if (ran_ == nullptr) return text;
    const KernelCoverage& coverage = *work_.coverage;
    return text +
           fmt::format(
               ". Beside a line of the kernel: how many threads ran it, over {} {} together. {} of {} lines ran, "
               "{} of {} sides of conditions.",
               coverage.cases, coverage.cases == 1 ? "case" : "cases", coverage.lines_hit(), coverage.lines_found(),
               coverage.sides_hit(), coverage.sides_found());
  }

  const GradedWork& work_;
  const Report& report_;
  std::size_t count_;
  const std::map<std::uint32_t, std::uint64_t>* ran_ = nullptr;
  std::map<std::uint32_t, std::vector<Aside>> asides_;
};

}  // namespace

std::string anchor_of(const Report& report) {
  std::string name;
  for (const char c : report.lab) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') name += c;
  }
  return name.empty() ? "lab" : name;
}

bool is_shown(const Report& report, const FileSources& sources, const SourcePlace& place) {
  if (!place.known() || place.file != report.submission) return false;
  const std::size_t count = sources.line_count(report.submission);
  if (count <= kMostLines) return place.line <= count;
  return shown_lines(report, count).contains(place.line);
}

std::optional<Values> source_values(const GradedWork& work) {
  if (work.sources.line_count(work.report.submission) == 0) return std::nullopt;
  return Listing(work).values();
}

}  // namespace cudalabs::page
