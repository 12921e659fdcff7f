// Chooses the cases that are run once more with the inputs of another case on the device, and says what they showed.
#include "grading/audit.h"

#include <algorithm>
#include <utility>

#include "check/comparison.h"
#include "check/device_audit.h"
#include "check/host_influence.h"
#include "check/judge.h"
#include "datasets/host_arrays.h"
#include "grading/second_run.h"
#include "run/run.h"

namespace cudalabs {
namespace {

/// A case in which a call fails asks for its outputs all or not at all. A submission that gets them all the same, in
/// smaller pieces say, must get them from the device.
bool has_all_outputs(const CaseRun& case_run) {
  return std::ranges::all_of(case_run.test.expected, [&](const datasets::ExpectedArray& expected) {
    const auto output = std::ranges::find(case_run.observed.outputs, expected.name, &datasets::Array::name);
    datasets::ExpectedArray all = expected;
    all.demand = datasets::Demand::value;
    return output != case_run.observed.outputs.end() && compare(*output, all).right();
  });
}

bool may_be_audited(const CaseRun& case_run) {
  const datasets::Faults& faults = case_run.test.spec.faults;
  return !faults.message_only && gives_right_outputs(case_run.observed, case_run.test) &&
         (!faults.any() || has_all_outputs(case_run)) &&
         std::ranges::find(case_run.observed.findings, Severity::error, &Finding::severity) ==
             case_run.observed.findings.end();
}

/// It did something that a submission whose kernels do all the work need not do.
bool is_peculiar(const CaseRun& case_run, const AuditSetup& setup) {
  return datasets::host_arrays_of(setup.lab->generator) != nullptr ? host_may_have_computed(case_run)
                                                                   : host_may_have_read(case_run);
}

/// False when the case cannot be audited.
bool audit_one(CaseRun& case_run, const AuditSetup& setup) {
  const auto spec = std::ranges::find(setup.lab->cases, case_run.test.spec.name, &datasets::CaseSpec::name);
  if (spec == setup.lab->cases.end()) return false;
  datasets::CaseSpec plain_spec = *spec;
  plain_spec.faults = {};
  datasets::Case plain_test = case_run.test;
  plain_test.spec.faults = {};
  for (datasets::ExpectedArray& expected : plain_test.expected) {
    if (expected.demand == datasets::Demand::all_or_nothing) expected.demand = datasets::Demand::value;
  }
  std::optional<Twin> twin = twin_of(plain_test, plain_spec, setup.lab->generator);
  if (!twin) return false;
  twin->test.spec.faults = case_run.test.spec.faults;
  RunRequest request = run_again(case_run, setup);
  request.checks = false;
  request.record_transfers = true;
  if (!twin->host_arrays) {
    const vgpu::TransferLog& log = case_run.observed.transfers;
    if (!log.complete) {
      case_run.computed_on = ComputedOn::host;
      case_run.elsewhere = copies_too_much(twin->test);
      const auto read = std::ranges::find(log.transfers, vgpu::Transfer::Kind::to_host, &vgpu::Transfer::kind);
      if (read != log.transfers.end()) place_at_call(*case_run.elsewhere, read->origin, request);
      return true;
    }
    auto answers = answers_of(case_run.observed);
    if (!answers) return false;
    twin->replacements.answers = std::move(*answers);
    twin->replacements.prints = prints_of(case_run.observed);
  }
  request.replacements = &twin->replacements;
  const Observation again = run(request);
  if (again.end == RunEnd::over_budget) {
    case_run.observed.end = RunEnd::over_budget;
    return false;
  }
  Audit audit = audit_of(*twin, case_run.observed, again);
  if (audit.where == ComputedOn::host) {
    // A submission that gets the twin's own case wrong fails for another reason.
    RunRequest plain = request;
    plain.test = &twin->test;
    plain.record_transfers = false;
    plain.replacements = nullptr;
    if (!gives_right_outputs(run(plain), twin->test)) return false;
    if (audit.call.address != 0) place_at_call(*audit.finding, audit.call, request);
    case_run.elsewhere = std::move(audit.finding);
  }
  case_run.computed_on = audit.where;
  return true;
}

}  // namespace

void audit(std::vector<CaseRun>& case_runs, const AuditSetup& setup) {
  std::vector<CaseRun*> candidates;
  for (CaseRun& case_run : case_runs) {
    if (may_be_audited(case_run)) candidates.push_back(&case_run);
  }
  // The one in the middle of the sizes is larger than a special case, and soon done: once the function is called once.
  std::ranges::stable_sort(candidates, {}, [](const CaseRun* case_run) { return case_run->test.elements(); });
  std::ranges::rotate(candidates, candidates.begin() + std::ssize(candidates) / 2);
  std::ranges::stable_partition(candidates, [](const CaseRun* case_run) { return !case_run->before; });
  std::vector<CaseRun*> rest;
  bool usual_is_audited = false;
  for (CaseRun* case_run : candidates) {
    const bool calls_fail = case_run->test.spec.faults.any();
    if (!usual_is_audited || calls_fail || is_peculiar(*case_run, setup)) {
      usual_is_audited |= audit_one(*case_run, setup) && !calls_fail;
    } else {
      rest.push_back(case_run);
    }
  }
  if (std::ranges::find(candidates, ComputedOn::host, &CaseRun::computed_on) != candidates.end()) {
    for (CaseRun* case_run : rest) audit_one(*case_run, setup);
  }
  for (CaseRun& case_run : case_runs) case_run.observed.transfers = {};
}

}  // namespace cudalabs
