// What a lab's checks say about cases, as Catch2 matchers: CHECK_THAT(cases("edges"), give_right_results()).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catch/catch.h"
#include "check/submission_run.h"
#include "check/test_case.h"

namespace cudalabs {

/// The cases one check looks at: at least one, but none when the submission was not built.
struct Cases {
  bool built = true;
  std::vector<const CaseRun*> case_runs;
  std::size_t left_out = 0;  // further cases of the lab that were not run: they could change nothing any more
};

/// The cases tagged `tag`, or all. Throw std::logic_error (the lab's fault, not the student's) when there is none.
Cases cases(std::string_view tag);
Cases all_cases();

/// The submission compiled.
class IsBuilt : public MatcherBase<BuildResult> {
 public:
  bool match(const BuildResult& build) const override;
  std::string describe() const override;

 private:
  mutable std::string reason_;
};
inline IsBuilt is_built() {
  return {};
}

/// A property of each case. The description says which cases lack it, and why. Nothing has a property that was not
/// built. Where nothing was seen of any case that lacks it, the session is told (see nothing_seen.h).
class CaseMatcher : public MatcherBase<Cases> {
 public:
  bool match(const Cases& subject) const final;
  std::string describe() const final;

 private:
  /// Empty when the case has the property, else why not: continues "`small` (smaller than a block): ".
  virtual std::string objection(const CaseRun& case_run) const = 0;
  virtual std::string_view property() const = 0;  // continues "of 6 cases 2 "
  /// Of a case with an objection: whether it tells what was seen, not that nothing could be.
  virtual bool saw_fault(const CaseRun&) const { return true; }
  /// Of a case with an objection: whether it says what to do.
  virtual bool says_what_to_do(const CaseRun&) const { return false; }
  /// Of a case with an objection: the finding that it is about, if it is about one.
  virtual const Finding* blamed(const CaseRun&) const { return nullptr; }
  /// Of a case with an objection that is about no finding: whether errors in this case may be why.
  virtual bool is_symptom(const CaseRun& case_run) const { return case_run.is_wrong(); }
  FailedCase failed_case(const CaseRun& case_run) const;

  mutable std::string description_;
};

/// Ran to the end, and every element of every output, or of the one named, is right, and not by luck: no race had a
/// part in it, and no barrier that only some threads reach.
class GiveRightResults : public CaseMatcher {
 public:
  GiveRightResults() = default;
  explicit GiveRightResults(std::string output) : output_(std::move(output)) {}

 private:
  std::string objection(const CaseRun& case_run) const override;
  std::string_view property() const override { return "did not give the right result"; }
  bool is_symptom(const CaseRun&) const override { return true; }

  std::string output_;  // empty: all
};
inline GiveRightResults give_right_results() {
  return {};
}
inline GiveRightResults give_right(std::string output) {
  return GiveRightResults(std::move(output));
}

/// Ran to the end, and every element of every output was written and is finite where the reference is.
class WriteEverything : public CaseMatcher {
  std::string objection(const CaseRun& case_run) const override;
  std::string_view property() const override { return "left something out"; }
  bool is_symptom(const CaseRun&) const override { return true; }
};
inline WriteEverything write_everything() {
  return {};
}

/// Prints something when a call fails: the contract asks for it, and no other sign reaches the caller. A submission
/// that makes fewer calls than the one that is to fail is not struck by it, and need not.
class SayWhatFailed : public CaseMatcher {
  std::string objection(const CaseRun& case_run) const override;
  std::string_view property() const override { return "kept silent about a failure"; }
};
inline SayWhatFailed say_what_failed() {
  return {};
}

/// No finding with one of the ids that is as bad as the table of findings says it has to be; the kernels must have run,
/// or that says nothing.
class HaveNone : public CaseMatcher {
 public:
  explicit HaveNone(std::vector<std::string_view> ids) : ids_(std::move(ids)) {}

 private:
  std::string objection(const CaseRun& case_run) const override;
  std::string_view property() const override { return "did not pass"; }
  bool saw_fault(const CaseRun& case_run) const override { return first_in(case_run) != nullptr; }
  const Finding* blamed(const CaseRun& case_run) const override { return first_in(case_run); }
  const Finding* first_in(const CaseRun& case_run) const;

  std::vector<std::string_view> ids_;
};
/// `names`: ids of findings and names of groups, see ids_named(). Throws std::logic_error for any other.
HaveNone have_none(const std::vector<std::string_view>& names);

/// What is known of the speed that the check is about; `unknown` when nothing was timed. Throws std::logic_error (the
/// lab's fault) when only others' were.
const SpeedResult& speed_of(std::string_view check);

/// Earns all points for speed; what is short of that is awarded its share. What nobody could tell passes.
class BeFastEnough : public MatcherBase<SpeedResult> {
 public:
  bool match(const SpeedResult& result) const override;
  std::string describe() const override;

 private:
  mutable std::string reason_;
};
inline BeFastEnough is_fast_enough() {
  return {};
}

/// The sum of a counter over the launches of a case run's fast build, 0 when no launch has it; nothing when the checked
/// or the fast build did not give the right result. Throws std::logic_error when a right case was not run on the fast
/// build (its tag must be the id of a check on speed or quality).
std::optional<std::uint64_t> total_of(const CaseRun& case_run, std::string_view counter);

/// Of these cases those whose counters can be known, or all when there is none: what is wrong with the result is for
/// other checks to say.
Cases counted(Cases cases);

/// Why total_of gives nothing.
std::string why_uncounted(const CaseRun& case_run);

}  // namespace cudalabs

template <>
struct Catch::StringMaker<cudalabs::Cases> {
  static std::string convert(const cudalabs::Cases& subject);
};
template <>
struct Catch::StringMaker<cudalabs::SpeedResult> {
  static std::string convert(const cudalabs::SpeedResult&) { return "the submission"; }
};
template <>
struct Catch::StringMaker<cudalabs::BuildResult> {
  static std::string convert(const cudalabs::BuildResult&) { return "the submission"; }
};
