// `grade class adjust`, `missing`, `diff`, `export` and `pages`: what is done with gradings that are there.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

#include "cli/project.h"
#include "cli/usage_error.h"
#include "course/differences.h"
#include "course/export.h"
#include "course/pages.h"
#include "course/standing.h"
#include "course/store.h"
#include "course_cli/class.h"
#include "course_cli/class_labs.h"
#include "course_cli/class_missing.h"
#include "course_cli/class_runs.h"
#include "course_cli/class_work.h"
#include "report/printable.h"
#include "report/write_file.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

std::string user_name() {
  const passwd* user = getpwuid(getuid());
  return user == nullptr ? std::to_string(getuid()) : user->pw_name;
}

}  // namespace

ExitCode run_class_command(const ClassAdjustCommand& command) {
  course::Store store(command.out, course::Store::Open::existing);
  const Lab lab = load_lab(command.lab);
  const auto students = store.students();
  if (std::ranges::find(students, command.student, &course::Student::id) == students.end())
    throw UsageError(fmt::format("{}: nobody in this class has that id{}", command.student,
                                 course::near_id(command.student, course::ids_of(students))));
  if (command.reason.find_first_not_of(" \t\n") == std::string::npos) throw UsageError("--reason: say why");
  store.add({.id = 0,
             .student = command.student,
             .lab = lab.id,
             .points = command.points,
             .reason = command.reason,
             .by = user_name(),
             .made = std::time(nullptr)});
  const course::ClassData data = class_data(command.out, store);
  for (const course::Standing& standing : data.standings) {
    if (standing.student == command.student && standing.lab == lab.id)
      fmt::print("{} {}: {} of {}, adjusted by {}: {}\n", standing.student, lab.id,
                 course::shown_points(standing.points), course::shown_points(lab.max_points()),
                 course::shown_points(standing.adjusted), course::shown_points(standing.total()));
  }
  course::write_pages(command.out, store, data);
  return kFullMarks;
}

ExitCode run_class_command(const ClassMissingCommand& command) {
  course::Store store(command.out, course::Store::Open::existing);
  const std::string lab = load_lab(command.lab).id;
  const course::ClassData data = class_data(command.out, store, lab);
  if (data.labs.empty()) throw UsageError(fmt::format("{}: nothing of {} was graded here", command.out.string(), lab));
  for (const std::string& line : shown_missing(data, lab)) fmt::print("{}\n", printable_line(line));
  return kFullMarks;
}

ExitCode run_class_command(const ClassDiffCommand& command) {
  if (command.after.empty()) return compare_runs(command.before, command.runs);
  course::Store before(command.before, course::Store::Open::existing);
  course::Store after(command.after, course::Store::Open::existing);
  const auto old_data = class_data(command.before, before);
  const auto new_data = class_data(command.after, after);
  const std::vector<course::Difference> differences = course::differences(before, old_data, after, new_data);
  return print_differences(differences, course::compared_rows(old_data, new_data));
}

ExitCode run_class_command(const ClassExportCommand& command) {
  course::Store store(command.out, course::Store::Open::existing);
  std::optional<std::string> only;
  if (command.lab) only = load_lab(*command.lab).id;
  const course::ClassData data = class_data(command.out, store, only);
  if (data.labs.empty()) throw UsageError(fmt::format("{}: nothing of that lab was graded here", command.out.string()));
  course::Exported exported;
  try {
    if (command.format == "csv") {
      exported = course::export_csv(data);
    } else if (command.format == "nbgrader") {
      exported = course::export_nbgrader(data, command.missing_is_zero);
    } else {
      if (!command.from)
        throw UsageError(
            fmt::format("export {} needs --from FILE.csv: the {} as it was downloaded, so that everything in "
                        "it fits",
                        command.format, command.format == "canvas" ? "gradebook" : "worksheet"));
      if (command.format == "moodle" && data.labs.size() != 1)
        throw UsageError("export moodle needs --lab LAB: a worksheet is of one assignment");
      const std::string name = command.from->string();
      exported = command.format == "canvas"
                     ? course::export_canvas(data, given_text(*command.from), name, command.missing_is_zero)
                     : course::export_moodle(data, given_text(*command.from), name, command.missing_is_zero);
    }
  } catch (const course::CsvError& error) {
    throw UsageError(error.what());
  }
  if (command.to) {
    write_file(*command.to, exported.text);
  } else {
    std::fwrite(exported.text.data(), 1, exported.text.size(), stdout);
  }
  for (const auto* lines : {&exported.notes, &exported.refused}) {
    for (const std::string& line : *lines) fmt::print(stderr, "{}\n", printable_line(line));
  }
  return exported.refused.empty() ? kFullMarks : kFellShort;
}

ExitCode run_class_command(const ClassPagesCommand& command) {
  course::Store store(command.out, course::Store::Open::existing);
  const course::ClassData data = class_data(command.out, store);
  print_doubts(data);
  course::write_pages(command.out, store, data);
  fmt::print("{}\n", (command.out / "index.html").string());
  return kFullMarks;
}

}  // namespace cudalabs
