// What the gradings of one lab have in common, over the whole class.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "course/class_data.h"

namespace cudalabs::course {

struct CheckRate {
  std::string id, title;
  std::size_t passed = 0, all = 0;
};

struct FindingRate {
  std::string id, severity;
  std::size_t students = 0;
  std::string example;          // its message
  std::string example_student;  // whose it is
};

/// What came in on one day, in UTC: attempts of every download, not only those that count.
struct DayRate {
  std::int64_t day = 0;  // since 1970-01-01
  std::size_t attempts = 0;
  std::size_t first_ones = 0;  // students of whom nothing had come in before
  std::size_t graded = 0;      // attempts with a verdict
  double points = 0;           // theirs together
};

struct LabStatistics {
  std::string lab;
  std::size_t students = 0, graded = 0, full_marks = 0;
  double mean = 0, median = 0;              // of the graded
  std::array<std::size_t, 11> tenths{};     // of the most points; the last: all of them
  std::vector<CheckRate> checks;            // the least often passed first
  std::vector<FindingRate> findings;        // the most frequent first
  std::vector<DayRate> days;                // on which something came in, the earliest first
  std::size_t by_file_times = 0;            // attempts in `days` whose time is only that of their file
  std::size_t by_commit_times = 0;          // attempts in `days` whose time is that of their last commit
  std::size_t without_time = 0;             // attempts that are in no day
  std::vector<const Standing*> not_graded;  // refused, failed or waiting
  std::vector<const Standing*> slowest;     // processor time, at most ten
};

/// `data` must outlive the result.
LabStatistics statistics_of(const Lab& lab, const ClassData& data, Store& store);

}  // namespace cudalabs::course
