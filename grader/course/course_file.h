// course.toml: what a lab is worth in the course, when it is due, and what being late costs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::course {

enum class Counted : std::uint8_t { last, best };

struct LateRule {
  double percent_per_day = 0;              // of the points, for every day that has begun
  std::int64_t grace_seconds = 0;          // after the deadline, that cost nothing
  std::optional<std::uint64_t> most_days;  // after these nothing counts any more
  /// Whether the times of files count where a system gives none: they are when a file was saved, as the
  /// clock of that machine had it.
  bool file_times = false;
};

struct CourseLab {
  std::string id;
  double weight = 1;
  std::optional<std::int64_t> deadline;  // seconds since 1970
  std::string canvas;                    // its column in Canvas's gradebook; empty: one that is named after the lab
};

struct ExtraTime {
  std::string student, lab;  // lab empty: for all
  std::int64_t seconds = 0;
  std::string reason;
  std::uint32_t line = 0;  // of the student in the file
};

struct Course {
  std::string title;
  Counted counted = Counted::last;
  LateRule late;
  std::vector<CourseLab> labs;  // those that were named; any other has weight 1 and no deadline
  std::vector<ExtraTime> extra_time;

  const CourseLab* find(std::string_view lab) const;
  double weight(std::string_view lab) const;
  std::int64_t extra_seconds(std::string_view student, std::string_view lab) const;
};

/// `; did you mean "s1001"?`: the student's id that is nearest; empty when none is near.
std::string near_id(std::string_view id, const std::vector<std::string>& students);

/// "file:line: message" for everyone in `course` who is none of `students` (ids), with the id that is nearest.
std::vector<std::string> extra_time_of_nobody(const Course& course, const std::filesystem::path& path,
                                              const std::vector<std::string>& students);

/// Throws LabError, "file:line: message": unknown keys, labs that are not among `known_labs` (ids), and values that
/// cannot be meant.
Course read_course(const std::filesystem::path& path, const std::vector<std::string>& known_labs);

}  // namespace cudalabs::course
