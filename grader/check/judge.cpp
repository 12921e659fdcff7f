// From what was observed of the cases to what is wrong with the submission.
#include "check/judge.h"

#include <algorithm>
#include <iterator>

#include "check/agreement.h"
#include "check/causes.h"
#include "check/float_sum.h"
#include "check/idle_store.h"
#include "check/launch_reach.h"
#include "check/origin_place.h"
#include "check/result_copy.h"
#include "check/right_size.h"
#include "check/run_end.h"
#include "check/silent_failure.h"
#include "check/writer_place.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// The last launch was the only one, but for one of the same kernel in the first of two calls.
bool is_only_launch(const Observation& observed) {
  const std::size_t calls = observed.outputs_before.empty() ? 1 : 2;
  if (observed.asked_launches > observed.launches.size()) return false;
  return observed.launches.size() == 1 ||
         (observed.launches.size() == calls && observed.launches.front().kernel == observed.launches.back().kernel);
}

std::uint64_t blocks_of(const vgpu::LaunchConfig& config) {
  return std::uint64_t{config.grid[0]} * config.grid[1] * config.grid[2];
}

/// The block of threads of the last launch: x runs along a row of the output, y counts its rows.
std::optional<BlockShape> launched_block(const Observation& observed) {
  if (observed.launches.empty()) return std::nullopt;
  const vgpu::LaunchConfig& config = observed.launches.back().config;
  BlockShape shape{config.block[1], config.block[0]};
  const auto along = [&](std::size_t axis) { return std::int64_t{config.grid[axis]} * config.block[axis]; };
  if (is_only_launch(observed) && along(2) == 1) shape.threads = {along(1), along(0)};
  const auto has_many = [](const vgpu::LaunchCounters& launch) { return blocks_of(launch.config) > 1; };
  shape.follows_many = !has_many(observed.launches.back()) && std::ranges::any_of(observed.launches, has_many);
  return shape;
}

Comparison compare_output(const Observation& observed, const datasets::ExpectedArray& expected) {
  const auto output = std::ranges::find(observed.outputs, expected.name, &datasets::Array::name);
  const auto gaps = std::ranges::find(observed.gaps, expected.name, &vgpu::OutputGaps::name);
  const vgpu::OutputGaps* known = gaps == observed.gaps.end() ? nullptr : &*gaps;
  return output == observed.outputs.end() ? missing_output(expected) : compare(*output, expected, known);
}

