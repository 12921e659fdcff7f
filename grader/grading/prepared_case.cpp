// A case before it is run: its data, and what has to be found out first.
#include "grading/prepared_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cudalabs {

CaseRun prepared_case(const Lab& lab, const datasets::CaseSpec& spec, std::uint64_t seed) {
  const datasets::Generator generate = datasets::generator_for(lab.generator);
  if (generate == nullptr) throw std::runtime_error(fmt::format("no data generator is called {}", lab.generator));
  CaseRun case_run;
  case_run.test = generate(spec, seed);
  const auto before = std::ranges::find(lab.cases, spec.after, &datasets::CaseSpec::name);
  if (before != lab.cases.end()) case_run.before = generate(*before, seed);
  return case_run;
}

void find_last_launch(CaseRun& case_run, RunRequest request) {
  if (!case_run.test.spec.faults.last_launch) return;
  datasets::Case undisturbed = case_run.test;
  undisturbed.spec.faults = {};
  request.test = &undisturbed;
  request.checks = false;
  request.record_accesses = false;
  request.record_transfers = false;
  case_run.test.spec.faults.launch = run(request).asked_launches;
}

}  // namespace cudalabs
