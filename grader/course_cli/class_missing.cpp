// Who has handed something in for a lab, and who has not.
#include "course_cli/class_missing.h"

#include <fmt/format.h>

#include <set>

namespace cudalabs {

std::string shown_hand_ins(const course::ClassData& data, const std::string& lab, bool on_roster,
                           const std::filesystem::path& out) {
  std::size_t all = 0, missing = 0;
  std::set<std::string> files;
  for (const course::Standing& standing : data.standings) {
    if (standing.lab != lab) continue;
    ++all;
    if (standing.state == course::State::nothing) ++missing;
    if (standing.attempt) files.insert(standing.attempt->digest);
  }
  const std::string different =
      fmt::format("({} different {})", files.size(), files.size() == 1 ? "file" : "files");  // equal ones: graded once
  if (!on_roster)
    return fmt::format("{}: {} {} handed in {}; without --roster nobody knows who did not", lab, all - missing,
                       all - missing == 1 ? "student" : "students", different);
  const std::string text = fmt::format("{}: {} of {} students handed in {}", lab, all - missing, all, different);
  if (missing == 0) return text;
  return fmt::format("{}, {} did not: grade class missing {} --out {} lists {}", text, missing, lab, out.string(),
                     missing == 1 ? "that student" : "them");
}

std::vector<std::string> shown_missing(const course::ClassData& data, const std::string& lab) {
  std::vector<std::string> lines;
  for (const course::Standing& standing : data.standings) {
    if (standing.lab != lab || standing.state != course::State::nothing) continue;
    const course::Student& student = data.student(standing.student);
    std::string line = student.id;
    if (!student.name.empty()) line += " " + student.name;
    if (!student.email.empty()) line += " <" + student.email + ">";
    lines.push_back(line);
  }
  return lines;
}

}  // namespace cudalabs
