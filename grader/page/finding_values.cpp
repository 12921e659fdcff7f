// Findings for templates.
#include "page/finding_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "page/source_values.h"
#include "report/finding_words.h"
#include "report/printable.h"
#include "report/shown_line.h"
#include "text/code_scan.h"

namespace cudalabs::page {
namespace {

/// A column marks one character of the source; people look for the name or the operator that begins there.
std::size_t columns_of_name(const ShownLine& line, std::string_view from) {
  return std::max({end_of_word(from, 0), line.length, std::size_t{1}});
}

Values place_values(const FindingList& list, const SourcePlace& place, const std::string& label) {
  Values values;
  values.markup("label_markup", Markup::prose(label)).text("place", place_text(place));
  values.text("target", line_anchor(list, place));
  const std::optional<ShownLine> line = shown_line(list.sources, place);
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

}  // namespace

std::string finding_anchor(const FindingList& list, std::size_t number) {
  return fmt::format("{}-finding-{}", list.id, number);
}

std::string line_anchor(const FindingList& list, const SourcePlace& place) {
  const auto file = std::ranges::find(list.files, place.file);
  if (file == list.files.end() || !is_shown(list, place)) return {};
  return line_anchor_of(list, static_cast<std::size_t>(file - list.files.begin()), place.line);
}

Values finding_values(const FindingList& list, std::size_t number, unsigned heading,
                      const std::vector<Values>& checks) {
  const Finding& finding = list.findings[number - 1];
  std::vector<Values> places;
  if (finding.where.known()) places.push_back(place_values(list, finding.where, ""));
  if (finding.other && finding.other->place.known()) {
    const std::string who = thread_text(finding.other->block, finding.other->thread);
    const std::string label = who.empty() ? finding.other->label : finding.other->label + ", " + who;
    places.push_back(place_values(list, finding.other->place, label + ":"));
  }
  Values values;
  values.text("target", finding_anchor(list, number)).text("number", std::to_string(number));
  values.text("count", std::to_string(list.findings.size())).text("deep", std::to_string(heading));
  values.text("kind", name_of(finding.severity)).text("severity", name_of(finding.severity)).text("name", finding.id);
  values.markup("message_markup", Markup::prose(finding.message));
  values.text("who", who_of(finding)).markup("who_markup", Markup::prose(who_of(finding))).list("places", places);
  values.text("note", finding.note).markup("note_markup", Markup::prose(finding.note));
  values.text("help", finding.help).markup("help_markup", Markup::prose(finding.help));
  return values.flag("has_checks", !checks.empty()).list("checks", checks);
}

}  // namespace cudalabs::page
