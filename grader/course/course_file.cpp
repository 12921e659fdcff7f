// course.toml: what a lab is worth in the course, when it is due, and what being late costs.
#include "course/course_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "course/course_keys.h"
#include "lab/nearest.h"
#include "lab/toml_reader.h"

namespace cudalabs::course {
namespace {

constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 86400;

void require_known(const TableReader& reader, const Placed<std::string>& lab, const std::vector<std::string>& known) {
  if (std::ranges::find(known, lab.value) != known.end()) return;
  reader.fail(lab.line, fmt::format("`lab` is \"{}\", which is no lab{}", lab.value, suggestion(lab.value, known)));
}

Counted read_counted(TableReader& reader) {
  const Placed<std::string> word = reader.text_or("attempt", "last");
  if (word.value == "last") return Counted::last;
  if (word.value == "best") return Counted::best;
  reader.fail(word.line, fmt::format("`attempt` is \"{}\"; it is \"last\" or \"best\"", word.value));
}

LateRule read_late(TableReader reader) {
  LateRule late;
  late.percent_per_day = reader.points_or("percent_per_day", 0);
  if (late.percent_per_day > 100) reader.fail(reader.line(), "`percent_per_day` in [late] is more than 100");
  late.grace_seconds = static_cast<std::int64_t>(reader.count_or("grace_minutes", 0)) * kMinute;
  if (const std::uint64_t days = reader.count_or("most_days", 0); days != 0) late.most_days = days;
  late.file_times = reader.flag_or("file_times", false);
  reader.finish();
  return late;
}

ExtraTime read_extra_time(TableReader& reader, const std::vector<std::string>& known) {
  ExtraTime extra;
  const Placed<std::string> student = reader.text("student");
  extra.student = student.value;
  extra.line = student.line;
  const Placed<std::string> lab = reader.text_or("lab", "all");
  if (lab.value != "all") {
    require_known(reader, lab, known);
    extra.lab = lab.value;
  }
  const double seconds = reader.points_or("days", 0) * kDay + reader.points_or("hours", 0) * kHour;
  if (!(seconds > 0)) reader.fail(reader.line(), "[[extra_time]] gives neither `days` nor `hours`");
  extra.seconds = static_cast<std::int64_t>(seconds);
  extra.reason = reader.text_or("reason", "extra time").value;
  reader.finish();
  return extra;
}

}  // namespace

std::string near_id(std::string_view id, const std::vector<std::string>& students) {
  const std::optional<std::string> near = nearest(id, students);
  return near ? fmt::format("; did you mean \"{}\"?", *near) : std::string();
}

const CourseLab* Course::find(std::string_view lab) const {
  const auto found = std::ranges::find(labs, lab, &CourseLab::id);
  return found == labs.end() ? nullptr : &*found;
}

double Course::weight(std::string_view lab) const {
  const CourseLab* known = find(lab);
  return known == nullptr ? 1 : known->weight;
}

std::int64_t Course::extra_seconds(std::string_view student, std::string_view lab) const {
  std::int64_t most = 0;
  for (const ExtraTime& extra : extra_time) {
    if (extra.student == student && (extra.lab.empty() || extra.lab == lab)) most = std::max(most, extra.seconds);
  }
  return most;
}

std::vector<std::string> extra_time_of_nobody(const Course& course, const std::filesystem::path& path,
                                              const std::vector<std::string>& students) {
  std::vector<std::string> lines;
  for (const ExtraTime& extra : course.extra_time) {
    if (std::ranges::find(students, extra.student) != students.end()) continue;
    lines.push_back(fmt::format("{}:{}: `student` in [[extra_time]] is \"{}\", the id of nobody in this class{}",
                                path.string(), extra.line, extra.student, near_id(extra.student, students)));
  }
  return lines;
}

Course read_course(const std::filesystem::path& path, const std::vector<std::string>& known_labs) {
  const TomlFile file(path);
  TableReader top = file.top(course_keys());
  Course course;
  course.title = top.text_or("title", "CUDA Labs").value;
  course.counted = read_counted(top);
  if (std::optional<TableReader> late = top.table_or_none("late")) course.late = read_late(*late);
  for (TableReader& reader : top.tables_or_none("labs")) {
    CourseLab lab;
    const Placed<std::string> id = reader.text("lab");
    require_known(reader, id, known_labs);
    lab.id = id.value;
    if (course.find(lab.id) != nullptr) reader.fail(reader.line(), fmt::format("\"{}\" has a table already", lab.id));
    lab.weight = reader.points_or("weight", 1);
    lab.deadline = reader.moment_or_none("deadline");
    lab.canvas = reader.text_or("canvas", "").value;
    reader.finish();
    course.labs.push_back(std::move(lab));
  }
  for (TableReader& reader : top.tables_or_none("extra_time"))
    course.extra_time.push_back(read_extra_time(reader, known_labs));
  top.finish();
  return course;
}

}  // namespace cudalabs::course
