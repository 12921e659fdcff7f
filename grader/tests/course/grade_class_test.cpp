// A class is graded in the end, whatever happens on the way.
#include "course/grade_class.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

#include "catch.h"
#include "class_fixture.h"
#include "sandbox/fd.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;
using namespace std::chrono_literals;

namespace {

const std::map<std::string, Audit> kAudits{{"lab1", {}}, {"lab3", {}}};

/// Gives 100 points for a text that begins with "right"; other first words say what else happens.
int made_up_work(const Task& task, const std::string& text, int output) {
  if (text.starts_with("crash")) {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer has a handler of its own
    raise(SIGSEGV);
  }
  if (text.starts_with("exit")) _exit(7);
  if (text.starts_with("silent")) return 0;
  if (text.starts_with("endless")) pause();
  std::this_thread::sleep_for(2ms);
  auto report = nlohmann::json::parse(made_up_report(task.lab, text.starts_with("right")));
  report.update({{"seed", 7}, {"device", "virtual (T4)"}, {"frontend", "clang 14"}, {"sandbox", "A (bubblewrap)"}});
  sandbox::write_all(output, sandbox::bytes_of(report.dump()));
  return 0;
}

Tally grade_rest(Store& store, const std::vector<Lab>& labs, unsigned jobs = 2, const Regrade& regrade = {}) {
  const Plan missing = plan(store, labs, {}, regrade, kAudits);
  return grade_class(store, store.begin_run("lab3", 7), missing.missing, {}, kAudits,
                     {.work = made_up_work, .progress = [](const Tally&) {}, .places = jobs, .longest = 3s});
}

void hand_in(Store& store, const std::vector<std::string>& texts) {
  std::string roster = "id\n";
  Collected collected;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string student = "s" + std::to_string(100 + i);
    roster += student + "\n";
    collected.attempts.push_back(made_up_attempt("lab3", student, texts[i]));
  }
  store.put_roster(read_roster(roster, "r"));
  store.put_collected("/in", {"lab3"}, collected);
}

std::int64_t count(const std::filesystem::path& folder, const std::string& what) {
  Database database(folder / "class.db", false);
  Statement statement = database.prepare("SELECT count(*) FROM " + what);
  return statement.step() ? statement.integer(0) : -1;
}

}  // namespace

TEST_CASE("equal submissions are graded once, and a second run grades nothing") {
  SmallClass small;
  hand_in(small.store, {"right a", "right a", "wrong b", "right c"});
  const Tally tally = grade_rest(small.store, small.labs);
  CHECK(tally.done == 3);
  CHECK(tally.failed == 0);
  CHECK(plan(small.store, small.labs, {}, {}, kAudits).known == 3);
  CHECK(grade_rest(small.store, small.labs).done == 0);
  const auto standings = small.data().standings;
  REQUIRE(standings.size() == 4);
  CHECK(standings[0].grading->settings.device == "auto");
  CHECK(standings[0].grading->audit.used ==
        Used{.seed = "7", .device = "virtual (T4)", .frontend = "clang 14", .sandbox = "A (bubblewrap)"});
  CHECK(standings[0].points == 100);
  CHECK(standings[1].points == 100);
  CHECK(standings[2].points == 60);
}

TEST_CASE("what goes wrong with one is lost with it alone, and tried again") {
  SmallClass small;
  hand_in(small.store, {"right a", "crash", "exit", "silent", "endless", "wrong"});
  const Tally tally = grade_rest(small.store, small.labs, 6);
  CHECK(tally.done == 6);
  CHECK(tally.failed == 4);
  std::vector<std::string> failures;
  for (const Standing& standing : small.data().standings) {
    if (standing.state == State::failed) failures.push_back(standing.note);
  }
  REQUIRE(failures.size() == 4);
  CHECK(failures[0] == "the grading was ended by signal 11 (Segmentation fault)");
  CHECK(failures[1] == "the grading ended with status 7");
  CHECK(failures[2] == "the grading left no report");
  CHECK(failures[3].starts_with("the grading did not end within 3 s"));
  CHECK(plan(small.store, small.labs, {}, {}, kAudits).missing.size() == 4);
}

