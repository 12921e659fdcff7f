// `grade class LAB SUBMISSIONS --out DIR`: takes in what was handed in, and grades what is missing.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>

#include "build/builder.h"
#include "cli/class.h"
#include "cli/class_labs.h"
#include "cli/class_progress.h"
#include "cli/class_similar.h"
#include "cli/options.h"
#include "cli/project.h"
#include "cli/usage_error.h"
#include "course/collect.h"
#include "course/grade_class.h"
#include "course/pages.h"
#include "course/provenance.h"
#include "course/store.h"
#include "grading/grading.h"
#include "grading/toolchain_choice.h"
#include "report/printable.h"
#include "report/report.h"
#include "run/run.h"
#include "sandbox/fd.h"
#include "sandbox/sandbox.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using sandbox::Fd;

constexpr std::size_t kMostShown = 20;  // rows that need a person, on the terminal

/// Two gradings of one class at a time would grade everything twice. Held as long as the descriptor is open.
Fd lock_class(const fs::path& out) {
  Fd lock(open((out / "class.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) throw std::system_error(errno, std::generic_category(), (out / "class.lock").string());
  // Gradings of a run that was killed a moment ago may still be on their way out, and hold it as long.
  constexpr int kTries = 50;
  for (int i = 0; flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (i == kTries) throw UsageError(fmt::format("{}: this class is being graded already", out.string()));
    poll(nullptr, 0, 100);
  }
  return lock;
}

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw UsageError(fmt::format("{}: this file cannot be read", path.string()));
  return text;
}

course::Settings settings_of(const ClassGradeCommand& command) {
  return {.seed = command.seed ? std::to_string(*command.seed) : "",
          .device = std::string(name_of(command.device)),
          .frontend = std::string(name_of(command.frontend)),
          .sandbox = command.sandbox ? std::string(1, *command.sandbox) : ""};
}

/// Fails now rather than three hundred times, and lets every grading find what was found out here. Where kernels run.
DeviceChoice prepare(const ClassGradeCommand& command) {
  if (command.sandbox) {
    const auto tier = static_cast<sandbox::Tier>(*command.sandbox - 'A');
    if (const std::string problem = sandbox::choose_tier(tier); !problem.empty())
      throw UsageError(fmt::format("--sandbox {}: {}", *command.sandbox, problem));
  }
  choose_toolchain(command.frontend);
  sandbox_tier();
  return choose_real_gpu(command.device) ? command.device : DeviceChoice::virtual_gpu;
}

/// What `grade LAB --submission FILE --json` does, in a process of its own: the file lies in a fresh folder, under the
/// name that the lab gives it.
int grade_one(const ClassGradeCommand& command, DeviceChoice device, const Lab& lab, const fs::path& folder,
              const std::string& text, int output) {
  fs::create_directory(folder);
  fs::current_path(folder);
  std::ofstream stream(lab.contract.source, std::ios::binary);
  // A file that was cut by a full disk must not be taken for what was handed in.
  if (!(stream << text).flush()) throw std::system_error(errno, std::generic_category(), folder.string());
  stream.close();
  Target target;
  target.lab = lab.id;
  target.submission = lab.contract.source;
  const GradingResult result = grade({.lab = &lab,
                                      .submission = find_submission(target, lab),
                                      .seed = command.seed,
                                      .device = device,
                                      .frontend = command.frontend,
                                      .catch_arguments = {}});
  sandbox::write_all(output, sandbox::bytes_of(render_json(result.report)));
  fs::remove_all(folder);
  return 0;
}

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

course::Regrade regrade_of(const ClassGradeCommand& command, course::Store& store) {
  course::Regrade regrade;
  for (const std::string& word : command.regrade) {
    if (word == "all") {
      regrade.everything = true;
      continue;
    }
    try {
      regrade.labs.insert(load_lab(word).id);
      continue;
    } catch (const UsageError&) {
      // No lab's name: a student's id.
    }
    const auto students = store.students();
    if (std::ranges::find(students, word, &course::Student::id) == students.end())
      throw UsageError(fmt::format("--regrade {}: this is neither a lab nor a student of the class", word));
    regrade.students.insert(word);
  }
  return regrade;
}

void take_in(const ClassGradeCommand& command, const std::vector<Lab>& labs, course::Store& store) {
  course::Roster roster;
  try {
    if (command.roster) {
      roster = course::read_roster(text_of(*command.roster), command.roster->string());
      store.put_roster(roster);
    } else {
      roster = course::Roster(store.roster());
    }
    std::vector<std::string> ids;
    ids.reserve(labs.size());
    for (const Lab& lab : labs) ids.push_back(lab.id);
    store.put_collected(fs::weakly_canonical(command.submissions).string(), ids,
                        course::collect(command.submissions, labs, roster));
  } catch (const course::CsvError& error) {
    throw UsageError(error.what());
  } catch (const course::TreeError& error) {
    throw UsageError(error.what());
  }
}

/// What was found and not graded, and gradings that came to no verdict: a person has to look at these.
std::vector<std::string> open_rows(const std::vector<Lab>& labs, course::Store& store) {
  const auto ours = [&](const std::string& id) { return std::ranges::find(labs, id, &Lab::id) != labs.end(); };
  std::vector<std::string> rows;
  for (const course::NotTaken& each : store.not_taken()) {
    if (!each.lab.empty() && !ours(each.lab)) continue;
    rows.push_back(fmt::format("{}: {}", printable_line(each.found), printable_line(each.reason)));
  }
  const auto gradings = store.latest_gradings();
  for (const course::KeptAttempt& kept : store.attempts()) {
    const auto found = gradings.find({kept.attempt.lab, kept.attempt.digest});
    if (!ours(kept.attempt.lab) || found == gradings.end() || found->second.failure.empty()) continue;
    rows.push_back(fmt::format("{}: {}", printable_line(kept.attempt.found), printable_line(found->second.failure)));
  }
  return rows;
}

}  // namespace

ExitCode run_class_command(const ClassGradeCommand& command) {
  const std::vector<Lab> labs = command.lab == "all" ? all_labs() : std::vector{load_lab(command.lab)};
  const bool fresh = !fs::exists(command.out);
  make_folder("--out", command.out);
  if (fresh) fs::permissions(command.out, fs::perms::owner_all);  // submissions and grades are personal data
  const Fd lock = lock_class(command.out);
  course::Store store(command.out, course::Store::Open::make);
  class_data(command.out, store);  // a course.toml that is wrong is better known now
  take_in(command, labs, store);
  const DeviceChoice device = prepare(command);

  const course::Settings settings = settings_of(command);
  std::map<std::string, course::Audit> audits;
  for (const Lab& lab : labs) audits.emplace(lab.id, course::audit_of(lab));
  const course::Plan plan = course::plan(store, labs, settings, regrade_of(command, store), audits);
  fmt::print("{} to grade, {} graded before\n", plan.missing.size(), plan.known);
  if (plan.of_another_grader > 0)
    fmt::print(
        "note: {} of those were graded by another grader or with other data of the lab; --regrade {} grades them "
        "again\n",
        plan.of_another_grader, command.lab);
  std::fflush(stdout);

  const unsigned jobs = command.jobs.value_or(std::max(std::thread::hardware_concurrency(), 1u));
  const WorkFolder work(command.out);
  std::size_t number = 0;
  course::Tally tally;
  {
    ClassProgress progress;
    tally = course::grade_class(store, plan.missing, settings, audits,
                                {.work =
                                     [&](const course::Task& task, const std::string& text, int output) {
                                       const Lab& lab = *std::ranges::find(labs, task.lab, &Lab::id);
                                       return grade_one(command, device, lab, work.path() / std::to_string(getpid()),
                                                        text, output);
                                     },
                                 .progress = [&](const course::Tally& so_far) { progress.show(so_far); },
                                 .jobs = jobs});
  }
  if (tally.all > 0) fmt::print("{}\n", shown_progress(tally));
  const std::vector<std::string> open = open_rows(labs, store);
  for (const std::string& row : open) {
    if (++number > kMostShown) {
      fmt::print("... and {} more\n", open.size() - kMostShown);
      break;
    }
    fmt::print("{}\n", row);
  }
  if (command.similar) {
    for (const Lab& lab : labs) compare_class(command.out, store, lab, jobs);
  }
  if (command.pages) {
    course::write_pages(command.out, store, class_data(command.out, store));
    fmt::print("{}\n", (command.out / "index.html").string());
  }
  return open.empty() ? kFullMarks : kFellShort;
}

}  // namespace cudalabs
