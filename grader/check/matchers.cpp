// What a lab's checks say about cases, as Catch2 matchers.
#include "check/matchers.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "check/award.h"
#include "check/case_name.h"
#include "check/denied_failure.h"
#include "check/failed_cases.h"
#include "check/judge.h"
#include "check/nothing_seen.h"
#include "check/run_end.h"
#include "check/unseen.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs {
namespace {

/// Cases spelled out in one message; the rest are named.
constexpr std::size_t kShown = 3;

std::string place_text(const SourcePlace& place) {
  if (!place.known()) return {};
  const std::string name = place.file.substr(place.file.rfind('/') + 1);
  return fmt::format(" at {}:{}", name, place.line);
}

/// Why a case run has no output to look at; empty when it has. What the judgement leaves unsaid, an error finding says.
std::string unfinished(const CaseRun& case_run) {
  const auto& ending = case_run.judged().ending;
  if (!case_run.observed.after.empty() && case_run.observed.end == RunEnd::over_budget)
    return fmt::format("not run to its end: all the time was used up in case `{}`", case_run.observed.after);
  if (!case_run.observed.after.empty() && (ending || case_run.observed.end != RunEnd::finished)) {
    return fmt::format("given little time, for case `{}` did not come to an end before, and did not end in it",
                       case_run.observed.after);
  }
  if (ending) return ending->message;
  if (case_run.judged().excused || case_run.observed.end == RunEnd::finished) return {};
  const auto& findings = case_run.judged().device;
  const auto cause = std::ranges::find(findings, Severity::error, &Finding::severity);
  if (cause == findings.end()) throw std::logic_error("a case ended early and nothing says why");
  return fmt::format("stopped by {}{}", cause->id, place_text(cause->where));
}

/// What a check cannot hold against anybody, while there are other cases to look at.
std::vector<const CaseRun*> unknown_among(const std::vector<const CaseRun*>& case_runs) {
  std::vector<const CaseRun*> unknown;
  std::ranges::copy_if(case_runs, std::back_inserter(unknown),
                       [](const CaseRun* case_run) { return case_run->judged().unknown; });
  return unknown.size() < case_runs.size() ? unknown : std::vector<const CaseRun*>();
}

std::string unseen_text(const std::vector<const CaseRun*>& unknown) {
  std::vector<std::string> names;
  for (const CaseRun* case_run : unknown) names.push_back(case_run->test.spec.name);
  return fmt::format("not known in {}: all the time was used up in case `{}`", list_names(names),
                     unknown.front()->observed.after);
}

/// Among the causes of what is wrong in a case run, one that leaves the result open: a race, or a barrier that not all
/// threads reach, for which CUDA defines no result at all.
const Finding* disorder_in(const CaseRun& case_run) {
  const auto& findings = case_run.judged().device;
  const auto found = std::ranges::find_if(findings, [](const Finding& finding) {
    return finding.severity == Severity::error &&
           (is_of(finding.id, FindingGroup::races) || is_of(finding.id, FindingGroup::barriers));
  });
  return found == findings.end() ? nullptr : &*found;
}

std::string mismatch_text(const CaseRun& case_run, const Mismatch& mismatch) {
  const auto& comparisons = case_run.judged().comparisons;
  const auto of_output = std::ranges::find(comparisons, mismatch.output, &Comparison::name);
  std::string text = mismatch.finding.message;
  // Of a single number, and of answers by name, the message says it all.
  const bool counts = of_output != comparisons.end() && !of_output->misfit && of_output->questions.empty();
  if (counts && of_output->elements() > 1) {
    text += fmt::format(" ({} of {} elements)", mismatch.finding.count, of_output->elements());
  }
  return text;
}

}  // namespace

Cases all_cases() {
  Cases found{submission_run().build.ok, {}};
  for (const CaseRun& case_run : submission_run().case_runs) found.case_runs.push_back(&case_run);
  if (found.built && found.case_runs.empty()) throw std::logic_error("the lab has no cases");
  return found;
}

Cases cases(std::string_view tag) {
  Cases found{submission_run().build.ok, submission_run().with_tag(tag)};
  if (const Lab* lab = submission_run().lab; lab != nullptr) {
    const auto wanted = [&](const datasets::CaseSpec& spec) {
      return std::ranges::find(spec.tags, tag) != spec.tags.end() &&
             std::ranges::none_of(found.case_runs,
                                  [&](const CaseRun* run) { return run->test.spec.name == spec.name; });
    };
    found.left_out = static_cast<std::size_t>(std::ranges::count_if(lab->cases, wanted));
  }
  if (found.built && found.case_runs.empty()) {
    throw std::logic_error(fmt::format("no case of the lab is tagged \"{}\"", tag));
  }
  return found;
}