TEST_CASE("grading again on request: a lab, a student, everything, other options") {
  SmallClass small;
  hand_in(small.store, {"right a", "right b", "right b"});
  grade_rest(small.store, small.labs);
  const auto missing = [&](const Regrade& regrade, const Settings& settings = {}) {
    return plan(small.store, small.labs, settings, regrade, kAudits).missing.size();
  };
  CHECK(missing({}) == 0);
  CHECK(missing({.everything = true, .labs = {}, .students = {}}) == 2);
  CHECK(missing({.everything = false, .labs = {"lab3"}, .students = {}}) == 2);
  CHECK(missing({.everything = false, .labs = {"lab1"}, .students = {}}) == 0);
  CHECK(missing({.everything = false, .labs = {}, .students = {"s102"}}) == 1);
  CHECK(missing({}, {.seed = "7", .sandbox = {}}) == 2);
  grade_rest(small.store, small.labs);  // which grades nothing, and is none of the runs
  grade_rest(small.store, small.labs, 2, {.everything = false, .labs = {}, .students = {"s102"}});
  const std::vector<Run> runs = small.store.runs();
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].graded == 2);
  CHECK(runs[1].graded == 1);
  CHECK(runs[1].id == 3);
  const std::map<std::string, Audit> other{{"lab1", {}}, {"lab3", {.grader = "another"}}};
  CHECK(plan(small.store, small.labs, {}, {}, other).of_another_grader == 2);
}

TEST_CASE("gradings that take more places have fewer beside them") {
  SmallClass small;
  const std::filesystem::path marks = small.folder.path() / "running";
  std::filesystem::create_directory(marks);
  const auto running = [&] {
    return std::distance(std::filesystem::directory_iterator(marks), std::filesystem::directory_iterator());
  };
  // One of lab 3 must be alone; one of lab 1 ends once it has seen another, which needs two at a time.
  const auto work = [&](const Task& task, const std::string& text, int output) {
    std::ofstream(marks / text) << "";
    bool as_expected = task.lab == "lab1" || running() == 1;
    while (task.lab == "lab1" && !std::filesystem::exists(small.folder.path() / "met")) {
      if (running() == 2) std::ofstream(small.folder.path() / "met") << "";
    }
    std::filesystem::remove(marks / text);
    sandbox::write_all(output, sandbox::bytes_of(made_up_report(task.lab, as_expected)));
    return 0;
  };
  const std::vector<Task> tasks{{"lab3", "a"}, {"lab1", "b"}, {"lab1", "c"}, {"lab3", "d"}, {"lab3", "e"}};
  std::vector<bool> kept(tasks.size(), false);
  grade_tasks(
      tasks, {}, kAudits,
      {.work = work,
       .progress = [](const Tally&) {},
       .places = 2,
       .places_of = [](const Task& task) { return task.lab == "lab3" ? 2u : 1u; }},
      [](const Task& task) { return task.digest; },
      [&](std::size_t number, const Grading& grading) {
        kept[number] = grading.failure.empty() && grading.points == grading.max;
      });
  CHECK(std::ranges::count(kept, true) == 5);
}

TEST_CASE("kill -9 at any moment: nothing is lost, nothing is graded twice") {
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  SmallClass small;
  std::vector<std::string> texts;
  for (int i = 0; i < 60; ++i) texts.push_back((i % 3 == 0 ? "wrong " : "right ") + std::to_string(i));
  hand_in(small.store, texts);
  std::mt19937 random(17);
  int kills = 0;
  std::int64_t before = 0;
  for (int round = 0; round < 200 && before < 60; ++round) {
    const pid_t grader = fork();
    REQUIRE(grader >= 0);
    if (grader == 0) {
      Store store(small.folder.path(), Store::Open::existing);
      grade_rest(store, small.labs);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
    kills += kill(grader, SIGKILL) == 0 ? 1 : 0;
    while (waitpid(-1, nullptr, 0) > 0) continue;  // its workers as well, which die with it
    const std::int64_t now = count(small.folder.path(), "grading");
    CHECK(now >= before);
    before = now;
  }
  grade_rest(small.store, small.labs);
  CHECK(kills > 0);
  CHECK(count(small.folder.path(), "grading") == 60);
  CHECK(count(small.folder.path(), "(SELECT DISTINCT digest FROM grading WHERE failure = '')") == 60);
  for (const Standing& standing : small.data().standings) {
    REQUIRE(standing.state == State::graded);
    CHECK(standing.points == ((std::stoi(standing.student.substr(1)) - 100) % 3 == 0 ? 60 : 100));
  }
  Database database(small.folder.path() / "class.db", false);
  Statement check = database.prepare("PRAGMA integrity_check");
  REQUIRE(check.step());
  CHECK(check.text(0) == "ok");
}
