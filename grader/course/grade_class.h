// Grades what is missing: every submission once, however many have handed it in, and keeps each verdict as it comes.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "course/records.h"
#include "course/store.h"
#include "lab/lab.h"

namespace cudalabs::course {

/// One submission to grade for one lab.
struct Task {
  std::string lab, digest;
  bool operator==(const Task&) const = default;
};

/// What decides again though there is a verdict.
struct Regrade {
  bool everything = false;
  std::set<std::string> labs, students;  // ids
};

struct Plan {
  std::vector<Task> missing;
  std::size_t known = 0;  // submissions whose verdict is there
  /// Of those, verdicts of another grader, or of other data of the lab.
  std::size_t of_another_grader = 0;
};

/// Compares what is kept with what is asked for. `audits`: of each lab, as it would be graded now.
Plan plan(Store& store, const std::vector<Lab>& labs, const Settings& settings, const Regrade& regrade,
          const std::map<std::string, Audit>& audits);

struct Tally {
  std::size_t done = 0, all = 0, failed = 0;
  std::chrono::duration<double> elapsed{};
};

struct GradeClass {
  /// Grades one submission in a process of its own: writes the report as JSON to the descriptor; exit status 0 when
  /// there is one.
  std::function<int(const Task&, const std::string& text, int output)> work;
  std::function<void(const Tally&)> progress;  // now and then
  unsigned places = 1;                         // those of the gradings that run at a time, added up
  /// How many places a grading takes; none: each takes one.
  std::function<unsigned(const Task&)> places_of = {};
  std::chrono::seconds longest{600};  // for one submission
};

/// Grades the tasks side by side. `text_of`: the bytes of a submission; `keep` is handed each result at once, with the
/// number of its task.
Tally grade_tasks(const std::vector<Task>& tasks, const Settings& settings, const std::map<std::string, Audit>& audits,
                  const GradeClass& how, const std::function<std::string(const Task&)>& text_of,
                  const std::function<void(std::size_t, const Grading&)>& keep);

/// The same, out of the store and into it, as gradings of `run`. Throws DatabaseError.
Tally grade_class(Store& store, std::int64_t run, const std::vector<Task>& tasks, const Settings& settings,
                  const std::map<std::string, Audit>& audits, const GradeClass& how);

}  // namespace cudalabs::course