bool IsBuilt::match(const BuildResult& build) const {
  reason_.clear();
  if (build.ok) return true;
  note_failed_cases({{"", FailedCase::Why::symptom}});
  reason_ = build.findings.empty() ? "see the compiler's messages below"
                                   : build.findings.front().message + place_text(build.findings.front().where);
  return false;
}

std::string IsBuilt::describe() const {
  return reason_.empty() ? "compiles" : "does not compile: " + reason_;
}

bool CaseMatcher::match(const Cases& subject) const {
  if (!subject.built) {
    description_ = "could be run: the submission does not compile";
    note_nothing_seen(true);
    return false;
  }
  std::vector<std::string> lines, further, alike;
  std::string first;
  std::vector<FailedCase> failed;
  bool seen = false, explained = true;
  const std::vector<const CaseRun*> unknown = unknown_among(subject.case_runs);
  for (const CaseRun* case_run : subject.case_runs) {
    if (std::ranges::find(unknown, case_run) != unknown.end()) continue;
    const std::string why = objection(*case_run);
    if (why.empty()) continue;
    seen |= saw_fault(*case_run);
    explained = explained && says_what_to_do(*case_run);
    failed.push_back(failed_case(*case_run));
    if (why == first) {
      alike.push_back(case_run->test.spec.name);
    } else if (lines.size() < kShown) {
      lines.push_back(fmt::format("{}: {}", cudalabs::describe(case_run->test.spec), why));
      if (lines.size() == 1) first = why;
    } else {
      further.push_back(case_run->test.spec.name);
    }
  }
  if (lines.empty() && !unknown.empty()) note_unseen(unseen_text(unknown));
  if (lines.empty()) return true;
  note_nothing_seen(!seen);
  note_explained(explained);
  note_failed_cases(std::move(failed));
  description_ = fmt::format("{} {}:", lines.size() + further.size() + alike.size(), property());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    description_ += "\n" + lines[i];
    if (i == 0 && !alike.empty()) description_ += "\nthe same in " + list_names(alike);
  }
  if (!further.empty()) description_ += "\nand " + list_names(further);
  if (subject.left_out > 0) {
    description_ += fmt::format("\n{} more {} not run: they could not earn the points any more", subject.left_out,
                                subject.left_out == 1 ? "case was" : "cases were");
  }
  return false;
}

FailedCase CaseMatcher::failed_case(const CaseRun& case_run) const {
  const std::string &name = case_run.test.spec.name, &after = case_run.observed.after;
  if (const Finding* finding = blamed(case_run)) {
    return {name, FailedCase::Why::finding, finding->id, finding->where, after};
  }
  return {name, is_symptom(case_run) ? FailedCase::Why::symptom : FailedCase::Why::own, {}, {}, after};
}

std::string CaseMatcher::describe() const {
  return description_;
}

std::string GiveRightResults::objection(const CaseRun& case_run) const {
  if (auto reason = unfinished(case_run); !reason.empty()) return reason;
  for (const Mismatch& mismatch : case_run.judged().mismatches) {
    if (output_.empty() || mismatch.output == output_) return mismatch_text(case_run, mismatch);
  }
  // One run has one order of the threads, in which the values may come out right. Of several outputs nothing says which
  // one a race touches.
  const Finding* cause = output_.empty() || case_run.test.expected.size() == 1 ? disorder_in(case_run) : nullptr;
  if (cause == nullptr) return {};
  const bool races = is_of(cause->id, FindingGroup::races);
  return fmt::format(
      "right in this run, but {}: follows from the {}{}",
      races ? "another order of the threads gives something else" : "a GPU may hang here or give something else",
      cause->id, place_text(cause->where));
}

std::string WriteEverything::objection(const CaseRun& case_run) const {
  if (auto reason = unfinished(case_run); !reason.empty()) return reason;
  for (const Mismatch& mismatch : case_run.judged().mismatches) {
    if (mismatch.finding.id != finding_ids::kResultMismatch) return mismatch_text(case_run, mismatch);
  }
  return {};
}

