// What is kept of a class.
#include "course/store.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "catch.h"
#include "class_fixture.h"
#include "course/store_schema.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

std::string checked(Store&, const std::filesystem::path& folder) {
  Database database(folder / "class.db", false);
  Statement check = database.prepare("PRAGMA integrity_check");
  return check.step() ? check.text(0) : "nothing";
}

Collected of(std::vector<Attempt> attempts, std::vector<NotTaken> not_taken = {}) {
  return {std::move(attempts), std::move(not_taken), {}};
}

}  // namespace

TEST_CASE("what goes in comes out, also after opening again") {
  const sandbox::TemporaryFolder folder;
  {
    Store store(folder.path(), Store::Open::make);
    store.put_roster(read_roster("id,name,canvas id\ns1,Ada,501\ns2,Grace,\n", "r"));
    Attempt attempt = made_up_attempt("lab3", "s1", std::string("te\0xt", 5));
    attempt.handed_in = 1795215540;
    attempt.time_source = TimeSource::system;
    attempt.marked_late = true;
    attempt.note = "taken for matmul.cu: m.cu";
    store.put_collected("/in", {"lab3"}, of({attempt}, {{"lab3", "", "x", "nobody's"}}));
    store.add(made_up_grading("lab3", std::string("te\0xt", 5), true));
    store.add(Adjustment{.student = "s1", .lab = "lab3", .points = -2.5, .reason = "r", .by = "b", .made = 7});
  }
  Store store(folder.path(), Store::Open::existing);
  REQUIRE(store.students().size() == 2);
  CHECK(store.students()[0].other_ids == std::vector<OtherId>{{"501", System::canvas}});
  REQUIRE(store.attempts().size() == 1);
  const Attempt attempt = store.attempts()[0].attempt;
  CHECK(attempt.handed_in == 1795215540);
  CHECK(attempt.time_source == TimeSource::system);
  CHECK(attempt.marked_late);
  CHECK(attempt.note == "taken for matmul.cu: m.cu");
  CHECK(store.submission(attempt.digest) == std::string("te\0xt", 5));
  CHECK(store.not_taken().at(0).reason == "nobody's");
  const auto gradings = store.latest_gradings();
  REQUIRE(gradings.size() == 1);
  const Grading& grading = gradings.begin()->second;
  CHECK(grading.points == 100);
  CHECK(grading.audit.hidden == "h");
  CHECK(grading.audit.used == made_up_grading("lab3", "", true).audit.used);
  CHECK(store.report(grading.id) == made_up_report("lab3", true));
  CHECK(store.adjustments().at(0).points == -2.5);
  CHECK(store.labs() == std::vector<std::string>{"lab3"});
}

TEST_CASE("taking in the same place again replaces what came from there, another adds to it") {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\ns2\n", "r"));
  small.store.put_collected("/in", {"lab3"}, of({made_up_attempt("lab3", "s1", "a")}, {{"lab3", "", "x", "y"}}));
  small.store.put_collected("/in", {"lab3"}, of({made_up_attempt("lab3", "s2", "a")}));
  REQUIRE(small.store.attempts().size() == 1);
  CHECK(small.store.attempts()[0].attempt.student == "s2");
  CHECK(small.store.not_taken().empty());
  small.store.put_collected("/later", {"lab3"}, of({made_up_attempt("lab3", "s2", "b")}));
  small.store.put_collected("/in", {"lab1"}, of({made_up_attempt("lab1", "s1", "c")}));
  CHECK(small.store.attempts().size() == 3);
}

TEST_CASE("a later failure does not hide a verdict") {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\n", "r"));
  small.store.put_collected("/in", {"lab3"}, of({made_up_attempt("lab3", "s1", "a")}));
  Grading failed = made_up_grading("lab3", "a", true);
  failed.failure = "crashed";
  small.store.add(failed);
  CHECK(small.store.latest_gradings().begin()->second.failure == "crashed");
  small.store.add(made_up_grading("lab3", "a", false));
  small.store.add(failed);
  CHECK(small.store.latest_gradings().begin()->second.failure.empty());
  CHECK(small.store.latest_gradings().begin()->second.points == 60);
}

TEST_CASE("what a run left is still known after the next") {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\n", "r"));
  small.store.put_collected("/in", {"lab3"}, of({made_up_attempt("lab3", "s1", "a")}));
  for (const bool all : {false, true}) {
    Grading grading = made_up_grading("lab3", "a", all);
    grading.run = small.store.begin_run(all ? "lab3 --regrade s1" : "lab3", all ? 90 : 80);
    small.store.add(grading);
    grading.failure = "crashed";
    if (all) small.store.add(grading);
  }
  small.store.begin_run("lab3", 100);  // was killed at once
  const auto points = [&](std::int64_t run) { return small.store.latest_gradings(run).begin()->second.points; };
  CHECK(small.store.latest_gradings(0).empty());
  CHECK(points(1) == 60);
  CHECK(points(2) == 100);
  CHECK(points(3) == 100);
  const std::vector<Run> runs = small.store.runs();
  REQUIRE(runs.size() == 2);
  CHECK(runs[1].id == 2);
  CHECK(runs[1].asked == "lab3 --regrade s1");
  CHECK(runs[1].started == 90);
  CHECK(runs[1].graded == 1);
  CHECK(runs[1].failed == 1);
}

