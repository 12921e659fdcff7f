// The tables of a class's database, and how an older database gets them.
#pragma once

#include <array>

namespace cudalabs::course {

/// A fresh database is made by all of them in order, one of version N by those from N on. A step that was released
/// stays as it is: what changes is a further step.
inline constexpr std::array<const char*, 4> kSchemaSteps = {
    R"(
  CREATE TABLE student(id TEXT PRIMARY KEY, name TEXT, email TEXT, section TEXT, on_roster INTEGER NOT NULL);
  CREATE TABLE student_id(student TEXT NOT NULL REFERENCES student(id), id TEXT NOT NULL);
  CREATE TABLE submission(digest TEXT PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE attempt(id INTEGER PRIMARY KEY, source TEXT NOT NULL, lab TEXT NOT NULL,
    student TEXT NOT NULL REFERENCES student(id), found TEXT NOT NULL, note TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES submission(digest), marked_late INTEGER NOT NULL, handed_in INTEGER,
    time_source INTEGER NOT NULL);
  CREATE TABLE not_taken(id INTEGER PRIMARY KEY, source TEXT NOT NULL, lab TEXT NOT NULL, student TEXT NOT NULL,
    found TEXT NOT NULL, reason TEXT NOT NULL);
  CREATE TABLE lab(id TEXT PRIMARY KEY);
  CREATE TABLE grading(id INTEGER PRIMARY KEY, lab TEXT NOT NULL, digest TEXT NOT NULL REFERENCES submission(digest),
    seed TEXT NOT NULL, device TEXT NOT NULL, frontend TEXT NOT NULL, sandbox TEXT NOT NULL, report TEXT NOT NULL,
    failure TEXT NOT NULL, points REAL NOT NULL, max REAL NOT NULL, cpu_seconds REAL NOT NULL,
    wall_seconds REAL NOT NULL, ended INTEGER NOT NULL, version TEXT NOT NULL, commit_id TEXT NOT NULL,
    grader TEXT NOT NULL, lab_data TEXT NOT NULL, hidden TEXT NOT NULL, host TEXT NOT NULL);
  CREATE INDEX grading_of ON grading(lab, digest);
  CREATE TABLE adjustment(id INTEGER PRIMARY KEY, student TEXT NOT NULL, lab TEXT NOT NULL, points REAL NOT NULL,
    reason TEXT NOT NULL, by TEXT NOT NULL, made INTEGER NOT NULL);
)",
    // What was used, of gradings that have a report.
    R"(
  ALTER TABLE grading ADD COLUMN used_seed TEXT NOT NULL DEFAULT '';
  ALTER TABLE grading ADD COLUMN used_device TEXT NOT NULL DEFAULT '';
  ALTER TABLE grading ADD COLUMN used_frontend TEXT NOT NULL DEFAULT '';
  ALTER TABLE grading ADD COLUMN used_sandbox TEXT NOT NULL DEFAULT '';
  UPDATE grading SET used_seed = coalesce(json_extract(report, '$.seed'), ''),
    used_device = coalesce(json_extract(report, '$.device'), ''),
    used_frontend = coalesce(json_extract(report, '$.frontend'), ''),
    used_sandbox = coalesce(json_extract(report, '$.sandbox'), '')
    WHERE json_valid(report);
)",
    // Which command graded. Of gradings that are there nobody knows: they are one run.
    R"(
  CREATE TABLE run(id INTEGER PRIMARY KEY, started INTEGER NOT NULL, asked TEXT NOT NULL);
  ALTER TABLE grading ADD COLUMN run INTEGER NOT NULL DEFAULT 1;
  INSERT INTO run(id, started, asked) SELECT run, min(ended), '' FROM grading GROUP BY run;
)",
    // Whose ids are which. Of those that are there nobody knows until the roster is read again; where there is no
    // roster, numbers are those that Moodle or Canvas put into the names of files.
    R"(
  ALTER TABLE student_id ADD COLUMN system TEXT NOT NULL DEFAULT 'other';
  INSERT INTO student_id(student, id, system)
    SELECT DISTINCT student.id, student.id,
      CASE WHEN found LIKE '%\_assignsubmission\_%' ESCAPE '\' THEN 'moodle' ELSE 'canvas' END
    FROM student JOIN attempt ON attempt.student = student.id
    WHERE on_roster = 0 AND student.id NOT GLOB '*[^0-9]*' AND found LIKE '%\_' || student.id || '\_%' ESCAPE '\';
)"};

}  // namespace cudalabs::course
