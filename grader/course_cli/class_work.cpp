// What grading a class is made of, here or on the machines of a cluster.
#include "course_cli/class_work.h"

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

#include "build/builder.h"
#include "cli/options.h"
#include "cli/project.h"
#include "cli/usage_error.h"
#include "course/collect.h"
#include "course_cli/class_labs.h"
#include "course_cli/class_missing.h"
#include "grading/grading.h"
#include "grading/toolchain_choice.h"
#include "report/printable.h"
#include "report/report.h"
#include "run/run.h"
#include "sandbox/sandbox.h"
#include "text/file_text.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using sandbox::Fd;

constexpr std::size_t kMostShown = 20;  // rows that need a person, on the terminal

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

std::size_t print_open_rows(const std::vector<Lab>& labs, course::Store& store) {
  const std::vector<std::string> open = open_rows(labs, store);
  std::size_t number = 0;
  for (const std::string& row : open) {
    if (++number > kMostShown) {
      fmt::print("... and {} more\n", open.size() - kMostShown);
      break;
    }
    fmt::print("{}\n", row);
  }
  return open.size();
}

Fd hold_class(const fs::path& out, unsigned seconds) {
  const bool fresh = !fs::exists(out);
  make_folder("--out", out);
  if (fresh) fs::permissions(out, fs::perms::owner_all);  // submissions and grades are personal data
  Fd lock(open((out / "class.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) throw std::system_error(errno, std::generic_category(), (out / "class.lock").string());
  // Gradings of a run that was killed a moment ago may still be on their way out, and hold it as long.
  for (unsigned i = 0; flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (i >= 10 * seconds) throw UsageError(fmt::format("{}: this class is being graded already", out.string()));
    poll(nullptr, 0, 100);
  }
  return lock;
}

course::Settings settings_of(const ClassGradeCommand& command) {
  return {.seed = command.seed ? std::to_string(*command.seed) : "",
          .device = std::string(name_of(command.device)),
          .frontend = std::string(name_of(command.frontend)),
          .sandbox = command.sandbox ? std::string(1, *command.sandbox) : ""};
}

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
                                      .catch_arguments = {},
                                      .patches_at_a_time = command.tries_patches ? 1U : 0U});
  sandbox::write_all(output, sandbox::bytes_of(render_json(result.report)));
  fs::remove_all(folder);
  return 0;
}

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
      throw UsageError(fmt::format("--regrade {}: this is neither a lab nor a student of the class{}", word,
                                   course::near_id(word, course::ids_of(students))));
    regrade.students.insert(word);
  }
  return regrade;
}

void take_in(const ClassGradeCommand& command, const std::vector<Lab>& labs, course::Store& store) {
  course::Roster roster;
  try {
    if (command.roster) {
      roster = course::read_roster(given_text(*command.roster), command.roster->string());
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

void print_doubts(const course::ClassData& data) {
  for (const std::string& doubt : data.doubts) fmt::print(stderr, "note: {}\n", printable_line(doubt));
}

void print_taken_in(const ClassGradeCommand& command, const std::vector<Lab>& labs, course::Store& store) {
  const course::ClassData data = class_data(command.out, store);
  const bool on_roster = !store.roster().empty();
  for (const Lab& lab : labs) fmt::print("{}\n", shown_hand_ins(data, lab.id, on_roster, command.out));
  print_doubts(data);
}

void print_plan(const course::Plan& plan, const ClassGradeCommand& command) {
  fmt::print("{} to grade, {} graded before\n", plan.missing.size(), plan.known);
  if (plan.of_another_grader > 0)
    fmt::print(
        "note: {} of those were graded by another grader or with other data of the lab; --regrade {} grades them "
        "again\n",
        plan.of_another_grader, command.lab);
  std::fflush(stdout);
}

std::string given_text(const fs::path& file) {
  try {
    return readable_text_of(file);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

}  // namespace cudalabs
