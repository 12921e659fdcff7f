// The page for one student: theirs alone.
#include <fmt/format.h>

#include "course/html.h"
#include "course/moment.h"
#include "course/pages.h"
#include "course/report_view.h"
#include "report/shown_line.h"
#include "report/source_text.h"

namespace cudalabs::course {
namespace {

Html number(const std::string& text) {
  return element("td", text, {{"class", "n"}});
}

/// "matmul.cu:12" and the line, with what is meant in it underlined.
Html frame(const PlaceView& place, const SourceText& sources) {
  if (place.file.empty() || place.line == 0) return {};
  Html result = element("p", element("code", fmt::format("{}:{}", place.file, place.line)) +
                                 Html(place.label.empty() ? "" : " " + place.label));
  const std::optional<ShownLine> line = shown_line(sources, {place.file, place.line, place.column});
  if (!line) return result;
  const std::string margin = fmt::format("{:>5} | ", place.line);
  std::string marks(line->column, ' ');
  marks += std::string(std::max<std::size_t>(line->length, 1), '^');
  return result + element("pre", fmt::format("{}{}\n      | {}", margin, line->text, marks));
}

Html finding(const FindingView& finding, const SourceText& sources) {
  Html body = element("p", element("b", finding.severity + ": ") + prose(finding.message) + Html(" ") +
                               element("code", "[" + finding.id + "]", {{"class", "soft"}}));
  body += frame(finding.where, sources);
  for (const PlaceView& other : finding.others) body += frame(other, sources);
  if (!finding.note.empty()) body += element("p", element("b", "note: ") + prose(finding.note));
  if (!finding.help.empty()) body += element("p", element("b", "help: ") + prose(finding.help));
  const std::string kind = finding.severity == "error" || finding.severity == "warning" ? finding.severity : "advice";
  return element("div", body, {{"class", "finding " + kind}});
}

Html checks(const ReportView& report) {
  Html rows = element("tr", element("th", "") + element("th", "check") + element("th", "points", {{"class", "n"}}));
  for (const CheckView& check : report.checks) {
    const std::string_view kind = check.status == "passed" ? "good" : check.status == "failed" ? "bad" : "soft";
    Html what = element("span", prose(check.title));
    if (!check.message.empty()) what += element("pre", check.message, {{"class", "text"}});
    if (check.status != "passed" && !check.help.empty()) what += element("p", prose(check.help), {{"class", "soft"}});
    const std::string key = fmt::format("{} key", kind);
    rows += element("tr", element("td", check.status, {{"class", key}}) + element("td", what) +
                              number(fmt::format("{} of {}", shown_points(check.points), shown_points(check.max))));
  }
  return element("h3", "Checks") + element("div", element("table", rows), {{"class", "wide"}});
}

Html findings(const ReportView& report, const SourceText& sources) {
  if (report.findings.empty()) return {};
  Html all = element("h3", "Findings");
  for (const FindingView& each : report.findings) all += finding(each, sources);
  return all;
}

Html score(const Standing& standing, const Lab& lab, const ClassData& data) {
  const double most = lab.max_points();
  Html text = element("p", fmt::format("{} of {} points", shown_points(standing.total()), shown_points(most)),
                      {{"class", "score"}});
  if (standing.late_points > 0 || standing.adjusted != 0)
    text += element("p", fmt::format("{} for the submission", shown_points(standing.points)));
  if (!standing.late_note.empty())
    text += element("p", fmt::format("{}: {} points less", standing.late_note, shown_points(standing.late_points)),
                    {{"class", "warn"}});
  for (const Adjustment& adjustment : data.adjustments) {
    if (adjustment.student != standing.student || adjustment.lab != standing.lab) continue;
    text += element("p", fmt::format("{}{} points: {}", adjustment.points > 0 ? "+" : "",
                                     shown_points(adjustment.points), adjustment.reason));
  }
  return text;
}

Html hand_in(const Standing& standing) {
  const Attempt& attempt = *standing.attempt;
  std::string text = fmt::format("Handed in as {}", attempt.found);
  if (attempt.handed_in && attempt.time_source == TimeSource::system)
    text += fmt::format(", {}", shown_moment(*attempt.handed_in));
  if (standing.attempts > 1) text += fmt::format("; this one of {} attempts counts", standing.attempts);
  Html result = element("p", text, {{"class", "soft"}});
  if (!attempt.note.empty()) result += element("p", attempt.note, {{"class", "warn"}});
  return result + element("p", Html("SHA-256 ") + element("code", attempt.digest), {{"class", "soft"}});
}

Html graded(const Standing& standing, const Lab& lab, const ClassData& data, Store& store) {
  const ReportView report = view_report(store.report(standing.grading->id));
  FileSources sources;
  sources.add_text(lab.contract.source, store.submission(standing.attempt->digest));
  sources.add(lab.contract.header, lab.folder / lab.contract.header);
  Html body = score(standing, lab, data) + hand_in(standing) + findings(report, sources);
  if (!report.build_output.empty())
    body += element("h3", "What the compiler says") + element("pre", report.build_output, {{"class", "text"}});
  body += checks(report);
  return body +
         element("p",
                 fmt::format("Graded on {}, by {}, in sandbox {}.", report.device, report.frontend, report.sandbox),
                 {{"class", "soft"}});
}

Html section(const Standing& standing, const Lab& lab, const ClassData& data, Store& store) {
  const Html title = element("h2", lab.title);
  switch (standing.state) {
    case State::graded:
      return title + graded(standing, lab, data, store);
    case State::refused:
      return title + score(standing, lab, data) +
             element("p", "What was handed in could not be graded: " + standing.note, {{"class", "bad"}});
    case State::failed:  // the grader's own trouble: what it says of itself is for whoever runs it
    case State::waiting:
      return title + element("p", "There is no verdict yet.", {{"class", "warn"}}) + hand_in(standing);
    case State::nothing:
      break;
  }
  Html text = element("p", "Nothing was handed in.", {{"class", "soft"}});
  if (standing.adjusted != 0) text += score(standing, lab, data);
  return title + text;
}

}  // namespace

std::string student_page(const ClassData& data, Store& store, std::string_view id) {
  const Student& student = data.student(id);
  const std::string name = student.name.empty() ? student.id : student.name;
  const std::string course = data.course.title.empty() ? "CUDA Labs" : data.course.title;
  std::string about = student.id;
  if (!student.section.empty()) about += ", section " + student.section;
  Html body = element("h1", name) + element("p", about + " · " + course, {{"class", "soft"}});
  if (const std::optional<double> percent = data.percent_of(id); percent && data.labs.size() > 1)
    body += element("p", fmt::format("{:.1f} % of the course so far", *percent), {{"class", "score"}});
  for (const Standing& standing : data.standings_of(id)) body += section(standing, data.lab(standing.lab), data, store);
  return page(fmt::format("{}: {}", name, course), body).markup();
}

}  // namespace cudalabs::course
