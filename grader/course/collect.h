// From what a learning management system hands out to attempts of students.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/roster.h"
#include "course/source_tree.h"
#include "lab/lab.h"

namespace cudalabs::course {

/// Numbers are kept: new ones come last.
enum class TimeSource : std::uint8_t { none, system, file, commit };

/// One file of one student for one lab.
struct Attempt {
  std::string lab;      // its id
  std::string student;  // their id
  std::string found;    // where the file lay
  std::string note;     // in what it is not as asked for; empty when it is
  std::string digest;   // SHA-256 of its bytes, in hexadecimal
  std::string bytes;
  bool marked_late = false;
  std::optional<std::int64_t> handed_in;
  TimeSource time_source = TimeSource::none;
};

/// What was found and is no attempt, and why.
struct NotTaken {
  std::string lab;      // empty: of all
  std::string student;  // empty: nobody knows whose it is
  std::string found;
  std::string reason;
};

struct Collected {
  std::vector<Attempt> attempts;
  std::vector<NotTaken> not_taken;
  std::vector<Student> students;  // who is on no roster, where there is none
};

/// Reads what students have handed in for `labs`; for several, from a folder a lab, or from students' folders in which
/// the files' names say for which. Throws TreeError when `path` cannot be read.
Collected collect(const std::filesystem::path& path, const std::vector<Lab>& labs, const Roster& roster,
                  const TreeLimits& limits = {});

}  // namespace cudalabs::course
