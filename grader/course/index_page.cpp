// The page for whoever teaches the class.
#include <fmt/format.h>

#include <algorithm>

#include "course/html.h"
#include "course/moment.h"
#include "course/pages.h"
#include "course/statistics.h"

namespace cudalabs::course {
namespace {

Html number(const std::string& text) {
  return element("td", text, {{"class", "n"}});
}

Html head(std::initializer_list<std::pair<std::string_view, bool>> columns) {
  Html cells;
  for (const auto& [title, is_number] : columns)
    cells += is_number ? element("th", title, {{"class", "n"}}) : element("th", title);
  return element("tr", cells);
}

Html table(const Html& rows) {
  return element("div", element("table", rows), {{"class", "wide"}});
}

Html link_to(const Student& student) {
  const std::string shown = student.name.empty() ? student.id : student.name;
  return element("a", shown, {{"href", link_path("students/" + student_file(student.id))}});
}

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "" : fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Html overview(const ClassData& data, const std::vector<LabStatistics>& all) {
  Html rows = head({{"lab", false},
                    {"handed in", true},
                    {"graded", true},
                    {"full marks", true},
                    {"mean", true},
                    {"median", true},
                    {"most", true}});
  for (const LabStatistics& lab : all) {
    const Lab& known = data.lab(lab.lab);
    rows += element("tr", element("td", element("a", known.title, {{"href", "#" + lab.lab}})) +
                              number(fmt::format("{} of {}", lab.graded + lab.not_graded.size(), lab.students)) +
                              number(std::to_string(lab.graded)) + number(std::to_string(lab.full_marks)) +
                              number(lab.graded == 0 ? "" : shown_points(lab.mean)) +
                              number(lab.graded == 0 ? "" : shown_points(lab.median)) +
                              number(shown_points(known.max_points())));
  }
  return table(rows);
}

Html distribution(const LabStatistics& lab) {
  const std::size_t most = std::max<std::size_t>(*std::ranges::max_element(lab.tenths), 1);
  Html rows;
  for (std::size_t i = 0; i < lab.tenths.size(); ++i) {
    const std::string range = i == 10 ? "100 %" : fmt::format("{} to {} %", 10 * i, 10 * i + 10);
    const std::string width =
        fmt::format("width:{:.1f}%", 100.0 * static_cast<double>(lab.tenths[i]) / static_cast<double>(most));
    const Html bar = lab.tenths[i] == 0 ? Html() : element("div", Html(), {{"class", "bar"}, {"style", width}});
    rows += element("tr", number(range) + element("td", bar) + number(std::to_string(lab.tenths[i])));
  }
  return element("h3", "Points") + element("table", rows, {{"class", "bars"}});
}

Html checks(const LabStatistics& lab) {
  Html rows = head({{"check", false}, {"", false}, {"passed", true}, {"", true}});
  for (const CheckRate& check : lab.checks) {
    rows += element(
        "tr", element("td", element("code", check.id), {{"class", "key"}}) + element("td", prose(check.title)) +
                  number(fmt::format("{} of {}", check.passed, check.all)) + number(percent(check.passed, check.all)));
  }
  return element("h3", "Checks, the hardest first") + table(rows);
}

Html findings(const LabStatistics& lab, const ClassData& data) {
  if (lab.findings.empty()) return {};
  Html rows = head({{"finding", false}, {"students", true}, {"for example", false}, {"of", false}});
  for (const FindingRate& finding : lab.findings) {
    rows += element("tr", element("td", element("code", finding.id), {{"class", "key"}}) +
                              number(fmt::format("{} ({})", finding.students, percent(finding.students, lab.graded))) +
                              element("td", prose(finding.example)) +
                              element("td", link_to(data.student(finding.example_student)), {{"class", "key"}}));
  }
  return element("h3", "Findings, the most frequent first") + table(rows);
}

Html not_gradable(const LabStatistics& lab, const ClassData& data) {
  Html rows = head({{"whose", false}, {"what", false}, {"why", false}});
  bool any = false;
  for (const Standing* standing : lab.not_graded) {
    any = true;
    rows += element("tr", element("td", link_to(data.student(standing->student))) +
                              element("td", name_of(standing->state)) + element("td", standing->note));
  }
  for (const NotTaken& each : data.not_taken) {
    if (!each.student.empty() || (!each.lab.empty() && each.lab != lab.lab)) continue;
    any = true;
    rows += element("tr", element("td", "nobody knows") + element("td", each.found) + element("td", each.reason));
  }
  return any ? element("h3", "For a person to look at") + table(rows) : Html();
}

Html slowest(const LabStatistics& lab, const ClassData& data) {
  if (lab.slowest.empty()) return {};
  Html rows = head({{"submission", false}, {"processor", true}, {"from start to end", true}, {"points", true}});
  for (const Standing* standing : lab.slowest) {
    rows += element("tr", element("td", link_to(data.student(standing->student))) +
                              number(fmt::format("{:.1f} s", standing->grading->cpu_seconds)) +
                              number(fmt::format("{:.1f} s", standing->grading->wall_seconds)) +
                              number(shown_points(standing->points)));
  }
  return element("h3", "Slowest gradings") + table(rows);
}

Html graders(const LabStatistics& lab, const ClassData& data) {
  std::map<std::string, std::size_t> known;
  for (const Standing& standing : data.standings) {
    if (standing.lab != lab.lab || !standing.grading) continue;
    const Audit& audit = standing.grading->audit;
    ++known[fmt::format("grader {} ({:.10}), programs {:.10}, lab data {:.10}, hidden cases {:.10}, on {}",
                        audit.version, audit.commit, audit.grader, audit.lab_data,
                        audit.hidden.empty() ? "none" : audit.hidden, audit.host)];
  }
  Html lines;
  for (const auto& [text, count] : known)
    lines += element("p", fmt::format("{} by {}", count, text), {{"class", "soft"}});
  if (known.size() > 1)
    lines += element("p", "Not all were graded alike; grade class --regrade grades them again.", {{"class", "warn"}});
  return element("h3", "Graded by") + lines;
}

Html alike(const LabStatistics& lab, const ClassData& data) {
  const auto found = std::ranges::find(data.similarities, lab.lab, &SimilaritySummary::lab);
  if (found == data.similarities.end()) return {};
  const Html link = element("a", "the evidence", {{"href", link_path("similar/" + lab.lab + "/index.html")}});
  Html groups;
  for (const std::vector<std::string>& group : found->groups) {
    Html names;
    for (const std::string& id : group) {
      // Who has left the class since is not there any more.
      const auto student = std::ranges::find(data.students, id, &Student::id);
      if (student == data.students.end()) continue;
      if (!names.empty()) names += ", ";
      names += link_to(*student);
    }
    groups += element("li", names);
  }
  return element("h3", "Alike") +
         element("p", Html(fmt::format("{} files of {} students, compared {}: ", found->files, found->students,
                                       shown_moment(found->made))) +
                          link + ". No verdict.") +
         (groups.empty() ? element("p", "No two files are alike beyond the thresholds.") : element("ol", groups));
}

Html students(const ClassData& data) {
  Html titles = element("th", "student") + element("th", "id") + element("th", "section");
  for (const Lab& lab : data.labs) titles += element("th", lab.id, {{"class", "n"}});
  titles += element("th", "course", {{"class", "n"}});
  Html rows = element("tr", titles);
  for (const Student& student : data.students) {
    Html cells = element("td", link_to(student)) + element("td", student.id) + element("td", student.section);
    for (const Standing& standing : data.standings_of(student.id)) {
      const bool points = standing.state == State::graded || standing.adjusted != 0;
      const std::string mark = standing.late_points > 0 ? " (late)" : "";
      cells += points ? number(shown_points(standing.total()) + mark)
                      : element("td", name_of(standing.state), {{"class", "n soft"}});
    }
    const std::optional<double> percent = data.percent_of(student.id);
    rows += element("tr", cells + number(percent ? fmt::format("{:.1f} %", *percent) : ""));
  }
  return element("h2", "Students") + table(rows);
}

}  // namespace

std::string index_page(const ClassData& data, Store& store) {
  std::vector<LabStatistics> all;
  all.reserve(data.labs.size());
  for (const Lab& lab : data.labs) all.push_back(statistics_of(lab, data, store));
  const std::string title = data.course.title.empty() ? "Class" : data.course.title;
  Html body = element("h1", title) +
              element("p", fmt::format("{} students", data.students.size()), {{"class", "soft"}}) + overview(data, all);
  for (const LabStatistics& lab : all) {
    body += element("h2", data.lab(lab.lab).title, {{"id", lab.lab}});
    if (lab.graded > 0) body += distribution(lab) + checks(lab) + findings(lab, data);
    body += not_gradable(lab, data) + alike(lab, data) + slowest(lab, data);
    if (lab.graded > 0) body += graders(lab, data);
  }
  return page(title, body + students(data)).markup();
}

}  // namespace cudalabs::course
