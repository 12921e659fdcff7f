// The instructor's page.
#include <fmt/format.h>

#include <algorithm>

#include "course/moment.h"
#include "course/pages.h"
#include "course/statistics.h"
#include "course_template_files.h"
#include "page/speed_plot.h"
#include "page/table.h"
#include "page/templates.h"
#include "report/source_paths.h"

namespace cudalabs::course {
namespace {

using page::Cell;
using page::code_cell;
using page::Column;
using page::link_cell;
using page::number_cell;
using page::prose_cell;
using page::text_cell;
using page::Values;
using Rows = std::vector<std::vector<Cell>>;
using Lines = std::vector<std::pair<std::string, std::string>>;  // class and text

std::string page_of(const Student& student) {
  return uri_of("students/" + student_file(student.id));
}

Cell link_to(const ClassData& data, const Student& student, const std::string& kind = {}) {
  return link_cell(data.shown_name(student), page_of(student), kind);
}

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "" : fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// A part of what is said of one lab.
class Parts {
 public:
  void add(std::string_view name, const std::vector<Column>& columns, const Rows& rows) {
    if (!rows.empty()) put(name, page::table_values(name, columns, rows), {});
  }
  void add(std::string_view name, const Lines& lines) {
    std::vector<Values> values;
    for (const auto& [kind, text] : lines) values.push_back(Values().text("kind", kind).text("text", text));
    put(name, std::nullopt, values);
  }
  const std::vector<Values>& values() const { return parts_; }

