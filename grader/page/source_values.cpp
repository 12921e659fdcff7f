// The text of a file for templates.
#include "page/source_values.h"

#include <fmt/format.h>

#include <algorithm>
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
std::set<std::uint32_t> shown_lines(const FindingList& list, const std::string& file, std::size_t count) {
  constexpr std::uint32_t kAround = 5;
  constexpr std::size_t kMostPlaces = 100;
  std::set<std::uint32_t> lines;
  for (std::uint32_t line = 1; line <= std::min(count, kMostLines); ++line) lines.insert(lines.end(), line);
  if (count <= kMostLines) return lines;
  std::size_t places = 0;
  const auto add = [&](const SourcePlace& place) {
    if (place.file != file || place.line == 0 || place.line > count || ++places > kMostPlaces) return;
    const std::uint32_t first = place.line > kAround ? place.line - kAround : 1;
    const auto last = std::min<std::uint32_t>(place.line + kAround, static_cast<std::uint32_t>(count));
    for (std::uint32_t line = first; line <= last; ++line) lines.insert(line);
  };
  for (const Finding& finding : list.findings) {
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
  return values.text("other", aside.other).markup("other_name_markup", Markup::prose(aside.other_name));
}

class Listing {
 public:
  Listing(const FindingList& list, std::size_t file, const std::optional<ShownCoverage>& coverage)
      : list_(list),
        number_(file),
        file_(list.files[file]),
        coverage_(coverage),
        count_(list.sources.line_count(file_)) {
    for (std::size_t i = 0; i < list.findings.size(); ++i) add_finding(i + 1);
    if (!coverage) return;
    const auto lines = coverage->coverage.lines.find(file_);
    if (lines != coverage->coverage.lines.end()) ran_ = &lines->second;
    for (const vgpu::BranchCount& branch : coverage->coverage.branches) add_branch(branch);
  }

  Values values() {
    std::vector<Values> rows;
    std::uint32_t before = 0;
    for (const std::uint32_t line : shown_lines(list_, file_, count_)) {
      rows.push_back(row(line, line - before - 1));
      before = line;
    }
    Values values;
    values.text("file", file_).flag("covered", ran_ != nullptr).list("rows", rows);
    return values.text("coverage", caption(before));
  }

 private:
  bool ours(const SourcePlace& place) const { return place.known() && place.file == file_ && place.line <= count_; }

  std::string link(const SourcePlace& place) const { return line_anchor(list_, place); }

  void add_finding(std::size_t number) {
    const Finding& finding = list_.findings[number - 1];
    const std::string target = finding_anchor(list_, number), name = fmt::format("finding {}", number);
    const int rank = finding.severity == Severity::error ? 4 : finding.severity == Severity::warning ? 3 : 1;
    const bool two = finding.other && ours(finding.other->place);
    if (ours(finding.where)) {
      Aside aside{std::string(name_of(finding.severity)), target, name, finding.message, {}, {}, rank};
      if (two) {
        aside.other = link(finding.other->place);
        aside.other_name = fmt::format("see line {}: {}", finding.other->place.line, finding.other->label);
      }
      asides_[finding.where.line].push_back(aside);
    }
    if (!two) return;
    Aside aside{"other", target, name, finding.other->label, {}, {}, 2};
    const std::string who = thread_text(finding.other->block, finding.other->thread);
    if (!who.empty()) aside.text += ", " + who;
    if (ours(finding.where)) {
      aside.other = link(finding.where);
      aside.other_name = fmt::format("see line {}", finding.where.line);
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
    const std::string text = shorten(expand_tabs(printable(list_.sources.line(file_, line))), kMostColumns);
    Values values;
    values.text("target", line_anchor_of(list_, number_, line)).text("number", std::to_string(line));
    values.text("gap", left_out == 0 ? "" : fmt::format("{} lines are left out", count_text(left_out)));
    values.text("kind", kind).text("ran", ran).text("unit", unit).text("text", text);
    return values.list("asides", asides);
  }

  std::string caption(std::uint32_t last) const {
    std::string text = file_;
    if (last < count_) text += fmt::format("; {} lines more are left out", count_text(count_ - last));
    if (ran_ == nullptr) return text;
    const KernelCoverage& coverage = coverage_->coverage;
    return text + fmt::format(
                      ". Beside a line of the kernel: how many threads ran it, over {} together. {} of {} lines ran, "
                      "{} of {} sides of conditions.",
                      coverage_->over, coverage.lines_hit(), coverage.lines_found(), coverage.sides_hit(),
                      coverage.sides_found());
  }

  const FindingList& list_;
  std::size_t number_;
  const std::string& file_;
  const std::optional<ShownCoverage>& coverage_;
  std::size_t count_;
  const std::map<std::uint32_t, std::uint64_t>* ran_ = nullptr;
  std::map<std::uint32_t, std::vector<Aside>> asides_;
};

}  // namespace

std::string line_anchor_of(const FindingList& list, std::size_t file, std::uint32_t line) {
  return file == 0 ? fmt::format("{}-L{}", list.id, line) : fmt::format("{}-F{}-L{}", list.id, file + 1, line);
}

bool is_shown(const FindingList& list, const SourcePlace& place) {
  if (!place.known() || std::ranges::find(list.files, place.file) == list.files.end()) return false;
  const std::size_t count = list.sources.line_count(place.file);
  if (count <= kMostLines) return place.line <= count;
  return shown_lines(list, place.file, count).contains(place.line);
}

std::optional<Values> source_values(const FindingList& list, std::size_t file,
                                    const std::optional<ShownCoverage>& coverage) {
  if (list.sources.line_count(list.files[file]) == 0) return std::nullopt;
  return Listing(list, file, coverage).values();
}

}  // namespace cudalabs::page