Judgement judgement_of(const Observation& observed, const datasets::Case& test,
                       std::span<const Explanation> explanations) {
  Judgement judgement;
  judgement.ending = ending_of(observed);
  if (observed.end != RunEnd::finished) return judgement;
  for (datasets::ExpectedArray expected : test.expected) {
    if (observed.nothing_failed) expected.demand = datasets::Demand::value;
    Comparison comparison = compare_output(observed, expected);
    for (Mismatch& mismatch : mismatches_of(comparison, test, launched_block(observed), explanations)) {
      mismatch.follows = observed.nothing_failed || follows(mismatch.fault, observed.findings);
      const bool copy_at_fault = name_copy(mismatch, comparison, observed);
      if (comparison.questions.empty()) name_writers(mismatch, writers_of(mismatch.output, observed));
      if (!copy_at_fault) name_idle_store(mismatch, observed.idle_stores);
      if (!copy_at_fault) name_threads(mismatch, comparison, observed);
      name_float_sum(mismatch, comparison, test, observed);
      if (!copy_at_fault) name_origin(mismatch, comparison, observed);
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
bool computed_elsewhere(const CaseRun& case_run, const Judgement& judgement) {
  const auto has_elements = [](const auto& array) { return array.elements() > 0; };
  return case_run.observed.end == RunEnd::finished && case_run.observed.launches.empty() &&
         judgement.mismatches.empty() && case_run.computed_on != ComputedOn::device &&
         !case_run.test.spec.faults.any() && std::ranges::any_of(case_run.test.inputs, has_elements) &&
         std::ranges::any_of(case_run.test.expected, has_elements);
}

Finding no_kernel() {
  Finding finding;
  finding.id = finding_ids::kNoKernel;
  finding.message = "no kernel was launched: the result was not computed on the device";
  finding.help = "write a kernel, launch it with `<<<grid, block>>>`, and let its threads compute the result";
  return finding;
}

/// What the real GPU adds counts where the virtual one has nothing to object: it explains better.
Judgement judgement_of(const CaseRun& case_run, std::span<const Explanation> explanations) {
  Judgement judgement = judgement_of(case_run.observed, case_run.test, explanations);
  if (case_run.repeated) {
    for (Mismatch& mismatch : judgement.mismatches) name_repeated_copy(mismatch, *case_run.repeated);
  }
  if (computed_elsewhere(case_run, judgement)) {
    judgement.ending = no_kernel();
  } else if (case_run.elsewhere && judgement.mismatches.empty()) {
    judgement.ending = case_run.elsewhere;
  }
  if (judgement.ending || !judgement.mismatches.empty() || !case_run.real) return judgement;
  Judgement real = judgement_of(*case_run.real, case_run.test, explanations);
  if (!real.ending && real.mismatches.empty()) return judgement;
  real.on_real_gpu = true;
  if (real.ending) note_real_gpu(*real.ending);
  for (Mismatch& mismatch : real.mismatches) note_real_gpu(mismatch.finding);
  return real;
}

bool is_error(const Finding& finding) {
  return finding.severity == Severity::error;
}

constexpr std::string_view kHelpAfterFailure =
    "a call that fails must leave nothing behind: look at `static` and global variables, such as a status or a "
    "pointer, and set each at the beginning of a call, or declare it inside the function";

constexpr std::string_view kHelpForKept =
    "look at what the program keeps from one call to the next, in `static` and global variables: sizes, pointers and "
    "values of the first call are out of date at the second";

/// What is wrong at the second of two calls, and right where it is the only one, comes of what the program has kept
/// since the first.
void note_second_call(Judgement& judgement, const CaseRun& case_run) {
  const bool wrong = !judgement.mismatches.empty() || std::ranges::any_of(judgement.device, is_error);
  if (!case_run.before || !wrong || !case_run.right_alone.value_or(false)) return;
  Observation first;
  first.end = RunEnd::finished;
  first.outputs = case_run.observed.outputs_before;
  if (!gives_right_outputs(first, *case_run.before)) return;
  judgement.right_at_first = true;
  const datasets::CaseSpec& earlier = case_run.before->spec;
  const bool failed = earlier.faults.any();
  const std::string_view help = failed ? kHelpAfterFailure : kHelpForKept;
  for (Mismatch& mismatch : judgement.mismatches) {
    withdraw_exchange(mismatch);
    mismatch.finding.message +=
        failed ? fmt::format("; right when called alone, wrong after a call in which {}", earlier.title)
               : "; right at the first call, wrong at the second";
    mismatch.finding.help = help;
  }
  for (Finding& finding : judgement.device) {
    if (!is_error(finding)) continue;
    if (!finding.note.empty()) finding.note += '\n';
    finding.note += failed ? fmt::format("right when called alone; in the call before, {}", earlier.title)
                           : "the first call was right";
    // What was left over is known there.
    if (finding.id != finding_ids::kLeftoverValue) finding.help = help;
  }
}

bool is_leak(const Finding& finding) {
  return finding.id == finding_ids::kMemoryLeak;
}

/// The function came to its end, so that what it has not freed nobody will.
bool returned(const Observation& observed) {
  return observed.end == RunEnd::finished || observed.end == RunEnd::runtime_error;
}

/// A program that has said that a launch failed may go on with arrays that nobody filled, or end. One that returns has
/// to give back its memory all the same.
Judgement judgement_of_failure(const CaseRun& case_run, const std::vector<CaseRun>& all) {
  Judgement judgement;
  judgement.excused = true;
  if (auto silence = silence_of(case_run, all)) judgement.device.push_back(std::move(*silence));
  if (returned(case_run.observed))
    std::ranges::copy_if(case_run.observed.findings, std::back_inserter(judgement.device), is_leak);
  return judgement;
}

/// What was never freed because the function never came to its end is no bug of its own.
void excuse_leaks(Judgement& judgement, const Observation& observed) {
  if (judgement.ending && !returned(observed)) std::erase_if(judgement.device, is_leak);
}

/// All the time was used up in another case, and something was found there that explains it. What this one would have
/// shown nobody knows.
bool is_unknown(const CaseRun& case_run, const std::vector<CaseRun>& all) {
  const Observation& observed = case_run.observed;
  if (observed.end != RunEnd::over_budget || observed.after.empty()) return false;
  if (std::ranges::any_of(case_run.judged().device, is_error)) return false;
  return std::ranges::any_of(all, [&](const CaseRun& other) {
    return other.test.spec.name == observed.after && std::ranges::any_of(other.judged().device, is_error);
  });
}

/// Where something is wrong, a call that failed before is the first thing to look at; it is the same error that the
/// run may have ended with. What kernels did wrong before it failed has another cause, which may well be the call's,
/// too: an array that is too small.
void name_refused_call(Judgement& judgement, const CaseRun& case_run) {
  auto refusal = refusal_of(case_run.observed);
  const bool device_wrong = std::ranges::any_of(judgement.device, is_error);
  const bool wrong = judgement.ending || !judgement.mismatches.empty() || device_wrong;
  if (!refusal || !wrong || judgement.on_real_gpu) return;
  if (device_wrong && !case_run.observed.refused_before_launch) return;
  // After a reset every call is refused that means something of before.
  if (judgement.ending && judgement.ending->id == finding_ids::kDeviceReset) return;
  if (judgement.ending && judgement.ending->id == finding_ids::kRuntimeError) judgement.ending.reset();
  judgement.device.insert(judgement.device.begin(), std::move(*refusal));
}

/// Reads of elements that no kernel has stored follow from that, where one has stored others of the same output.
void drop_reads_of_missing(Judgement& judgement) {
  for (const Mismatch& mismatch : judgement.mismatches) {
    const bool partial = mismatch.fault == Fault::unwritten && mismatch.finding.where.known() &&
                         mismatch.finding.count < static_cast<std::uint64_t>(mismatch.elements);
    if (!partial) continue;
    std::erase_if(judgement.device, [&](const Finding& finding) {
      return finding.id == finding_ids::kUninitializedRead && finding.access.array == mismatch.output;
    });
  }
}

/// What threads read although nobody had written it, where a launch or a copy was made to fail, was to come by that
/// call. A program may ask about all its calls at its end: what the kernel does until then reaches nobody.
void drop_reads_after_failure(Judgement& judgement, const Observation& observed) {
  if (!observed.made_to_fail) return;
  std::erase_if(judgement.device, [](const Finding& finding) { return finding.id == finding_ids::kUninitializedRead; });
}

/// Threads read past the end of memory that the program allocated, in a kernel that was launched elsewhere before
/// without harm: what this launch gave it is to be looked at. It is the last one, for nothing is launched after it.
void name_launch_of_read(Finding& finding, const Observation& observed) {
  const bool reads_own = finding.access.only_reads && finding.other && finding.other->role == PlaceRole::allocation;
  const auto launch = std::ranges::find(observed.launch_places, finding.kernel, &LaunchPlace::kernel);
  if (!reads_own || launch == observed.launch_places.end() || !launch->where.known()) return;
  if (launch->first.line == launch->where.line) return;
  finding.other = OtherPlace{"this launch reads there, earlier ones of the kernel do not", launch->where, {}, {}};
}

/// Each case, with what the lab knows; and of the device's findings those that are causes.
void judge_all(std::vector<CaseRun>& case_runs, std::span<const Explanation> explanations) {
  std::vector<CaseFindings> findings;
  for (const CaseRun& case_run : case_runs) {
    findings.push_back(case_run.test.spec.faults.message_only ? CaseFindings{} : case_run.observed.findings);
    blame_access(findings.back(), case_run);
  }
  std::vector<CaseFindings> kept = causes(findings);
  for (std::size_t i = 0; i < case_runs.size(); ++i) {
    if (case_runs[i].test.spec.faults.message_only) {
      case_runs[i].judgement = judgement_of_failure(case_runs[i], case_runs);
      continue;
    }
    case_runs[i].judgement = judgement_of(case_runs[i], explanations);
    case_runs[i].judgement->device = std::move(kept[i]);
    drop_reads_of_missing(*case_runs[i].judgement);
    drop_reads_after_failure(*case_runs[i].judgement, case_runs[i].observed);
    for (Finding& finding : case_runs[i].judgement->device) name_launch_of_read(finding, case_runs[i].observed);
    excuse_leaks(*case_runs[i].judgement, case_runs[i].observed);
    name_refused_call(*case_runs[i].judgement, case_runs[i]);
  }
}

}  // namespace

bool gives_right_outputs(const Observation& observed, const datasets::Case& test) {
  return observed.end == RunEnd::finished && std::ranges::all_of(test.expected, [&](const auto& expected) {
           return compare_output(observed, expected).right();
         });
}

void judge(std::vector<CaseRun>& case_runs, std::span<const Explanation> explanations) {
  judge_all(case_runs, explanations);
  const std::vector<Explanation> left = without_contradicted(explanations, case_runs);
  if (left.size() < explanations.size()) judge_all(case_runs, left);
  for (CaseRun& case_run : case_runs) case_run.judgement->unknown = is_unknown(case_run, case_runs);
  // A program that gets a single call wrong, too, may get the second one wrong for the same reason.
  const auto single_and_wrong = [](const CaseRun& case_run) { return !case_run.before && case_run.is_wrong(); };
  if (std::ranges::any_of(case_runs, single_and_wrong)) return;
  for (CaseRun& case_run : case_runs) note_second_call(*case_run.judgement, case_run);
}

}  // namespace cudalabs
