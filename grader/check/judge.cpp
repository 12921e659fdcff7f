// From what was observed of the cases to what is wrong with the submission.
#include "check/judge.h"

#include <algorithm>

#include "check/case_name.h"
#include "check/causes.h"
#include "check/run_end.h"
#include "check/silent_failure.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The block of threads of the last launch: x runs along a row of the output, y counts its rows.
std::optional<BlockShape> launched_block(const Observation& observed) {
  if (observed.launches.empty()) return std::nullopt;
  const Index3& block = observed.launches.back().config.block;
  return BlockShape{block[1], block[0]};
}

Comparison compare_output(const Observation& observed, const datasets::ExpectedArray& expected) {
  const auto output = std::ranges::find(observed.outputs, expected.name, &datasets::Array::name);
  return output == observed.outputs.end() ? missing_output(expected) : compare(*output, expected);
}

Judgement judgement_of(const Observation& observed, const datasets::Case& test) {
  Judgement judgement;
  judgement.ending = ending_of(observed, test.spec);
  if (observed.end != RunEnd::finished) return judgement;
  for (const datasets::ExpectedArray& expected : test.expected) {
    Comparison comparison = compare_output(observed, expected);
    for (Mismatch& mismatch : mismatches_of(comparison, test, launched_block(observed))) {
      mismatch.follows = follows(mismatch.fault, observed.findings);
      judgement.mismatches.push_back(std::move(mismatch));
    }
    judgement.comparisons.push_back(std::move(comparison));
  }
  return judgement;
}

void note_real_gpu(Finding& finding) {
  if (!finding.note.empty()) finding.note += '\n';
  finding.note += "on the real GPU only: the virtual GPU ran the same case and saw nothing wrong";
}

/// A right result that no kernel had a part in; cases without data, such as questions, need none, nor does what a copy
/// within the device can do.
bool computed_elsewhere(const Trial& trial, const Judgement& judgement) {
  const auto has_elements = [](const auto& array) { return array.elements() > 0; };
  return trial.observed.end == RunEnd::finished && trial.observed.launches.empty() && judgement.mismatches.empty() &&
         trial.computed_on != ComputedOn::device && !trial.test.spec.faults.any() &&
         std::ranges::any_of(trial.test.inputs, has_elements) && std::ranges::any_of(trial.test.expected, has_elements);
}

Finding no_kernel(const datasets::CaseSpec& spec) {
  Finding finding;
  finding.id = finding_ids::kNoKernel;
  finding.message = "no kernel was launched: the result was not computed on the device";
  finding.note = "in " + describe(spec);
  finding.help = "write a kernel, launch it with `<<<grid, block>>>`, and let its threads compute the result";
  return finding;
}

/// What the real GPU adds counts where the virtual one has nothing to object: it explains better.
Judgement judgement_of(const Trial& trial) {
  Judgement judgement = judgement_of(trial.observed, trial.test);
  if (computed_elsewhere(trial, judgement)) {
    judgement.ending = no_kernel(trial.test.spec);
  } else if (trial.elsewhere && judgement.mismatches.empty()) {
    judgement.ending = trial.elsewhere;
  }
  if (judgement.ending || !judgement.mismatches.empty() || !trial.real) return judgement;
  Judgement real = judgement_of(*trial.real, trial.test);
  if (!real.ending && real.mismatches.empty()) return judgement;
  real.on_real_gpu = true;
  if (real.ending) note_real_gpu(*real.ending);
  for (Mismatch& mismatch : real.mismatches) note_real_gpu(mismatch.finding);
  return real;
}

/// A program that has said that a launch failed may go on with arrays that nobody filled, or end.
Judgement judgement_of_failure(const Trial& trial, const std::vector<Trial>& all) {
  Judgement judgement;
  judgement.excused = true;
  if (auto silence = silence_of(trial, all)) judgement.device.push_back(std::move(*silence));
  return judgement;
}

/// Where something is wrong, a call that failed before is the first thing to look at; it is the same error that the
/// run may have ended with. What kernels did wrong before it failed has another cause, which may well be the call's,
/// too: an array that is too small.
void name_refused_call(Judgement& judgement, const Trial& trial) {
  auto refusal = refusal_of(trial.observed, trial.test.spec);
  const auto is_error = [](const Finding& finding) { return finding.severity == Severity::error; };
  const bool device_wrong = std::ranges::any_of(judgement.device, is_error);
  const bool wrong = judgement.ending || !judgement.mismatches.empty() || device_wrong;
  if (!refusal || !wrong || judgement.on_real_gpu) return;
  if (device_wrong && !trial.observed.refused_before_launch) return;
  if (judgement.ending && judgement.ending->id == finding_ids::kRuntimeError) judgement.ending.reset();
  judgement.device.insert(judgement.device.begin(), std::move(*refusal));
}

}  // namespace

bool gives_right_outputs(const Observation& observed, const datasets::Case& test) {
  return observed.end == RunEnd::finished && std::ranges::all_of(test.expected, [&](const auto& expected) {
           return compare_output(observed, expected).right();
         });
}

void judge(std::vector<Trial>& trials) {
  std::vector<CaseFindings> findings;
  for (const Trial& trial : trials)
    findings.push_back(trial.test.spec.faults.message_only ? CaseFindings{} : trial.observed.findings);
  std::vector<CaseFindings> kept = causes(findings);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].test.spec.faults.message_only) {
      trials[i].judgement = judgement_of_failure(trials[i], trials);
      continue;
    }
    trials[i].judgement = judgement_of(trials[i]);
    trials[i].judgement->device = std::move(kept[i]);
    name_refused_call(*trials[i].judgement, trials[i]);
  }
}

}  // namespace cudalabs
