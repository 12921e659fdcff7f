// What is kept of a class: plain data, as it stands in the database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace cudalabs::course {

/// What a grading was done with, whatever was asked for, in the words of its report; empty where there is no report.
struct Used {
  std::string seed = {}, device = {}, frontend = {}, sandbox = {};

  bool operator==(const Used&) const = default;
};

/// Who and what came to a verdict: enough to come to it again, and to know why another came out differently.
struct Audit {
  std::string version = {}, commit = {};  // of the grader
  std::string grader = {};                // SHA-256 of its programs
  std::string lab_data = {};              // SHA-256 of what of the lab decides: lab.toml, header and runner
  std::string hidden = {};                // SHA-256 of the hidden cases; empty where there are none
  std::string host = {};
  Used used = {};
};

/// What a grading was asked for beyond its submission; "" stands for the lab's own seed.
struct Settings {
  std::string seed = {}, device = "auto", frontend = "auto", sandbox = {};

  bool operator==(const Settings&) const = default;
};

/// One command that graded: what it was asked to grade.
struct Run {
  std::int64_t id = 0;       // counted from 1
  std::int64_t started = 0;  // seconds since 1970
  std::string asked = {};    // "lab3", "lab3, again: s1001"
  std::size_t graded = 0, failed = 0;
};

struct Grading {
  std::int64_t id = 0;
  std::string lab, digest;  // of the submission
  Settings settings;
  std::string report;   // JSON; empty when there is none
  std::string failure;  // why there is no verdict; empty when there is one
  double points = 0, max = 0;
  double cpu_seconds = 0, wall_seconds = 0;
  std::int64_t ended = 0;  // seconds since 1970
  Audit audit;
  std::int64_t run = 0;  // it is of
};

/// Points that a person gives or takes, beside what the grader gave.
struct Adjustment {
  std::int64_t id = 0;
  std::string student, lab;
  double points = 0;  // added
  std::string reason;
  std::string by;
  std::int64_t made = 0;  // seconds since 1970
};

}  // namespace cudalabs::course
