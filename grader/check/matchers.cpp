// What a lab's checks say about cases, as Catch2 matchers.
#include "check/matchers.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "check/award.h"
#include "check/case_name.h"
#include "check/finding_groups.h"
#include "check/judge.h"
#include "check/nothing_seen.h"
#include "check/run_end.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Cases spelled out in one message; the rest are named.
constexpr std::size_t kShown = 3;

std::string place_text(const SourcePlace& place) {
  if (!place.known()) return {};
  const std::string name = place.file.substr(place.file.rfind('/') + 1);
  return fmt::format(" at {}:{}", name, place.line);
}

/// Why a trial has no output to look at; empty when it has. What the judgement leaves unsaid, an error finding says.
std::string unfinished(const Trial& trial) {
  const auto& ending = trial.judged().ending;
  if (!trial.observed.after.empty() && trial.observed.end == RunEnd::over_budget)
    return fmt::format("not run to its end: all the time was used up in case `{}`", trial.observed.after);
  if (!trial.observed.after.empty() && (ending || trial.observed.end != RunEnd::finished)) {
    return fmt::format("given little time, for case `{}` did not come to an end before, and did not end in it",
                       trial.observed.after);
  }
  if (ending) return ending->message;
  if (trial.judged().excused || trial.observed.end == RunEnd::finished) return {};
  const auto& findings = trial.judged().device;
  const auto cause = std::ranges::find(findings, Severity::error, &Finding::severity);
  if (cause == findings.end()) throw std::logic_error("a case ended early and nothing says why");
  return fmt::format("stopped by {}{}", cause->id, place_text(cause->where));
}

/// A race among the causes of what is wrong in a trial.
const Finding* race_in(const Trial& trial) {
  const auto& findings = trial.judged().device;
  const auto found = std::ranges::find_if(findings, [](const Finding& finding) {
    return finding.severity == Severity::error &&
           std::ranges::find(finding_ids::kRaces, finding.id) != finding_ids::kRaces.end();
  });
  return found == findings.end() ? nullptr : &*found;
}

std::string mismatch_text(const Trial& trial, const Mismatch& mismatch) {
  const auto& comparisons = trial.judged().comparisons;
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
  Cases found{evidence().build.ok, {}};
  for (const Trial& trial : evidence().trials) found.trials.push_back(&trial);
  if (found.built && found.trials.empty()) throw std::logic_error("the lab has no cases");
  return found;
}

Cases cases(std::string_view tag) {
  Cases found{evidence().build.ok, evidence().with_tag(tag)};
  if (found.built && found.trials.empty()) {
    throw std::logic_error(fmt::format("no case of the lab is tagged \"{}\"", tag));
  }
  return found;
}

bool IsBuilt::match(const BuildResult& build) const {
  reason_.clear();
  if (build.ok) return true;
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
  std::vector<std::string> lines, further;
  bool seen = false;
  for (const Trial* trial : subject.trials) {
    const std::string why = objection(*trial);
    if (why.empty()) continue;
    seen |= saw_fault(*trial);
    if (lines.size() < kShown) {
      lines.push_back(fmt::format("{}: {}", cudalabs::describe(trial->test.spec), why));
    } else {
      further.push_back(trial->test.spec.name);
    }
  }
  if (lines.empty()) return true;
  note_nothing_seen(!seen);
  description_ = fmt::format("{} {}:", lines.size() + further.size(), property());
  for (const std::string& line : lines) description_ += "\n" + line;
  if (!further.empty()) description_ += "\nand " + list_names(further);
  return false;
}

std::string CaseMatcher::describe() const {
  return description_;
}

std::string GiveRightResults::objection(const Trial& trial) const {
  if (auto reason = unfinished(trial); !reason.empty()) return reason;
  for (const Mismatch& mismatch : trial.judged().mismatches) {
    if (output_.empty() || mismatch.output == output_) return mismatch_text(trial, mismatch);
  }
  // One run has one order of the threads, in which the values may come out right. Of several outputs nothing says which
  // one a race touches.
  const Finding* race = output_.empty() || trial.test.expected.size() == 1 ? race_in(trial) : nullptr;
  if (race == nullptr) return {};
  return fmt::format("right in this run, but another order of the threads gives something else: follows from the {}{}",
                     race->id, place_text(race->where));
}

std::string WriteEverything::objection(const Trial& trial) const {
  if (auto reason = unfinished(trial); !reason.empty()) return reason;
  for (const Mismatch& mismatch : trial.judged().mismatches) {
    if (mismatch.finding.id != finding_ids::kResultMismatch) return mismatch_text(trial, mismatch);
  }
  return {};
}

const Finding* HaveNone::first_in(const Trial& trial) const {
  const auto& findings = trial.judged().device;
  const auto found = std::ranges::find_if(findings, [&](const Finding& finding) {
    return finding.severity <= mildest_ && std::ranges::find(ids_, finding.id) != ids_.end();
  });
  return found == findings.end() ? nullptr : &*found;
}

std::string HaveNone::objection(const Trial& trial) const {
  if (const Finding* found = first_in(trial)) return found->id + place_text(found->where);
  return trial.judged().excused || kernels_ran(trial.observed) ? std::string() : unfinished(trial);
}

const SpeedResult& speed_of(std::string_view check) {
  static const SpeedResult nothing;
  const std::vector<SpeedResult>& known = evidence().speed;
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

std::optional<std::uint64_t> total_of(const Trial& trial, std::string_view counter) {
  // Counters of a kernel that was not run, or did something else, would be flattering.
  if (!gives_right_outputs(trial.observed, trial.test)) return std::nullopt;
  if (!trial.fast)
    throw std::logic_error(fmt::format("case \"{}\" was not run for its counters", trial.test.spec.name));
  if (!gives_right_outputs(*trial.fast, trial.test)) return std::nullopt;
  std::uint64_t total = 0;
  for (const auto& launch : trial.fast->launches) {
    const auto value = launch.values.find(std::string(counter));
    if (value != launch.values.end()) total += value->second;
  }
  return total;
}

Cases counted(Cases cases) {
  const auto wrong = [](const Trial* trial) { return !gives_right_outputs(trial->observed, trial->test); };
  if (!std::ranges::all_of(cases.trials, wrong)) std::erase_if(cases.trials, wrong);
  return cases;
}

std::string why_uncounted(const Trial& trial) {
  return trial.fast ? "gives a wrong result when compiled with optimisation" : "gives a wrong result";
}

}  // namespace cudalabs

std::string Catch::StringMaker<cudalabs::Cases>::convert(const cudalabs::Cases& subject) {
  if (!subject.built) return "no case";
  return fmt::format("of {} {}", subject.trials.size(), subject.trials.size() == 1 ? "case" : "cases");
}
