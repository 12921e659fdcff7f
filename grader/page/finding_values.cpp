// Findings for templates.
#include "page/finding_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "page/source_values.h"
#include "report/finding_words.h"
#include "report/printable.h"
#include "report/shown_line.h"

namespace cudalabs::page {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// A column marks one character of the source; people look for the name or the operator that begins there.
std::size_t columns_of_name(const ShownLine& line, std::string_view from) {
  std::size_t length = 0;
  while (length < from.size() && is_word(from[length])) ++length;
  return std::max({length, line.length, std::size_t{1}});
}

Values place_values(const Report& report, const FileSources& sources, const SourcePlace& place,
                    const std::string& label) {
  Values values;
  values.text("label", label).text("place", place_text(place));
  values.text("target", line_anchor(report, sources, place));
  const std::optional<ShownLine> line = shown_line(sources, place);
  values.flag("has_line", line.has_value());
  if (!line) return values.text("before", "").text("meant", "").text("after", "");
  const std::string_view text = line->text;
  const std::string_view before = fit(text, line->column);
  const std::string_view rest = text.substr(before.size());
  const std::string_view meant = fit(rest, columns_of_name(*line, rest));
  values.text("before", fmt::format("{:>5}  {}", place.line, before)).text("meant", meant);
  return values.text("after", rest.substr(meant.size()));
}

/// "in `k`, block (0, 0, 0), thread (7, 0, 0), the first of 12 times"
std::string who_of(const Finding& finding) {
  std::vector<std::string> parts{kernel_text(finding.kernel, 1), thread_text(finding.block, finding.thread),
                                 kernel_text("", finding.count)};
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<Values> blamed_checks(const Report& report, std::size_t number) {
  std::vector<Values> values;
  for (const CheckResult& check : report.checks) {
    if (std::ranges::find(check.because, number) == check.because.end()) continue;
    Values one;
    one.text("target", check_anchor(report, check.id)).text("name", check.id).flag("last", false);
    values.push_back(one);
  }
  if (!values.empty()) values.back().flag("last", true);
  return values;
}

}  // namespace

std::string finding_anchor(const Report& report, std::size_t number) {
  return fmt::format("{}-finding-{}", anchor_of(report), number);
}

std::string check_anchor(const Report& report, const std::string& check) {
  const auto found = std::ranges::find(report.checks, check, &CheckResult::id);
  return fmt::format("{}-check-{}", anchor_of(report), found - report.checks.begin() + 1);
}

std::string line_anchor(const Report& report, const FileSources& sources, const SourcePlace& place) {
  if (!is_shown(report, sources, place)) return {};
  return fmt::format("{}-L{}", anchor_of(report), place.line);
}

Values finding_values(const Report& report, std::size_t number, const FileSources& sources, unsigned heading) {
  const Finding& finding = report.findings[number - 1];
  std::vector<Values> places;
  if (finding.where.known()) places.push_back(place_values(report, sources, finding.where, ""));
  if (finding.other && finding.other->place.known()) {
    const std::string who = thread_text(finding.other->block, finding.other->thread);
    const std::string label = who.empty() ? finding.other->label : finding.other->label + ", " + who;
    places.push_back(place_values(report, sources, finding.other->place, label + ":"));
  }
  const std::vector<Values> checks = blamed_checks(report, number);
  Values values;
  values.text("target", finding_anchor(report, number)).text("number", std::to_string(number));
  values.text("count", std::to_string(report.findings.size())).text("deep", std::to_string(heading));
  values.text("kind", name_of(finding.severity)).text("severity", name_of(finding.severity)).text("name", finding.id);
  values.markup("message_markup", Markup::prose(finding.message));
  values.text("who", who_of(finding)).markup("who_markup", Markup::prose(who_of(finding))).list("places", places);
  values.text("note", finding.note).markup("note_markup", Markup::prose(finding.note));
  values.text("help", finding.help).markup("help_markup", Markup::prose(finding.help));
  return values.flag("has_checks", !checks.empty()).list("checks", checks);
}

}  // namespace cudalabs::page
