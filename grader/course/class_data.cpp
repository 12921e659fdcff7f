// Everything that pages, exports and comparisons of a class are made from.
#include "course/class_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cudalabs::course {
namespace {

constexpr const char* kCourseFile = "course.toml";

}  // namespace

const Student& ClassData::student(std::string_view id) const {
  return *std::ranges::find(students, id, &Student::id);
}

std::string ClassData::shown_name(const Student& student) const {
  if (student.name.empty()) return student.id;
  const bool only_one = std::ranges::count(students, student.name, &Student::name) < 2;
  return only_one ? student.name : fmt::format("{} ({})", student.name, student.id);
}

const Lab& ClassData::lab(std::string_view id) const {
  return *std::ranges::find(labs, id, &Lab::id);
}

std::vector<Standing> ClassData::standings_of(std::string_view student) const {
  const auto first = std::ranges::lower_bound(standings, student, {}, &Standing::student);
  const auto last = std::ranges::upper_bound(standings, student, {}, &Standing::student);
  return {first, last};
}

std::optional<CoursePercent> ClassData::percent_of(std::string_view student) const {
  std::vector<std::pair<std::string, double>> most;
  most.reserve(labs.size());
  for (const Lab& lab : labs) most.emplace_back(lab.id, lab.max_points());
  return course_percent(standings_of(student), course, most);
}

Course read_rules(const std::filesystem::path& folder, const std::vector<Lab>& all_labs) {
  std::vector<std::string> known;
  known.reserve(all_labs.size());
  for (const Lab& lab : all_labs) known.push_back(lab.id);
  const std::filesystem::path file = folder / kCourseFile;
  return std::filesystem::exists(file) ? read_course(file, known) : Course();
}

std::vector<std::string> ids_of(const std::vector<Student>& students) {
  std::vector<std::string> ids;
  ids.reserve(students.size());
  for (const Student& student : students) ids.push_back(student.id);
  return ids;
}

ClassData read_class(const std::filesystem::path& folder, Store& store, const std::vector<Lab>& all_labs,
                     const std::optional<std::string>& only, std::optional<std::int64_t> last_run) {
  ClassData data;
  std::vector<std::string> ids;
  const std::vector<std::string> kept = store.labs();
  for (const Lab& lab : all_labs) {
    if (std::ranges::find(kept, lab.id) == kept.end() || (only && *only != lab.id)) continue;
    data.labs.push_back(lab);
    ids.push_back(lab.id);
  }
  data.course = read_rules(folder, all_labs);
  data.students = store.students();
  data.doubts = extra_time_of_nobody(data.course, folder / kCourseFile, ids_of(data.students));
  if (!data.doubts.empty() && !store.roster().empty()) throw LabError(data.doubts[0]);
  data.standings = standings(store, ids, data.course, last_run);
  data.not_taken = store.not_taken();
  data.adjustments = store.adjustments();
  for (const std::string& id : ids) {
    if (auto summary = read_summary(folder, id)) data.similarities.push_back(*std::move(summary));
  }
  return data;
}

std::string shown_points(double points) {
  std::string text = fmt::format("{:.2f}", std::round(points * 100) / 100);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace cudalabs::course
