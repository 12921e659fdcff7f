#include "check/measured_cases.h"

#include <map>
#include <stdexcept>

namespace cudalabs {
namespace {

std::map<std::string_view, Disturbed>& measuring_labs() {
  static std::map<std::string_view, Disturbed> labs;
  return labs;
}

}  // namespace

MeasuredCases::MeasuredCases(std::string_view slug, Disturbed disturbed) {
  if (!measuring_labs().emplace(slug, disturbed).second)
    throw std::logic_error("two files of checks measure the same lab");
}

Disturbed disturbed_for(std::string_view slug) {
  const auto found = measuring_labs().find(slug);
  return found == measuring_labs().end() ? nullptr : found->second;
}

void observe_undisturbed(CaseRun& case_run, Disturbed disturbed, const std::function<Observation()>& observe) {
  for (int runs = 0; runs < kMostRuns; ++runs) {
    case_run.observed = observe();
    if (disturbed == nullptr || !disturbed(case_run)) return;
  }
}

}  // namespace cudalabs
