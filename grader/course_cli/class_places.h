// How many gradings of a class run at a time.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "course/grade_class.h"
#include "lab/lab.h"

namespace cudalabs {

/// How gradings share processors.
struct Places {
  unsigned all = 1;                                             // as course::GradeClass has them
  std::function<unsigned(const course::Task&)> places_of = {};  // likewise
};

/// `jobs` gradings at a time; without it as many as keep `processors` busy: one for each, and two for each of a lab
/// whose cases run one by one, for two of them at a time left a quarter of two processors idle.
Places share_processors(std::optional<unsigned> jobs, unsigned processors, const std::vector<Lab>& labs);

}  // namespace cudalabs
