#include "course_cli/class_places.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

namespace cudalabs {

Places share_processors(std::optional<unsigned> jobs, unsigned processors, const std::vector<Lab>& labs) {
  if (jobs) return {.all = *jobs};
  constexpr unsigned kMostCases = 2;  // of one grading that are worth a processor
  std::map<std::string, unsigned> cases;
  for (const Lab& lab : labs)
    cases[lab.id] = static_cast<unsigned>(std::min<std::uint64_t>(lab.limits.cases_at_a_time, kMostCases));
  return {.all = kMostCases * processors,
          .places_of = [cases](const course::Task& task) { return cases.at(task.lab); }};
}

}  // namespace cudalabs
