// `grade class LAB SUBMISSIONS --out DIR`: takes in what was handed in, and grades what is missing.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "cli/project.h"
#include "course/grade_class.h"
#include "course/pages.h"
#include "course/provenance.h"
#include "course/store.h"
#include "course_cli/class.h"
#include "course_cli/class_labs.h"
#include "course_cli/class_places.h"
#include "course_cli/class_progress.h"
#include "course_cli/class_runs.h"
#include "course_cli/class_similar.h"
#include "course_cli/class_slurm.h"
#include "course_cli/class_work.h"
#include "grading/grading.h"
#include "vgpu/usable_processors.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using sandbox::Fd;

/// Folders of gradings under way; what an earlier run left there is removed.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& out) : path_(fs::absolute(out) / "work") {
    fs::remove_all(path_);
    fs::create_directory(path_);
    fs::permissions(path_, fs::perms::owner_all);
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

ExitCode run_class_command(const ClassGradeCommand& command) {
  if (command.slurm) return submit_class(command);
  if (command.similar) require_comparing();  // better known now than after the last grading
  const std::vector<Lab> labs = command.lab == "all" ? all_labs() : std::vector{load_lab(command.lab)};
  const Fd lock = hold_class(command.out, kClassWait);
  course::Store store(command.out, course::Store::Open::make);
  require_rules(command.out);  // a course.toml that is wrong is better known now
  take_in(command, labs, store);
  print_taken_in(command, labs, store);
  const DeviceChoice device = prepare(command);

  const course::Settings settings = settings_of(command);
  std::map<std::string, course::Audit> audits;
  for (const Lab& lab : labs) audits.emplace(lab.id, course::audit_of(lab));
  const course::Plan plan = course::plan(store, labs, settings, regrade_of(command, store), audits);
  print_plan(plan, command);

  for (const Lab& lab : labs) {
    if (std::ranges::count(plan.missing, lab.id, &course::Task::lab) > 1) prepare_gradings(lab);
  }

  const std::int64_t run = plan.missing.empty() ? 0 : store.begin_run(asked_of(command), std::time(nullptr));
  const unsigned processors = vgpu::usable_processors();
  const Places places = share_processors(command.jobs, processors, labs);
  const WorkFolder work(command.out);
  course::Tally tally;
  {
    ClassProgress progress;
    tally = course::grade_class(store, run, plan.missing, settings, audits,
                                {.work =
                                     [&](const course::Task& task, const std::string& text, int output) {
                                       const Lab& lab = *std::ranges::find(labs, task.lab, &Lab::id);
                                       return grade_one(command, device, lab, work.path() / std::to_string(getpid()),
                                                        text, output);
                                     },
                                 .progress = [&](const course::Tally& so_far) { progress.show(so_far); },
                                 .places = places.all,
                                 .places_of = places.places_of});
  }
  if (tally.all > 0) fmt::print("{}\n", shown_progress(tally));
  if (tally.all > 0 && !command.regrade.empty()) print_changes(command.out, store, run);
  const std::size_t open = print_open_rows(labs, store);
  if (command.similar) {
    for (const Lab& lab : labs) compare_class(command.out, store, lab, command.jobs.value_or(processors));
  }
  if (command.pages) {
    course::write_pages(command.out, store, class_data(command.out, store));
    fmt::print("{}\n", (command.out / "index.html").string());
  }
  return open == 0 ? kFullMarks : kFellShort;
}

}  // namespace cudalabs
