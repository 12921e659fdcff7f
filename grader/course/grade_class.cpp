// Grades what is missing.
#include "course/grade_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "course/workers.h"
#include "report/printable.h"

namespace cudalabs::course {
namespace {

constexpr std::chrono::milliseconds kGlance{500};  // between two looks at progress

/// What a report says that its grading is known by; false when it is none, or the grader failed in it.
bool take_report(const std::string& text, Grading& grading) {
  const auto report = nlohmann::json::parse(text, nullptr, false);
  if (report.is_discarded() || !report.contains("score")) {
    grading.failure = "the grading left no report";
    return false;
  }
  grading.audit.used = {.seed = report.contains("seed") ? report["seed"].dump() : "",
                        .device = report.value("device", ""),
                        .frontend = report.value("frontend", ""),
                        .sandbox = report.value("sandbox", "")};
  grading.points = report["score"].value("points", 0.0);
  grading.max = report["score"].value("max", 0.0);
  for (const auto& check : report["checks"]) {
    if (check.value("status", "") != "error") continue;
    grading.failure = "the grader failed: " + check.value("message", "");
    return false;
  }
  return true;
}

std::string failure_of(const Ended& ended) {
  std::string said = printable(ended.errors);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (!said.empty()) said = ": " + said;
  if (ended.overdue) return fmt::format("the grading did not end within {:.0f} s{}", ended.wall_seconds, said);
  if (!ended.exited)
    return fmt::format("the grading was ended by signal {} ({}){}", ended.status, strsignal(ended.status), said);
  return fmt::format("the grading ended with status {}{}", ended.status, said);
}

Grading grading_of(const Task& task, const Ended& ended, const Settings& settings, const Audit& audit) {
  Grading grading{.id = 0,
                  .lab = task.lab,
                  .digest = task.digest,
                  .settings = settings,
                  .report = {},
                  .failure = {},
                  .points = 0,
                  .max = 0,
                  .cpu_seconds = ended.cpu_seconds,
                  .wall_seconds = ended.wall_seconds,
                  .ended = std::time(nullptr),
                  .audit = audit};
  if (!ended.exited || ended.status != 0) {
    grading.failure = failure_of(ended);
  } else if (take_report(ended.output, grading)) {
    grading.report = ended.output;
  }
  return grading;
}

bool same_grader(const Audit& one, const Audit& other) {
  return one.grader == other.grader && one.lab_data == other.lab_data && one.hidden == other.hidden;
}

}  // namespace

Plan plan(Store& store, const std::vector<Lab>& labs, const Settings& settings, const Regrade& regrade,
          const std::map<std::string, Audit>& audits) {
  const auto gradings = store.latest_gradings();
  Plan result;
  std::map<std::pair<std::string, std::string>, bool> forced;  // by lab and digest
  std::vector<Task> tasks;
  for (const KeptAttempt& kept : store.attempts()) {
    const Attempt& attempt = kept.attempt;
    if (std::ranges::find(labs, attempt.lab, &Lab::id) == labs.end()) continue;
    const auto [known, fresh] = forced.try_emplace({attempt.lab, attempt.digest}, false);
    known->second |=
        regrade.everything || regrade.labs.contains(attempt.lab) || regrade.students.contains(attempt.student);
    if (fresh) tasks.push_back({attempt.lab, attempt.digest});
  }
  for (Task& task : tasks) {
    const auto found = gradings.find({task.lab, task.digest});
    const bool done = found != gradings.end() && found->second.failure.empty() && found->second.settings == settings;
    if (!done || forced.at({task.lab, task.digest})) {
      result.missing.push_back(std::move(task));
      continue;
    }
    ++result.known;
    if (!same_grader(found->second.audit, audits.at(task.lab))) ++result.of_another_grader;
  }
  return result;
}

Tally grade_tasks(const std::vector<Task>& tasks, const Settings& settings, const std::map<std::string, Audit>& audits,
                  const GradeClass& how, const std::function<std::string(const Task&)>& text_of,
                  const std::function<void(std::size_t, const Grading&)>& keep) {
  const auto start = std::chrono::steady_clock::now();
  Tally tally{.done = 0, .all = tasks.size(), .failed = 0, .elapsed = {}};
  Workers workers(how.longest);
  const auto places_of = [&](const Task& task) { return how.places_of ? how.places_of(task) : 1u; };
  unsigned taken = 0;
  for (std::size_t next = 0; next < tasks.size() || workers.running() > 0;) {
    while (next < tasks.size() && (workers.running() == 0 || taken + places_of(tasks[next]) <= how.places)) {
      const Task& task = tasks[next];
      taken += places_of(task);
      const std::string text = text_of(task);
      workers.start(next++, [&](int output) { return how.work(task, text, output); });
    }
    const std::optional<Ended> ended = workers.wait(kGlance);
    if (ended) {
      const Grading grading = grading_of(tasks[ended->number], *ended, settings, audits.at(tasks[ended->number].lab));
      keep(ended->number, grading);
      taken -= places_of(tasks[ended->number]);
      ++tally.done;
      if (!grading.failure.empty()) ++tally.failed;
    }
    tally.elapsed = std::chrono::steady_clock::now() - start;
    how.progress(tally);
  }
  return tally;
}

Tally grade_class(Store& store, std::int64_t run, const std::vector<Task>& tasks, const Settings& settings,
                  const std::map<std::string, Audit>& audits, const GradeClass& how) {
  return grade_tasks(
      tasks, settings, audits, how, [&](const Task& task) { return store.submission(task.digest); },
      [&](std::size_t, Grading grading) {
        grading.run = run;
        store.add(grading);
      });
}

}  // namespace cudalabs::course
