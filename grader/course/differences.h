// Who has other points in one grading of a class than in another, and why.
#pragma once

#include <string>
#include <vector>

#include "course/class_data.h"

namespace cudalabs::course {

struct Difference {
  std::string student, lab;
  std::string before, after;         // the total, or why there is none
  std::vector<std::string> reasons;  // "another file", "another grader", "check edges: passed, then failed"
};

/// Rows whose total or state is not the same; in the order of students and labs. Students and labs of both count.
std::vector<Difference> differences(Store& before, const ClassData& old_data, Store& after, const ClassData& new_data);

/// How many rows `differences` looks at: those of both, each once.
std::size_t compared_rows(const ClassData& old_data, const ClassData& new_data);

/// "3 of 24 rows differ".
std::string shown(const std::vector<Difference>& differences, std::size_t rows);

/// "ada lab3: 70 -> 85: another file; check edges: failed, then passed".
std::string shown(const Difference& difference);

}  // namespace cudalabs::course