 private:
  void put(std::string_view name, const std::optional<Values>& table, const std::vector<Values>& lines) {
    Values part;
    part.text("name", name).list("lines", lines);
    if (table) {
      part.part("table", *table);
    } else {
      part.flag("table", false);
    }
    parts_.push_back(part);
  }
  std::vector<Values> parts_;
};

Values overview(const ClassData& data, const std::vector<LabStatistics>& all) {
  Rows rows;
  for (const LabStatistics& lab : all) {
    const Lab& known = data.lab(lab.lab);
    rows.push_back({link_cell(known.title, "#" + lab.lab),
                    number_cell(fmt::format("{} of {}", lab.graded + lab.not_graded.size(), lab.students)),
                    number_cell(std::to_string(lab.graded)), number_cell(std::to_string(lab.full_marks)),
                    number_cell(lab.graded == 0 ? "" : shown_points(lab.mean)),
                    number_cell(lab.graded == 0 ? "" : shown_points(lab.median)),
                    number_cell(shown_points(known.max_points()))});
  }
  return page::table_values("Labs",
                            {{"lab"},
                             {"handed in", true},
                             {"graded", true},
                             {"full marks", true},
                             {"mean before late points", true},
                             {"median before late points", true},
                             {"most", true}},
                            rows);
}

void add_distribution(Parts& parts, const LabStatistics& lab) {
  const std::size_t most = std::max<std::size_t>(*std::ranges::max_element(lab.tenths), 1);
  Rows rows;
  for (std::size_t i = 0; i < lab.tenths.size(); ++i) {
    const std::string range = i == 10 ? "100 %" : fmt::format("{} to {} %", 10 * i, 10 * i + 10);
    const double share = static_cast<double>(lab.tenths[i]) / static_cast<double>(most);
    rows.push_back({number_cell(range),
                    {page::share_bar(share, "scale short", ""), "bar"},
                    number_cell(std::to_string(lab.tenths[i]))});
  }
  parts.add("Points as graded, before late points and points by hand",
            {{"points", true}, {"share"}, {"students", true}}, rows);
}

void add_checks(Parts& parts, const LabStatistics& lab) {
  Rows rows;
  for (const CheckRate& check : lab.checks) {
    rows.push_back({code_cell(check.id), prose_cell(check.title),
                    number_cell(fmt::format("{} of {}", check.passed, check.all)),
                    number_cell(percent(check.passed, check.all))});
  }
  parts.add("Checks, the hardest first", {{"check"}, {"what it asks"}, {"passed", true}, {"share", true}}, rows);
}

void add_days(Parts& parts, const LabStatistics& lab) {
  std::size_t most = 1, students = 0;
  for (const DayRate& day : lab.days) most = std::max(most, day.attempts);
  Rows rows;
  for (const DayRate& day : lab.days) {
    students += day.first_ones;
    const double share = static_cast<double>(day.attempts) / static_cast<double>(most);
    rows.push_back({number_cell(shown_day(day.day)),
                    {page::share_bar(share, "scale short", ""), "bar"},
                    number_cell(std::to_string(day.attempts)),
                    number_cell(std::to_string(students)),
                    number_cell(day.graded == 0 ? "" : shown_points(day.points / static_cast<double>(day.graded)))});
  }
  std::string name = "Attempts by day";
  if (lab.by_file_times > 0) name += fmt::format(", {} of them by the time of the file", lab.by_file_times);
  if (lab.by_commit_times > 0) name += fmt::format(", {} of them by the time of the last commit", lab.by_commit_times);
  if (lab.without_time > 0) name += fmt::format("; {} came in at no known time", lab.without_time);
  parts.add(
      name,
      {{"day", true}, {"share"}, {"attempts", true}, {"students so far", true}, {"mean before late points", true}},
      rows);
}

void add_findings(Parts& parts, const LabStatistics& lab, const ClassData& data) {
  Rows rows;
  for (const FindingRate& finding : lab.findings) {
    rows.push_back({code_cell(finding.id),
                    number_cell(fmt::format("{} ({})", finding.students, percent(finding.students, lab.graded))),
                    prose_cell(finding.example), link_to(data, data.student(finding.example_student), "key")});
  }
  parts.add("Findings, the most frequent first", {{"finding"}, {"students", true}, {"for example"}, {"of"}}, rows);
}

void add_not_gradable(Parts& parts, const LabStatistics& lab, const ClassData& data) {
  Rows rows;
  for (const Standing* standing : lab.not_graded) {
    rows.push_back({link_to(data, data.student(standing->student)), text_cell(name_of(standing->state)),
                    text_cell(standing->note)});
  }
  for (const NotTaken& each : data.not_taken) {
    if (!each.student.empty() || (!each.lab.empty() && each.lab != lab.lab)) continue;
    rows.push_back({text_cell("nobody knows"), text_cell(each.found), text_cell(each.reason)});
  }
  parts.add("For a person to look at", {{"whose"}, {"what"}, {"why"}}, rows);
}

void add_slowest(Parts& parts, const LabStatistics& lab, const ClassData& data) {
  Rows rows;
  for (const Standing* standing : lab.slowest) {
    rows.push_back({link_to(data, data.student(standing->student)),
                    number_cell(fmt::format("{:.1f} s", standing->grading->cpu_seconds)),
                    number_cell(fmt::format("{:.1f} s", standing->grading->wall_seconds)),
                    number_cell(shown_points(standing->points))});
  }
  parts.add("Slowest gradings",
            {{"submission"}, {"processor", true}, {"from start to end", true}, {"points as graded", true}}, rows);
}

/// What a report says of how it came about; nothing where there is no report.
std::string shown(const Used& used) {
  if (used == Used{}) return ", no report";
  return fmt::format(", device {}, compiler {}, sandbox {}, seed {}", used.device, used.frontend, used.sandbox,
                     used.seed);
}

void add_graders(Parts& parts, const LabStatistics& lab, const ClassData& data) {
  std::map<std::string, std::size_t> known;
  for (const Standing& standing : data.standings) {
    if (standing.lab != lab.lab || !standing.grading) continue;
    const Audit& audit = standing.grading->audit;
    ++known[fmt::format("grader {} ({:.10}), programs {:.10}, lab data {:.10}, hidden cases {:.10}, on {}{}",
                        audit.version, audit.commit, audit.grader, audit.lab_data,
                        audit.hidden.empty() ? "none" : audit.hidden, audit.host, shown(audit.used))];
  }
  Lines lines;
  for (const auto& [text, count] : known) lines.emplace_back("soft", fmt::format("{} by {}", count, text));
  if (known.size() > 1)
    lines.emplace_back("warn", "Not all were graded alike; grade class --regrade grades them again.");
  parts.add("Graded by", lines);
}

void add_alike(Parts& parts, const LabStatistics& lab, const ClassData& data) {
  const auto found = std::ranges::find(data.similarities, lab.lab, &SimilaritySummary::lab);
  if (found == data.similarities.end()) return;
  const Cell evidence = link_cell("the evidence", uri_of("similar/" + lab.lab + "/index.html"));
  Rows rows;
  for (const std::vector<std::string>& group : found->groups) {
    std::string names;
    for (const std::string& id : group) {
      // Who has left the class since is not there any more.
      const auto student = std::ranges::find(data.students, id, &Student::id);
      if (student == data.students.end()) continue;
      if (!names.empty()) names += ", ";
      names += data.shown_name(*student);
    }
    rows.push_back({text_cell(names), evidence});
  }
  if (rows.empty()) rows.push_back({text_cell("No two files are alike beyond the thresholds."), evidence});
  parts.add("Alike",
            {{fmt::format("{} files of {} students, compared {}. No verdict.", found->files, found->students,
                          shown_moment(found->made))},
             {"pages"}},
            rows);
}

Values students(const ClassData& data) {
  std::vector<Column> columns{{"student"}, {"id"}, {"section"}};
  for (const Lab& lab : data.labs) columns.push_back({lab.id, true});
  columns.push_back({"course", true});
  Rows rows;
  for (const Student& student : data.students) {
    std::vector<Cell> cells{link_cell(student.name.empty() ? student.id : student.name, page_of(student)),
                            text_cell(student.id), text_cell(student.section)};
    for (const Standing& standing : data.standings_of(student.id)) {
      const bool points = standing.state == State::graded || standing.adjusted != 0;
      const std::string mark = standing.late_points > 0 ? " (late)" : "";
      cells.push_back(points ? number_cell(shown_points(standing.total()) + mark)
                             : number_cell(name_of(standing.state), "soft"));
    }
    const std::optional<CoursePercent> percent = data.percent_of(student.id);
    cells.push_back(number_cell(percent ? shown_percent(*percent) : ""));
    rows.push_back(std::move(cells));
  }
  return page::table_values("Students", columns, rows);
}

Values lab_values(const LabStatistics& lab, const ClassData& data) {
  Parts parts;
  if (lab.graded > 0) {
    add_distribution(parts, lab);
    add_checks(parts, lab);
    add_findings(parts, lab, data);
  }
  add_days(parts, lab);
  add_not_gradable(parts, lab, data);
  add_alike(parts, lab, data);
  add_slowest(parts, lab, data);
  if (lab.graded > 0) add_graders(parts, lab, data);
  return Values().text("id", lab.lab).text("title", data.lab(lab.lab).title).list("parts", parts.values());
}

}  // namespace

std::string index_page(const ClassData& data, Store& store) {
  std::vector<LabStatistics> all;
  all.reserve(data.labs.size());
  for (const Lab& lab : data.labs) all.push_back(statistics_of(lab, data, store));
  std::vector<Values> labs;
  labs.reserve(all.size());
  for (const LabStatistics& lab : all) labs.push_back(lab_values(lab, data));
  const std::string title = data.course.title.empty() ? "Class" : data.course.title;
  Values values;
  values.text("title", title).text("students", fmt::format("{} students", data.students.size()));
  values.part("overview", overview(data, all)).list("labs", labs).part("everybody", students(data));
  const page::Templates templates{kCourseTemplateFiles.begin(), kCourseTemplateFiles.end()};
  return page::whole_page(title, page::fill("class", values, templates));
}

}  // namespace cudalabs::course
