// Everything a lab's Catch2 checks may look at: the build, and each case with what was observed of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "build/builder.h"
#include "check/comparison.h"
#include "check/mismatch.h"
#include "check/repeated_copy.h"
#include "datasets/dataset.h"
#include "lab/lab.h"
#include "run/run.h"
#include "speed/speed_result.h"

namespace cudalabs {

/// What the grader concludes from one case run.
struct Judgement {
  bool on_real_gpu = false;             // the virtual GPU saw nothing wrong, and the real one did
  std::vector<Comparison> comparisons;  // one per expected array; empty unless the run finished
  std::vector<Mismatch> mismatches;     // what is wrong with them
  std::vector<Finding> device;          // of the observed findings those that are causes
  std::optional<Finding> ending;        // why the run did not finish; none when it did, or when a finding says it
  bool unknown = false;         // not run, or not to its end: another case used up the time, for a reason that is known
  bool right_at_first = false;  // wrong at the second of two calls, of which the first gave right outputs
  bool excused = false;         // of a case that asks for a message only: nothing that came after the failure counts
};

/// Where a right result was computed, as far as an audit (device_audit.h) could tell.
enum class ComputedOn : std::uint8_t { unknown, device, host };

struct CaseRun {
  datasets::Case test;
  std::optional<datasets::Case> before;  // with which the function is called first, in the same process
  Observation observed;                  // checked build, every check on
  std::optional<Observation> fast;       // fast build, counters only; for cases whose counters a check asks for
  std::optional<Observation> real;       // on the real GPU, where there is one and the virtual one found nothing wrong
  ComputedOn computed_on = ComputedOn::unknown;
  std::optional<bool> right_alone;   // of a case that is wrong after another one: whether it is right without that one
  std::optional<Finding> elsewhere;  // of a right result that was not computed on the device: what is wrong with that
  std::optional<RepeatedCopy> repeated;  // of a wrong result
  std::optional<Judgement> judgement;    // filled by judge()

  /// Throws std::logic_error before judge().
  const Judgement& judged() const;
  /// It ended early, gave a wrong result, or was seen to do something wrong. Throws like judged().
  bool is_wrong() const;
};

/// One small change with which wrong results become right.
struct Repair {
  vgpu::Mutant mutant;  // without results
  SourcePlace where;    // in the submission; of a launch its call
  /// Of what a launch gives, such as `blockDim.x`, its value in all launches of the cases that were tried; none: they
  /// differ, or it is no such thing.
  std::optional<std::uint32_t> original_value = std::nullopt, replacement_value = std::nullopt;
};

struct Repairs {
  std::vector<Repair> all;
  std::uint32_t cases = 0;  // they were tried on, all wrong without them
};

struct SubmissionRun {
  const Lab* lab = nullptr;
  std::string source;              // its text, where that is known
  BuildResult build;               // checked build
  std::vector<CaseRun> case_runs;  // empty when the build failed
  std::string real_gpu;            // "NVIDIA H200"; empty: nothing ran on a real GPU
  Repairs repairs;                 // of one that is not right
  std::vector<SpeedResult> speed;  // one for each of the lab's tests; none: the submission is not right

  /// CaseRuns of cases with `tag`, in the order of lab.toml.
  std::vector<const CaseRun*> with_tag(std::string_view tag) const;

  /// Every case of the lab ran, and none is wrong.
  bool all_right() const;
};

/// The submission run of the grading in progress; set while the Catch2 session runs, read by test cases.
/// Throws std::logic_error when none is set.
const SubmissionRun& submission_run();
void set_submission_run(const SubmissionRun* submission_run);

}  // namespace cudalabs