std::string SayWhatFailed::objection(const CaseRun& case_run) const {
  const datasets::Faults& faults = case_run.test.spec.faults;
  if (faults.any() && denies_failure(case_run.observed.errors)) {
    return "prints `no error` when a call fails: print `cudaGetErrorString` of what the call returned; "
           "`cudaGetLastError` returns an error once, and `cudaSuccess` when it is called again";
  }
  if (!faults.any() || !case_run.observed.errors.empty() || faults.allocation > 1) return {};
  const auto& failed = case_run.observed.made_to_fail;
  if (faults.copy != 0 && !failed) return {};
  const std::string call = failed ? fmt::format("the call{}", place_text(failed->where)) : "a call";
  return case_run.observed.console.empty()
             ? fmt::format("prints nothing when {} fails; the contract asks for a message on stderr", call)
             : fmt::format(
                   "prints its message on stdout when {} fails; the contract asks for stderr, with "
                   "`std::fprintf(stderr, ...)` or `std::cerr`",
                   call);
}

HaveNone have_none(const std::vector<std::string_view>& names) {
  std::vector<std::string_view> all;
  for (const std::string_view name : names) {
    const std::vector<std::string_view> ids = ids_named(name);
    if (ids.empty()) throw std::logic_error(fmt::format("no finding and no group is called \"{}\"", name));
    all.insert(all.end(), ids.begin(), ids.end());
  }
  return HaveNone(std::move(all));
}

const Finding* HaveNone::first_in(const CaseRun& case_run) const {
  const auto& findings = case_run.judged().device;
  const auto found = std::ranges::find_if(findings, [&](const Finding& finding) {
    return std::ranges::find(ids_, finding.id) != ids_.end() &&
           finding.severity <= finding_kind(finding.id)->counts_from;
  });
  return found == findings.end() ? nullptr : &*found;
}

std::string HaveNone::objection(const CaseRun& case_run) const {
  if (const Finding* found = first_in(case_run)) return found->id + place_text(found->where);
  return case_run.judged().excused || kernels_ran(case_run.observed) ? std::string() : unfinished(case_run);
}

const SpeedResult& speed_of(std::string_view check) {
  static const SpeedResult nothing;
  const std::vector<SpeedResult>& known = submission_run().speed;
  if (known.empty()) return nothing;
  const auto found = std::ranges::find(known, check, &SpeedResult::check);
  if (found == known.end()) throw std::logic_error(fmt::format("nothing was timed for \"{}\"", check));
  return *found;
}

bool BeFastEnough::match(const SpeedResult& result) const {
  reason_.clear();
  switch (result.kind) {
    case SpeedResult::Kind::unknown:
      // What the grader cannot tell is not the student's loss; a submission that is not right fails what this needs.
      return true;
    case SpeedResult::Kind::measured:
    case SpeedResult::Kind::modelled:
      break;
  }
  award(result.finding ? 0 : std::clamp(result.credit, 0.0, 1.0));
  if (result.finding) {
    reason_ = "cannot be timed: " + result.finding->message;
    note_failed_cases({{"", FailedCase::Why::finding, result.finding->id, result.finding->where}});
  } else if (!(result.credit >= 1)) {
    reason_ = fmt::format(
        "is too slow for full points, which begin at {:.3g} times the speed of {}; there are none up to {:.3g}",
        result.full, result.baseline, result.none);
  }
  return reason_.empty();
}

std::string BeFastEnough::describe() const {
  return reason_.empty() ? "is fast enough" : reason_;
}

std::optional<std::uint64_t> total_of(const CaseRun& case_run, std::string_view counter) {
  // Counters of a kernel that was not run, or did something else, would be flattering.
  if (!gives_right_outputs(case_run.observed, case_run.test)) return std::nullopt;
  if (!case_run.fast)
    throw std::logic_error(fmt::format("case \"{}\" was not run for its counters", case_run.test.spec.name));
  if (!gives_right_outputs(*case_run.fast, case_run.test)) return std::nullopt;
  std::uint64_t total = 0;
  for (const auto& launch : case_run.fast->launches) {
    const auto value = launch.values.find(std::string(counter));
    if (value != launch.values.end()) total += value->second;
  }
  return total;
}

Cases counted(Cases cases) {
  const auto wrong = [](const CaseRun* case_run) { return !gives_right_outputs(case_run->observed, case_run->test); };
  if (!std::ranges::all_of(cases.case_runs, wrong)) std::erase_if(cases.case_runs, wrong);
  return cases;
}

std::string why_uncounted(const CaseRun& case_run) {
  return case_run.fast ? "gives a wrong result when compiled with optimisation" : "gives a wrong result";
}

}  // namespace cudalabs

std::string Catch::StringMaker<cudalabs::Cases>::convert(const cudalabs::Cases& subject) {
  if (!subject.built) return "no case";
  return fmt::format("of {} {}", subject.case_runs.size(), subject.case_runs.size() == 1 ? "case" : "cases");
}
