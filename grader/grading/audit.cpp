// Chooses the cases that are run once more with the inputs of another case on the device, and says what they showed.
#include "grading/audit.h"

#include <algorithm>
#include <utility>

#include "check/device_audit.h"
#include "check/judge.h"
#include "datasets/host_arrays.h"
#include "run/run.h"

namespace cudalabs {
namespace {

bool may_be_audited(const Trial& trial) {
  return !trial.test.spec.faults.any() && gives_right_outputs(trial.observed, trial.test) &&
         std::ranges::find(trial.observed.findings, Severity::error, &Finding::severity) ==
             trial.observed.findings.end();
}

/// It did something that a submission whose kernels do all the work need not do. With arrays on the host, copies back
/// are what everybody needs, and who launches nothing has computed on the host.
bool is_peculiar(const Trial& trial, const AuditSetup& setup) {
  if (datasets::host_arrays_of(setup.lab->slug) != nullptr) return false;
  const auto copies =
      std::ranges::count(trial.observed.transfers.transfers, vgpu::Transfer::Kind::to_host, &vgpu::Transfer::kind);
  return trial.observed.launches.empty() || std::cmp_greater(copies, trial.observed.outputs.size());
}

std::int64_t elements_of(const Trial& trial) {
  std::int64_t elements = 0;
  for (const auto& input : trial.test.inputs) elements += input.elements();
  for (const auto& expected : trial.test.expected) elements += expected.elements();
  return elements;
}

/// False when the case cannot be audited.
bool audit_one(Trial& trial, const AuditSetup& setup) {
  const auto spec = std::ranges::find(setup.lab->cases, trial.test.spec.name, &datasets::CaseSpec::name);
  if (spec == setup.lab->cases.end()) return false;
  std::optional<Twin> twin = twin_of(trial.test, *spec, setup.lab->slug);
  if (!twin) return false;
  if (!twin->host_arrays) {
    auto answers = answers_of(trial.observed);
    if (!answers) return false;
    twin->replacements.answers = std::move(*answers);
  }
  RunRequest request;
  request.lab = setup.lab;
  request.runner = setup.runner;
  request.source = setup.source;
  request.test = &trial.test;
  request.budget = setup.budget;
  request.checks = false;
  request.record_transfers = true;
  request.replacements = &twin->replacements;
  const Observation again = run(request);
  if (again.end == RunEnd::over_budget) {
    trial.observed.end = RunEnd::over_budget;
    return false;
  }
  Audit audit = audit_of(*twin, trial.observed, again);
  if (audit.where == ComputedOn::host) {
    // Whoever gets the twin's own case wrong fails for another reason.
    RunRequest plain = request;
    plain.test = &twin->test;
    plain.record_transfers = false;
    plain.replacements = nullptr;
    if (!gives_right_outputs(run(plain), twin->test)) return false;
    if (audit.call.address != 0) place_at_call(*audit.finding, audit.call, request);
    trial.elsewhere = std::move(audit.finding);
  }
  trial.computed_on = audit.where;
  return true;
}

}  // namespace

void audit(std::vector<Trial>& trials, const AuditSetup& setup) {
  std::vector<Trial*> candidates;
  for (Trial& trial : trials) {
    if (may_be_audited(trial)) candidates.push_back(&trial);
  }
  // The one in the middle of the sizes is larger than a special case, and soon done.
  std::ranges::stable_sort(candidates, {}, [](const Trial* trial) { return elements_of(*trial); });
  std::ranges::rotate(candidates, candidates.begin() + std::ssize(candidates) / 2);
  std::vector<Trial*> rest;
  bool usual_is_audited = false;
  for (Trial* trial : candidates) {
    if (!usual_is_audited || is_peculiar(*trial, setup)) {
      usual_is_audited |= audit_one(*trial, setup);
    } else {
      rest.push_back(trial);
    }
  }
  if (std::ranges::find(candidates, ComputedOn::host, &Trial::computed_on) != candidates.end()) {
    for (Trial* trial : rest) audit_one(*trial, setup);
  }
  for (Trial& trial : trials) trial.observed.transfers = {};
}

}  // namespace cudalabs