TEST_CASE("a folder without a class, and a database that is none, are refused") {
  const sandbox::TemporaryFolder folder;
  CHECK_THROWS_WITH(Store(folder.path(), Store::Open::existing), contains_text("no class was graded here"));
  folder.write("class.db", std::string(5000, 'x'));
  CHECK_THROWS_AS(Store(folder.path(), Store::Open::make), DatabaseError);
  const sandbox::TemporaryFolder other;
  Database(other.path() / "class.db", true).execute("PRAGMA user_version = 99");
  CHECK_THROWS_WITH(Store(other.path(), Store::Open::existing), contains_text("another version"));
}

TEST_CASE("a database of an older grader is taken on: what was used stands in its reports") {
  const sandbox::TemporaryFolder folder;
  {
    Database old(folder.path() / "class.db", true);
    old.execute(kSchemaSteps[0]);
    old.execute("PRAGMA user_version = 1; INSERT INTO submission VALUES('d', 'text'), ('e', 'other')");
    const std::map<std::string, std::string> reports{{"d", R"({"seed": 7, "device": "virtual"})"}, {"e", ""}};
    for (const auto& [digest, report] : reports)
      old.prepare(
             "INSERT INTO grading(lab, digest, seed, device, frontend, sandbox, report, failure, points, max, "
             "cpu_seconds, wall_seconds, ended, version, commit_id, grader, lab_data, hidden, host) "
             "VALUES('lab3', ?, '', 'auto', 'auto', '', ?, '', 60, 100, 1, 1, 9, 'v', 'c', 'g', 'l', 'h', 'here')")
          .bind(digest)
          .bind(report)
          .run();
  }
  Store store(folder.path(), Store::Open::existing);
  const auto gradings = store.latest_gradings();
  REQUIRE(gradings.size() == 2);
  CHECK(gradings.at({"lab3", "d"}).audit.used == Used{.seed = "7", .device = "virtual"});
  CHECK(gradings.at({"lab3", "e"}).audit.used == Used{});
  CHECK(gradings.at({"lab3", "e"}).points == 60);
  REQUIRE(store.runs().size() == 1);
  CHECK(store.runs()[0].started == 9);
  CHECK(store.runs()[0].graded == 2);
  CHECK(store.begin_run("lab3", 10) == 2);
}

TEST_CASE("a database of an older grader says of no id of the roster whose it is, and of numbers in names it does") {
  const sandbox::TemporaryFolder folder;
  {
    Database old(folder.path() / "class.db", true);
    for (std::size_t i = 0; i < 3; ++i) old.execute(kSchemaSteps[i]);
    old.execute(
        "PRAGMA user_version = 3; INSERT INTO submission VALUES('d', 'text');"
        "INSERT INTO student VALUES('s1', 'Ada', '', '', 1), ('11', 'Grace', '', '', 0), ('12', 'Alan', '', '', 0),"
        "  ('13', '', '', '', 0);"
        "INSERT INTO student_id VALUES('s1', '501');");
    for (const auto& [student, found] : std::map<std::string, std::string>{
             {"11", "Grace_11_assignsubmission_file_/a.cu"}, {"12", "alan_12_9001_a.cu"}, {"13", "13/a.cu"}})
      old.prepare(
             "INSERT INTO attempt(source, lab, student, found, note, digest, marked_late, time_source) "
             "VALUES('/in', 'lab3', ?, ?, '', 'd', 0, 0)")
          .bind(student)
          .bind(found)
          .run();
  }
  Store store(folder.path(), Store::Open::existing);
  const std::vector<Student> students = store.students();
  REQUIRE(students.size() == 4);
  CHECK(students[0].other_ids == std::vector<OtherId>{{"11", System::moodle}});
  CHECK(students[1].other_ids == std::vector<OtherId>{{"12", System::canvas}});
  CHECK(students[2].other_ids.empty());
  CHECK(students[3].other_ids == std::vector<OtherId>{{"501", System::other}});
}

TEST_CASE("a database that may not grow says so and stays whole") {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\n", "r"));
  small.store.put_collected("/in", {"lab3"}, of({made_up_attempt("lab3", "s1", "a")}));
  Database full(small.folder.path() / "class.db", false);
  full.execute("PRAGMA max_page_count = 20");
  int kept = 0;
  const auto fill = [&] {
    for (int i = 0; i < 1000; ++i, ++kept) {
      Transaction transaction(full);
      full.prepare("INSERT INTO not_taken(source, lab, student, found, reason) VALUES('', '', '', '', ?)")
          .bind(std::string(2000, 'x'))
          .run();
      transaction.commit();
    }
  };
  CHECK_THROWS_WITH(fill(), contains_text("the disk is full; what was graded before is kept"));
  CHECK(checked(small.store, small.folder.path()) == "ok");
  CHECK(small.store.not_taken().size() == static_cast<std::size_t>(kept));
}
