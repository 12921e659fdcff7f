// Findings as single lines that other tools turn into marks beside the code.
#include <fmt/format.h>

#include <string_view>

#include "report/finding_words.h"
#include "report/number_text.h"
#include "report/open_checks.h"
#include "report/printable.h"
#include "report/report.h"
#include "report/source_paths.h"

namespace cudalabs {
namespace {

// --- Workflow commands of GitHub Actions: `::error file=...,line=...,title=...::message`.

/// A command is one line, and `%` begins an escape.
std::string command_data(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\n') {
      out += "%0A";
    } else {
      out += c;
    }
  }
  return out;
}

std::string command_property(std::string_view text) {
  std::string out;
  for (const char c : command_data(printable_line(text))) {
    if (c == ':') {
      out += "%3A";
    } else if (c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view command_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "notice";
}

/// "file=a/b.cu,line=3,col=5,": where the file is in the repository; else the submission as a whole, or nothing.
std::string command_place(const SourcePlace& place, const Report& report, const SourcePaths& paths) {
  if (const auto found = paths.find(place.file); found != paths.end() && place.known()) {
    std::string text = fmt::format("file={},line={},", command_property(found->second), place.line);
    if (place.column != 0) text += fmt::format("col={},", place.column);
    return text;
  }
  const auto whole = paths.find(report.submission);
  return whole == paths.end() ? "" : fmt::format("file={},", command_property(whole->second));
}

std::string command(std::string_view name, const std::string& place, std::string_view title, std::string_view text) {
  return fmt::format("::{} {}title={}::{}\n", name, place, command_property(title), command_data(text));
}

std::string with_reason_and_cure(const Finding& finding, const SourcePaths& paths) {
  std::string text = finding.message;
  if (finding.other && finding.other->place.known()) {
    const auto found = paths.find(finding.other->place.file);
    const std::string& file = found == paths.end() ? finding.other->place.file : found->second;
    text += fmt::format("\n{}: {}:{}", finding.other->label, file, finding.other->place.line);
  }
  if (!finding.note.empty()) text += "\n" + finding.note;
  if (!finding.help.empty()) text += "\nhelp: " + finding.help;
  return text;
}

// --- Lines as compilers print them: `file:line:column: error: message [id]`.

std::string_view word_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// What has no place stands at the submission's first line: tools that read such lines want one.
std::string line_of(const SourcePlace& place, const Report& report, std::string_view word, std::string_view text) {
  SourcePlace shown = place.known() ? place : SourcePlace{report.submission, 1, 1};
  if (shown.column == 0) shown.column = 1;
  return fmt::format("{}: {}: {}\n", place_text(shown), word, printable_line(text));
}

std::string line_of_finding(const Finding& finding, const Report& report) {
  std::string out = line_of(finding.where, report, word_of(finding.severity),
                            fmt::format("{} [{}]", printable_line(finding.message), finding.id));
  if (finding.other && finding.other->place.known())
    out += line_of(finding.other->place, report, "note", finding.other->label);
  if (!finding.note.empty()) out += line_of(finding.where, report, "note", finding.note);
  if (!finding.help.empty()) out += line_of(finding.where, report, "note", "help: " + finding.help);
  return out;
}

std::string score_of(const Report& report) {
  return fmt::format("{}: {}", printable_line(report.lab), points_text(report.points, report.max));
}

}  // namespace

std::string render_github(const Report& report, const SourcePaths& paths) {
  std::string out;
  for (const Finding& finding : report.findings) {
    out += command(command_of(finding.severity), command_place(finding.where, report, paths), finding.id,
                   with_reason_and_cure(finding, paths));
  }
  for (const CheckResult* check : checks_without_finding(report)) {
    out += command("error", command_place({}, report, paths), check->id, check->title + "\n" + check->message);
  }
  for (const CheckResult& check : report.checks) {
    // The grader's own failure has no place in the submission.
    if (check.status == CheckStatus::error) out += command("error", "", check.id, check.message);
  }
  return out + command("notice", "", report.lab, score_of(report));
}

std::string render_gcc(const Report& report) {
  std::string out;
  for (const Finding& finding : report.findings) out += line_of_finding(finding, report);
  for (const CheckResult* check : checks_without_finding(report)) {
    out += line_of({}, report, "error",
                   fmt::format("{}: {} [{}]", printable_line(check->title), printable_line(check->message), check->id));
  }
  for (const CheckResult& check : report.checks) {
    if (check.status == CheckStatus::error)
      out += fmt::format("grade: error: {} [{}]\n", printable_line(check.message), printable_line(check.id));
  }
  return out + score_of(report) + "\n";
}

}  // namespace cudalabs
