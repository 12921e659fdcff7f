// The small questions a Lab answers about itself.
#include "lab/lab.h"

#include <numeric>

namespace cudalabs {

std::string_view name_of(Category category) {
  switch (category) {
    case Category::build:
      return "build";
    case Category::correctness:
      return "correctness";
    case Category::sync:
      return "sync";
    case Category::speed:
      return "speed";
    case Category::quality:
      return "quality";
  }
  return "unknown";
}

double SpeedTest::share_of_baseline() const {
  if (baseline_bytes > 0) return bytes / baseline_bytes;
  if (baseline_operations > 0) return operations / baseline_operations;
  return 1;
}

double Lab::max_points() const {
  return std::accumulate(checks.begin(), checks.end(), 0.0,
                         [](double sum, const Check& check) { return sum + check.points; });
}

}  // namespace cudalabs
