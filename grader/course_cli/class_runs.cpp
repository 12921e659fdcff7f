// `grade class runs`, and what runs changed.
#include "course_cli/class_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/usage_error.h"
#include "course/moment.h"
#include "course_cli/class.h"
#include "course_cli/class_labs.h"
#include "report/printable.h"
#include "text/counted.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

std::string shown(const course::Run& run) {
  const std::string asked = run.asked.empty() ? "by an older grader" : printable_line(run.asked);
  return fmt::format("run {}, {}, {}", run.id, course::shown_moment(run.started), asked);
}

const course::Run& run_of(const std::vector<course::Run>& runs, std::int64_t id) {
  const auto found = std::ranges::find(runs, id, &course::Run::id);
  if (found == runs.end())
    throw UsageError(fmt::format("--runs: no run {} graded anything here; grade class runs lists those that did", id));
  return *found;
}

std::vector<course::Difference> differences_of_runs(const fs::path& out, course::Store& store, std::int64_t before,
                                                    const course::ClassData& after) {
  return course::differences(store, class_data(out, store, std::nullopt, before), store, after);
}

}  // namespace

std::string asked_of(const ClassGradeCommand& command) {
  return command.regrade.empty() ? command.lab
                                 : fmt::format("{} --regrade {}", command.lab, fmt::join(command.regrade, ","));
}

void print_changes(const fs::path& out, course::Store& store, std::int64_t run) {
  const std::size_t changed =
      differences_of_runs(out, store, run - 1, class_data(out, store, std::nullopt, run)).size();
  fmt::print("{} from before", counted(changed, "row differs", "rows differ"));
  if (changed > 0) fmt::print(": grade class diff {} says who, and why", out.string());
  fmt::print("\n");
}

ExitCode print_differences(const std::vector<course::Difference>& differences, std::size_t rows) {
  for (const course::Difference& each : differences) fmt::print("{}\n", printable(course::shown(each)));
  fmt::print("{}\n", course::shown(differences, rows));
  return differences.empty() ? kFullMarks : kFellShort;
}

ExitCode compare_runs(const fs::path& out, std::vector<std::int64_t> runs) {
  course::Store store(out, course::Store::Open::existing);
  const std::vector<course::Run> known = store.runs();
  if (runs.empty()) {
    if (known.size() < 2)
      throw UsageError(fmt::format(
          "{}: one run graded everything here; another one to compare comes of --regrade or of new submissions",
          out.string()));
    runs = {known[known.size() - 2].id, known.back().id};
  }
  const course::Run &before = run_of(known, runs[0]), &after = run_of(known, runs[1]);
  fmt::print("{} -> {}\n", shown(before), shown(after));
  const course::ClassData data = class_data(out, store, std::nullopt, after.id);
  return print_differences(differences_of_runs(out, store, before.id, data), data.standings.size());
}

ExitCode run_class_command(const ClassRunsCommand& command) {
  course::Store store(command.out, course::Store::Open::existing);
  for (const course::Run& run : store.runs())
    fmt::print("{}: {} graded, {} without a verdict\n", shown(run), run.graded, run.failed);
  return kFullMarks;
}

}  // namespace cudalabs
