#include "check/measured_cases.h"

#include <cstdlib>
#include <map>
#include <stdexcept>

#include "vgpu/usable_processors.h"

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

bool machine_is_busy() {
  double load = 0;
  return getloadavg(&load, 1) == 1 && load > vgpu::usable_processors();
}

void observe_undisturbed(CaseRun& case_run, Disturbed disturbed, const std::function<Observation()>& observe,
                         const std::function<bool()>& is_busy) {
  for (int runs = 0; runs < kMostRuns || (runs < kMostRunsWhenBusy && is_busy()); ++runs) {
    case_run.observed = observe();
    if (disturbed == nullptr || !disturbed(case_run)) return;
  }
}

}  // namespace cudalabs
