// The page for one student: theirs alone.
#include <fmt/format.h>

#include "course/moment.h"
#include "course/pages.h"
#include "course_template_files.h"
#include "page/graded_page.h"
#include "page/templates.h"
#include "report/read_json.h"

namespace cudalabs::course {
namespace {

using page::Values;
using Remarks = std::vector<std::pair<std::string, std::string>>;  // class and text

/// Why the points that count are others than the grader's.
Remarks remarks_of(const Standing& standing, const ClassData& data) {
  Remarks remarks;
  if (standing.late_points > 0 || standing.adjusted != 0)
    remarks.emplace_back("soft", fmt::format("{} for the submission", shown_points(standing.points)));
  if (!standing.late_note.empty())
    remarks.emplace_back("warn",
                         fmt::format("{}: {} points less", standing.late_note, shown_points(standing.late_points)));
  for (const Adjustment& adjustment : data.adjustments) {
    if (adjustment.student != standing.student || adjustment.lab != standing.lab) continue;
    remarks.emplace_back("soft", fmt::format("{}{} points: {}", adjustment.points > 0 ? "+" : "",
                                             shown_points(adjustment.points), adjustment.reason));
  }
  if (standing.attempt && !standing.attempt->note.empty()) remarks.emplace_back("warn", standing.attempt->note);
  return remarks;
}

std::string hand_in(const Standing& standing) {
  const Attempt& attempt = *standing.attempt;
  std::string text = attempt.found;
  if (attempt.handed_in && attempt.time_source == TimeSource::system)
    text += fmt::format(", {}", shown_moment(*attempt.handed_in));
  if (standing.attempts > 1) text += fmt::format("; this one of {} attempts counts", standing.attempts);
  return text;
}

/// What the program printed may be of hidden cases, and counters are called after them: students get neither.
Report for_student(Report report, const Lab& lab) {
  report.lab = lab.id;
  report.title = lab.title;
  report.submission = lab.contract.source;
  report.console.clear();
  report.counters.clear();
  return report;
}

Values graded(const Standing& standing, const Lab& lab, const ClassData& data, Store& store) {
  page::GradedWork work;
  work.report = for_student(read_json(store.report(standing.grading->id)), lab);
  work.sources.add_text(lab.contract.source, store.submission(standing.attempt->digest));
  work.sources.add(lab.contract.header, lab.folder / lab.contract.header);
  return page::grading_values(work, {.heading = 2,
                                     .remarks = remarks_of(standing, data),
                                     .facts = {{"handed in", hand_in(standing)}, {"SHA-256", standing.attempt->digest}},
                                     .points = standing.total()});
}

/// A lab without a verdict.
Values open_page(const Standing& standing, const Lab& lab, const ClassData& data) {
  Remarks remarks;
  bool points = standing.adjusted != 0;
  if (standing.state == State::refused) {
    remarks.emplace_back("warn", "No score yet: what was handed in could not be graded. " + standing.note);
  } else if (standing.state == State::nothing) {
    remarks.emplace_back("soft", "Nothing was handed in.");
  } else {  // the grader's own trouble: what it says of itself is for the instructor
    remarks.emplace_back("warn", "There is no verdict yet.");
    if (standing.attempt) remarks.emplace_back("soft", "Handed in: " + hand_in(standing));
  }
  if (points) {
    for (auto& remark : remarks_of(standing, data)) remarks.push_back(std::move(remark));
  }
  std::vector<Values> lines;
  for (const auto& [kind, text] : remarks) lines.push_back(Values().text("kind", kind).text("text", text));
  Values values;
  values.text("id", lab.id).text("title", lab.title).list("remarks", lines);
  values.text("points", points ? shown_points(standing.total()) : "");
  return values.text("max", shown_points(lab.max_points()));
}

Values section(const Standing& standing, const Lab& lab, const ClassData& data, Store& store) {
  Values values;
  if (standing.state == State::graded)
    return values.part("graded", graded(standing, lab, data, store)).flag("open", false);
  return values.flag("graded", false).part("open", open_page(standing, lab, data));
}

}  // namespace

std::string student_page(const ClassData& data, Store& store, std::string_view id) {
  const Student& student = data.student(id);
  const std::string name = student.name.empty() ? student.id : student.name;
  const std::string course = data.course.title.empty() ? "CUDA Labs" : data.course.title;
  std::string about = student.id;
  if (!student.section.empty()) about += ", section " + student.section;
  const std::optional<CoursePercent> percent = data.labs.size() > 1 ? data.percent_of(id) : std::nullopt;
  std::vector<Values> labs;
  for (const Standing& standing : data.standings_of(id))
    labs.push_back(section(standing, data.lab(standing.lab), data, store));
  Values values;
  values.text("name", name).text("about", about + " · " + course).list("labs", labs);
  values.text("percent", percent ? fmt::format("{:.1f} %", percent->percent) : "");
  const page::Templates templates{kCourseTemplateFiles.begin(), kCourseTemplateFiles.end()};
  return page::whole_page(fmt::format("{}: {}", name, course), page::fill("student", values, templates));
}

}  // namespace cudalabs::course
