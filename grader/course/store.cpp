// All that is known of a class, in one database.
#include "course/store.h"

#include <fmt/format.h>

#include <ctime>
#include <limits>

#include "course/store_schema.h"

namespace cudalabs::course {
namespace {

std::filesystem::path database_file(const std::filesystem::path& folder, Store::Open how) {
  std::filesystem::path file = folder / "class.db";
  if (how == Store::Open::existing && !std::filesystem::exists(file))
    throw DatabaseError(fmt::format("{}: no class was graded here; grade class LAB SUBMISSIONS --out {} does that",
                                    folder.string(), folder.string()));
  return file;
}

void put_student(Database& database, const Student& student, bool on_roster) {
  database
      .prepare(
          "INSERT INTO student(id, name, email, section, on_roster) VALUES(?, ?, ?, ?, ?) ON CONFLICT(id) DO "
          "UPDATE SET name = excluded.name, email = excluded.email, section = excluded.section, "
          "on_roster = excluded.on_roster")
      .bind(student.id)
      .bind(student.name)
      .bind(student.email)
      .bind(student.section)
      .bind(std::int64_t{on_roster})
      .run();
  database.prepare("DELETE FROM student_id WHERE student = ?").bind(student.id).run();
  for (const OtherId& other : student.other_ids)
    database.prepare("INSERT INTO student_id(student, id, system) VALUES(?, ?, ?)")
        .bind(student.id)
        .bind(other.id)
        .bind(std::string(name_of(other.system)))
        .run();
}

}  // namespace

Store::Store(const std::filesystem::path& folder, Open how) : database_(database_file(folder, how), how == Open::make) {
  Transaction transaction(database_);
  Statement version = database_.prepare("PRAGMA user_version");
  version.step();
  const std::int64_t known = version.integer(0);
  version.run();
  const auto newest = static_cast<std::int64_t>(kSchemaSteps.size());
  if (known < 0 || known > newest)
    throw DatabaseError(fmt::format("{}: this class was graded by another version of the grader (database {}, not {})",
                                    (folder / "class.db").string(), known, newest));
  for (std::int64_t step = known; step < newest; ++step)
    database_.execute(kSchemaSteps[static_cast<std::size_t>(step)]);
  if (known < newest) database_.execute(fmt::format("PRAGMA user_version = {};", newest));
  transaction.commit();
}

void Store::put_roster(const Roster& roster) {
  Transaction transaction(database_);
  database_.execute(
      "DELETE FROM student_id;"
      "UPDATE student SET on_roster = 0;");
  for (const Student& student : roster.students()) put_student(database_, student, true);
  transaction.commit();
}

std::vector<Student> Store::students_where(const char* condition) {
  std::map<std::string, std::vector<OtherId>> ids;
  Statement others = database_.prepare("SELECT student, id, system FROM student_id ORDER BY rowid");
  while (others.step()) ids[others.text(0)].push_back({others.text(1), system_named(others.text(2))});
  std::vector<Student> all;
  Statement rows =
      database_.prepare(fmt::format("SELECT id, name, email, section FROM student WHERE {} ORDER BY id", condition));
  while (rows.step()) {
    const std::string id = rows.text(0);
    all.push_back({id, rows.text(1), rows.text(2), rows.text(3), ids[id]});
  }
  return all;
}

std::vector<Student> Store::students() {
  return students_where("on_roster = 1 OR id IN (SELECT student FROM attempt UNION SELECT student FROM not_taken)");
}

std::vector<Student> Store::roster() {
  return students_where("on_roster = 1");
}

void Store::put_collected(const std::string& source, const std::vector<std::string>& labs, const Collected& collected) {
  Transaction transaction(database_);
  database_.prepare("DELETE FROM not_taken WHERE source = ? AND lab = ''").bind(source).run();
  for (const std::string& lab : labs) {
    database_.prepare("INSERT OR IGNORE INTO lab(id) VALUES(?)").bind(lab).run();
    for (const char* table : {"attempt", "not_taken"}) {
      database_.prepare(fmt::format("DELETE FROM {} WHERE source = ? AND lab = ?", table)).bind(source).bind(lab).run();
    }
  }
  for (const Student& student : collected.students) put_student(database_, student, false);
  for (const Attempt& attempt : collected.attempts) {
    database_.prepare("INSERT OR IGNORE INTO submission(digest, bytes) VALUES(?, ?)")
        .bind(attempt.digest)
        .bind_bytes(attempt.bytes)
        .run();
    database_
        .prepare(
            "INSERT INTO attempt(source, lab, student, found, note, digest, marked_late, handed_in, time_source) "
            "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(source)
        .bind(attempt.lab)
        .bind(attempt.student)
        .bind(attempt.found)
        .bind(attempt.note)
        .bind(attempt.digest)
        .bind(std::int64_t{attempt.marked_late})
        .bind(attempt.handed_in)
        .bind(static_cast<std::int64_t>(attempt.time_source))
        .run();
  }
  for (const NotTaken& each : collected.not_taken) {
    database_.prepare("INSERT INTO not_taken(source, lab, student, found, reason) VALUES(?, ?, ?, ?, ?)")
        .bind(source)
        .bind(each.lab)
        .bind(each.student)
        .bind(each.found)
        .bind(each.reason)
        .run();
  }
  transaction.commit();
}

std::vector<KeptAttempt> Store::attempts() {
  std::vector<KeptAttempt> all;
  Statement rows = database_.prepare(
      "SELECT id, lab, student, found, note, digest, marked_late, handed_in, time_source FROM attempt ORDER BY id");
  while (rows.step()) {
    all.push_back({rows.integer(0),
                   {.lab = rows.text(1),
                    .student = rows.text(2),
                    .found = rows.text(3),
                    .note = rows.text(4),
                    .digest = rows.text(5),
                    .bytes = {},
                    .marked_late = rows.integer(6) != 0,
                    .handed_in = rows.is_null(7) ? std::nullopt : std::optional(rows.integer(7)),
                    .time_source = static_cast<TimeSource>(rows.integer(8))}});
  }
  return all;
}

std::vector<NotTaken> Store::not_taken() {
  std::vector<NotTaken> all;
  Statement rows = database_.prepare("SELECT lab, student, found, reason FROM not_taken ORDER BY id");
  while (rows.step()) all.push_back({rows.text(0), rows.text(1), rows.text(2), rows.text(3)});
  return all;
}

std::string Store::submission(const std::string& digest) {
  Statement row = database_.prepare("SELECT bytes FROM submission WHERE digest = ?");
  return row.bind(digest).step() ? row.text(0) : std::string();
}

std::int64_t Store::begin_run(const std::string& asked, std::int64_t started) {
  Transaction transaction(database_);
  database_.prepare("INSERT INTO run(started, asked) VALUES(?, ?)").bind(started).bind(asked).run();
  Statement number = database_.prepare("SELECT max(id) FROM run");
  number.step();
  const std::int64_t run = number.integer(0);
  number.run();
  transaction.commit();
  return run;
}

std::vector<Run> Store::runs() {
  std::vector<Run> all;
  Statement rows = database_.prepare(
      "SELECT run.id, run.started, run.asked, sum(failure = ''), sum(failure != '') FROM run "
      "JOIN grading ON grading.run = run.id GROUP BY run.id ORDER BY run.id");
  while (rows.step())
    all.push_back({rows.integer(0), rows.integer(1), rows.text(2), static_cast<std::size_t>(rows.integer(3)),
                   static_cast<std::size_t>(rows.integer(4))});
  return all;
}

void Store::add(const Grading& grading) {
  Transaction transaction(database_);
  database_
      .prepare(
          "INSERT INTO grading(lab, digest, seed, device, frontend, sandbox, report, failure, points, max, "
          "cpu_seconds, wall_seconds, ended, version, commit_id, grader, lab_data, hidden, host, used_seed, "
          "used_device, used_frontend, used_sandbox, run) "
          "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(grading.lab)
      .bind(grading.digest)
      .bind(grading.settings.seed)
      .bind(grading.settings.device)
      .bind(grading.settings.frontend)
      .bind(grading.settings.sandbox)
      .bind(grading.report)
      .bind(grading.failure)
      .bind(grading.points)
      .bind(grading.max)
      .bind(grading.cpu_seconds)
      .bind(grading.wall_seconds)
      .bind(grading.ended)
      .bind(grading.audit.version)
      .bind(grading.audit.commit)
      .bind(grading.audit.grader)
      .bind(grading.audit.lab_data)
      .bind(grading.audit.hidden)
      .bind(grading.audit.host)
      .bind(grading.audit.used.seed)
      .bind(grading.audit.used.device)
      .bind(grading.audit.used.frontend)
      .bind(grading.audit.used.sandbox)
      .bind(grading.run)
      .run();
  transaction.commit();
}

std::map<std::pair<std::string, std::string>, Grading> Store::latest_gradings(std::optional<std::int64_t> last_run) {
  std::map<std::pair<std::string, std::string>, Grading> latest;
  Statement rows = database_.prepare(
      "SELECT id, lab, digest, seed, device, frontend, sandbox, failure, points, max, cpu_seconds, wall_seconds, "
      "ended, version, commit_id, grader, lab_data, hidden, host, used_seed, used_device, used_frontend, used_sandbox, "
      "run "
      "FROM grading "
      "WHERE id IN (SELECT coalesce(max(CASE WHEN failure = '' THEN id END), max(id)) FROM grading "
      "WHERE run <= ? GROUP BY lab, digest)");
  rows.bind(last_run.value_or(std::numeric_limits<std::int64_t>::max()));
  while (rows.step()) {
    Grading grading{.id = rows.integer(0),
                    .lab = rows.text(1),
                    .digest = rows.text(2),
                    .settings = {rows.text(3), rows.text(4), rows.text(5), rows.text(6)},
                    .report = {},
                    .failure = rows.text(7),
                    .points = rows.real(8),
                    .max = rows.real(9),
                    .cpu_seconds = rows.real(10),
                    .wall_seconds = rows.real(11),
                    .ended = rows.integer(12),
                    .audit = {.version = rows.text(13),
                              .commit = rows.text(14),
                              .grader = rows.text(15),
                              .lab_data = rows.text(16),
                              .hidden = rows.text(17),
                              .host = rows.text(18),
                              .used = {rows.text(19), rows.text(20), rows.text(21), rows.text(22)}},
                    .run = rows.integer(23)};
    const std::pair key(grading.lab, grading.digest);
    latest.emplace(key, std::move(grading));
  }
  return latest;
}

std::string Store::report(std::int64_t grading) {
  Statement row = database_.prepare("SELECT report FROM grading WHERE id = ?");
  return row.bind(grading).step() ? row.text(0) : std::string();
}

void Store::add(const Adjustment& adjustment) {
  Transaction transaction(database_);
  database_.prepare("INSERT INTO adjustment(student, lab, points, reason, by, made) VALUES(?, ?, ?, ?, ?, ?)")
      .bind(adjustment.student)
      .bind(adjustment.lab)
      .bind(adjustment.points)
      .bind(adjustment.reason)
      .bind(adjustment.by)
      .bind(adjustment.made)
      .run();
  transaction.commit();
}

std::vector<Adjustment> Store::adjustments() {
  std::vector<Adjustment> all;
  Statement rows = database_.prepare("SELECT id, student, lab, points, reason, by, made FROM adjustment ORDER BY id");
  while (rows.step()) {
    all.push_back(
        {rows.integer(0), rows.text(1), rows.text(2), rows.real(3), rows.text(4), rows.text(5), rows.integer(6)});
  }
  return all;
}

std::vector<std::string> Store::labs() {
  std::vector<std::string> all;
  Statement rows = database_.prepare("SELECT id FROM lab ORDER BY id");
  while (rows.step()) all.push_back(rows.text(0));
  return all;
}

}  // namespace cudalabs::course
