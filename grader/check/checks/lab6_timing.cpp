// Lab 6: what the lines of its rubric ask of a submission but that it compiles. Times are judged in lab6_times.h, the
// order of runtime calls by what the virtual GPU's own process saw.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "check/checks/lab6_errors.h"
#include "check/checks/lab6_events.h"
#include "check/checks/lab6_float_reading.h"
#include "check/checks/lab6_fractions.h"
#include "check/checks/lab6_late_wait.h"
#include "check/checks/lab6_left_events.h"
#include "check/checks/lab6_milliseconds.h"
#include "check/checks/lab6_times.h"
#include "check/matchers.h"
#include "check/way_out.h"
#include "datasets/array.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

using namespace lab6;
using Call = std::vector<WatchedCall>::const_iterator;

/// After it the device has done what was launched: a wait for the right stream or event, a query that says "done", a
/// blocking copy, a host function's turn.
bool is_wait(const WatchedCall& call) {
  return call.waits;
}
bool waits_elsewhere(const WatchedCall& call) {
  return !call.waits && (call.name == "cudaStreamSynchronize" || call.name == "cudaEventSynchronize");
}

/// The last call of a kind; the end when there is none.
template <typename Kind>
Call last(const std::vector<WatchedCall>& calls, Kind kind) {
  const auto found = std::find_if(calls.rbegin(), calls.rend(), kind);
  return found == calls.rend() ? calls.end() : std::prev(found.base());
}

/// Where the events were recorded, if both were before the launch.
std::string records_before(const std::vector<WatchedCall>& calls, Call launch) {
  const Call first = std::find_if(calls.begin(), launch, is_record);
  const Call second = first == launch ? launch : std::find_if(std::next(first), launch, is_record);
  if (second == launch) return {};
  return fmt::format(": both are recorded before it, `{}`{} and `{}`{}", first->name, place(*first), second->name,
                     place(*second));
}

/// Why a case has no result: what its run ended with, or the error of the device that explains it.
std::string why_unfinished(const CaseRun& case_run) {
  const Judgement& judgement = case_run.judged();
  if (judgement.ending) return judgement.ending->message;
  const auto error = std::ranges::find(judgement.device, Severity::error, &Finding::severity);
  return error == judgement.device.end() ? "did not finish" : error->message;
}

/// Of a function that returned `returned` although a call had failed.
std::string why_not_negative(const Observation& run, double returned, std::string_view source) {
  const std::string code = without_comments(source);
  if (std::string wrapped = why_wrapped(returned, code); !wrapped.empty()) return wrapped;
  const WatchedCall* told = first_told(run.after_failure);
  return told == nullptr ? asked_in_another_thread(run) : error_in_hand(*told, code);
}

/// Judges what the case's function returned, in a run that came to its end.
class ReturnedTime : public CaseMatcher {
 public:
  ReturnedTime(std::string_view lacking, TimeObjection* because) : lacking_(lacking), objection_(because) {}

 private:
  std::string objection(const CaseRun& case_run) const final { return fault(case_run).text; }
  bool says_what_to_do(const CaseRun& case_run) const final { return fault(case_run).explained; }
  TimeFault fault(const CaseRun& case_run) const {
    const Observation& run = case_run.observed;
    if (run.end != RunEnd::finished) return {why_unfinished(case_run)};
    const double returned = returned_by(case_run);
    TimeFault found = time_objection(case_run, returned, objection_);
    const bool by_host = objection_ == &not_as_the_device_measures_by_the_host;
    // How much of an earlier kernel is left when the clock is read is the machine's doing; that it may be is not.
    std::string more;
    if (found.none() && by_host) more = kernel_before_clock(run);
    if (found.none() && by_host && more.empty()) more = launches_in_time(run, returned);
    const auto older = case_run.test.spec.parameters.find("older_rounds");
    const bool behind_other_work = older != case_run.test.spec.parameters.end() && older->second != 0;
    if (found.none() && objection_ == &not_the_launch && behind_other_work) more = wait_before_launch(run);
    if (!more.empty()) return {fmt::format("returned {:.4g} ms{}", returned, more), true};
    if (!found.none() && (by_host || objection_ == &not_the_launch)) {
      const std::string digits = why_no_digits(returned, submission_run().source);
      if (!digits.empty()) return {fmt::format("returned {:.4g} ms{}", returned, digits), true};
    }
    found.text += why_too_much(case_run, found);
    if (found.none() || found.explained) return found;
    std::string why;
    if (by_host) why = kernels_in_time(run, returned);
    if (objection_ == &not_the_launch) why = wait_in_time(run);
    if (objection_ == &not_negative) why = why_not_negative(run, returned, submission_run().source);
    return {found.text + why, !why.empty()};
  }
  std::string_view property() const override { return lacking_; }

  std::string_view lacking_;
  TimeObjection* objection_;
};
ReturnedTime notice_the_error() {
  return {"did not return a negative number", &not_negative};
}

class WorkAgainAfterAnError : public CaseMatcher {
  std::string objection(const CaseRun& case_run) const override {
    const auto rounds = case_run.test.spec.parameters.find("later_rounds");
    if (rounds == case_run.test.spec.parameters.end() || rounds->second == 0) return {};
    if (case_run.observed.end != RunEnd::finished) return {};  // another matcher says so
    const double later = datasets::values_of<double>(case_run.observed.outputs.at(4)).at(0);
    return trouble_after_an_error(case_run.observed, returned_by(case_run), later);
  }
  std::string_view property() const override { return "did not return a time again after a launch that failed"; }
};

class ReturnFractions : public CaseMatcher {
 public:
  explicit ReturnFractions(const Cases& cases) : all_whole_(all_are_whole(cases.case_runs)) {}

 private:
  std::string objection(const CaseRun& case_run) const override {
    return all_whole_ ? why_whole(returned_by(case_run), submission_run().source) : std::string();
  }
  bool says_what_to_do(const CaseRun&) const override { return all_whole_; }
  std::string_view property() const override { return "returned whole milliseconds"; }

  bool all_whole_;
};

/// "~Span()"
bool defines_destructor(std::string_view code) {
  for (std::size_t at = code.find('~'); at != kNowhere; at = code.find('~', at + 1)) {
    const std::size_t name = past_spaces(code, at + 1), open = past_spaces(code, end_of_word(code, name));
    const std::size_t close = open < code.size() && code[open] == '(' ? past_bracket(code, open) : kNowhere;
    if (close == kNowhere || open == name) continue;
    const std::size_t body = past_spaces(code, close);
    if (body < code.size() && (code[body] == '{' || code.substr(body).starts_with("noexcept"))) return true;
  }
  return false;
}

/// The kernels of a function's cases differ, and no two readings of a clock that counts nanoseconds are the same. What
/// the device's own time leaves room for, on a busy machine, is enough for one number in all cases. A negative number
/// says that something failed.
class DifferFromCaseToCase : public CaseMatcher {
 public:
  explicit DifferFromCaseToCase(const Cases& cases)
      : all_equal_(cases.case_runs.size() >= 2 && std::ranges::all_of(cases.case_runs, [&](const CaseRun* case_run) {
                     return case_run->observed.end == RunEnd::finished && returned_by(*case_run) >= 0 &&
                            returned_by(*case_run) == returned_by(*cases.case_runs.front());
                   })) {}

 private:
  std::string objection(const CaseRun& case_run) const override {
    if (!all_equal_) return {};
    if (std::string cut = cut_off(case_run); !cut.empty()) return cut;
    const bool has_destructor = defines_destructor(without_comments(submission_run().source));
    return same_as_the_others(case_run.observed, returned_by(case_run), has_destructor);
  }
  bool says_what_to_do(const CaseRun& case_run) const override { return all_equal_ && !cut_off(case_run).empty(); }
  static std::string cut_off(const CaseRun& case_run) {
    const bool reads_clock =
        case_run.observed.clock_after_watched ||
        std::ranges::any_of(case_run.observed.watched, [](const WatchedCall& call) { return call.after_clock; });
    if (!reads_clock) return {};
    const double returned = returned_by(case_run);
    const std::string& source = submission_run().source;
    if (std::string whole = why_the_same(returned, source); !whole.empty()) return whole;
    const std::string digits = why_no_digits(returned, source);
    return digits.empty() ? digits
                          : fmt::format("returned {:.4g} ms, exactly as in all the others{}", returned, digits);
  }
  std::string_view property() const override { return "returned the same number"; }

  bool all_equal_;
};

class LookAtTheHostsClock : public CaseMatcher {
  std::string objection(const CaseRun& case_run) const override {
    const auto& calls = case_run.observed.watched;
    const auto reads = [](const WatchedCall& call) { return call.after_clock; };
    if (case_run.observed.clock_after_watched || std::ranges::any_of(calls, reads)) return {};
    const auto asks = [](const WatchedCall& call) { return call.name == "cudaEventElapsedTime"; };
    const Call asked = std::ranges::find_if(calls, asks);
    if (asked == calls.end()) return {};  // a clock that the grader cannot see, perhaps
    return "takes the time from events, `cudaEventElapsedTime`" + place(*asked) + ", and not from a clock of the host";
  }
  std::string_view property() const override { return "did not look at a clock of the host"; }
};

class CallWhatTheyAreGiven : public CaseMatcher {
  std::string objection(const CaseRun& case_run) const override {
    if (case_run.observed.end != RunEnd::finished) return {};  // another check says so
    if (datasets::values_of<int>(case_run.observed.outputs.at(1)).at(0) > 0) return {};
    return "never calls `launch()`, the function that it is given";
  }
  std::string_view property() const override { return "did not launch what they were given"; }
};

/// Clocks were read before `wait`, and none after it. Where no clock is seen at all, nobody can tell.
bool reads_clock_too_early(const Observation& run, Call wait) {
  const auto reads = [](const WatchedCall& call) { return call.after_clock; };
  const bool after = run.clock_after_watched || std::any_of(std::next(wait), run.watched.end(), reads);
  return !after && std::any_of(run.watched.begin(), std::next(wait), reads);
}

class WaitForTheDevice : public CaseMatcher {
  std::string objection(const CaseRun& case_run) const override {
    const auto& calls = case_run.observed.watched;
    const Call launch = last(calls, is_launch);
    if (launch == calls.end()) return "launched no kernel";
    if (const Call wait = std::find_if(launch, calls.end(), is_wait); wait != calls.end()) {
      return reads_clock_too_early(case_run.observed, wait) ? late_wait(*wait, submission_run().source) : "";
    }
    const Call other = std::find_if(launch, calls.end(), waits_elsewhere);
    if (other != calls.end()) {
      const bool of_event = other->name == "cudaEventSynchronize";
      return fmt::format(
          "`{}`{} waits for {}", other->name, place(*other),
          of_event ? "an event that does not come after the kernel" : "another stream than that of the kernel");
    }
    return nothing_waits(case_run.observed);
  }
  std::string_view property() const override { return "did not wait"; }
};

class EncloseTheLaunch : public CaseMatcher {
  /// That a wait is missing is all that the lab's words for this check are about.
  bool says_what_to_do(const CaseRun& case_run) const override {
    return case_run.observed.end == RunEnd::finished &&
           objection(case_run).find("before anything has waited") == std::string::npos;
  }
  std::string objection(const CaseRun& case_run) const override {
    const auto& calls = case_run.observed.watched;
    const Call launch = last(calls, is_launch);
    if (launch == calls.end()) return "launched no kernel";
    if (std::string trouble = trouble_with_events(calls); !trouble.empty()) return trouble;
    if (std::find_if(calls.begin(), launch, is_record) == launch) return "no event is recorded before the launch";
    const Call end = std::find_if(launch, calls.end(), is_record);
    if (end == calls.end()) return "no event is recorded after the launch" + records_before(calls, launch);
    // The answer counts, and not that it was "not ready" before.
    const auto asks = [](const WatchedCall& call) { return call.name == "cudaEventElapsedTime"; };
    const auto answers = [&](const WatchedCall& call) { return asks(call) && call.status == 0; };
    Call asked = std::find_if(end, calls.end(), answers);
    if (asked == calls.end()) asked = std::find_if(end, calls.end(), asks);
    if (asked == calls.end()) return "nobody asks `cudaEventElapsedTime` after the second event was recorded";
    if (std::any_of(end, calls.end(), [](const WatchedCall& call) { return call.encloses; })) return {};
    if (case_run.observed.end != RunEnd::finished) return why_unfinished(case_run);
    return "the two events of `cudaEventElapsedTime`" + place(*asked) +
           " do not have the kernel between them: record both in the kernel's stream, one before and one after the "
           "launch, and wait for the second";
  }
  std::string_view property() const override { return "did not enclose the kernel"; }
};

class NeverWaitBetweenLaunches : public CaseMatcher {
  bool saw_fault(const CaseRun& case_run) const override {
    return std::ranges::count_if(case_run.observed.watched, is_launch) >= 2;
  }
  std::string objection(const CaseRun& case_run) const override {
    if (!saw_fault(case_run)) return "there are not two launches";
    const auto& calls = case_run.observed.watched;
    const Call first = std::ranges::find_if(calls, is_launch), second = last(calls, is_launch);
    // One query that finds the device done has not waited for it; one after another until it is done has.
    const Call asked = std::find_if(first, second, is_query);
    const Call wait = std::find_if(first, second, [&](const WatchedCall& call) {
      return is_wait(call) && (!is_query(call) || call.where != asked->where || asked->status != 0);
    });
    if (wait == second) return {};
    return fmt::format("`{}`{}{} makes the host wait between the launches", wait->name, place(*wait),
                       by_macro(*wait, submission_run().source));
  }
  std::string_view property() const override { return "did more than they needed"; }
};

class DestroyTheirEvents : public CaseMatcher {
  static constexpr std::string_view kCreate = "cudaEventCreate", kDestroy = "cudaEventDestroy";
  using Calls = std::span<const WatchedCall>;
  struct Counts {
    std::ptrdiff_t created = 0, destroyed = 0;

    bool agree() const { return created == destroyed; }
  };

  /// On a device that is `lost` every call returns the error of the kernel.
  static Counts counts_of(Calls calls, bool lost) {
    const auto count = [&](std::string_view name) {
      return std::ranges::count_if(calls, [&](const WatchedCall& call) {
        return call.name.starts_with(name) && (call.status == 0 || (lost && name == kDestroy));
      });
    };
    return {count(kCreate), count(kDestroy)};
  }

  /// Those of the first call of the function, in which something fails: the runner marks where the second begins.
  static Calls first_call(Calls calls) {
    const auto next = std::ranges::find(calls, "cudaProfilerStart", &WatchedCall::name);
    return calls.first(static_cast<std::size_t>(next - calls.begin()));
  }

  static std::string way_out(Calls calls, const Observation& run, std::string_view code) {
    const auto created = std::find_if(calls.rbegin(), calls.rend(),
                                      [](const WatchedCall& call) { return call.name.starts_with(kCreate); });
    if (created == calls.rend()) return {};
    const auto out = way_out_of(run.after_failure, code, created->where.line, kDestroy, {});
    if (!out) return {};
    const std::string told = fmt::format(": `{}`{} returned the error", out->told->name, place(*out->told));
    if (out->skipped == 0) return told + ", and the function did not destroy all of them after that";
    return told + fmt::format(", and the function returned without the `{}` in line {}", kDestroy, out->skipped);
  }

  static bool leaves_some(const CaseRun& case_run) {
    return !counts_of(case_run.observed.watched, case_run.test.spec.faults.kernel != 0).agree();
  }

  /// What goes wrong without a failure has another reason than the way out after one.
  static bool leaves_some_without_failure() {
    return std::ranges::any_of(submission_run().case_runs, [](const CaseRun& other) {
      return !other.test.spec.faults.any() && leaves_some(other);
    });
  }

  std::string objection(const CaseRun& case_run) const override {
    if (!leaves_some(case_run)) return {};
    const Observation& observed = case_run.observed;
    const bool lost = case_run.test.spec.faults.kernel != 0;
    const Calls first = first_call(observed.watched);
    const Counts of_first = counts_of(first, lost);
    const Counts counts = of_first.agree() ? counts_of(observed.watched, lost) : of_first;
    const bool on_way_out = !of_first.agree() && !leaves_some_without_failure();
    const std::string code = without_comments(submission_run().source);
    std::string why = on_way_out ? way_out(first, observed, code) : std::string();
    if (why.empty()) {
      why = left_event(of_first.agree() ? Calls(observed.watched) : first, code, lost);
      if (on_way_out && !why.empty()) why += ": destroy it on the way out after an error, too";
    }
    return fmt::format("{} events were created and {} destroyed{}", counts.created, counts.destroyed, why);
  }
  std::string_view property() const override { return "left events behind"; }
};

/// What is in another unit, or was cut off, may be anybody's time: no more is said of it then.
void check_times(const Cases& of_check, std::string_view lacking, TimeObjection* because) {
  const ReturnMilliseconds return_milliseconds(of_check, because);
  CHECK_THAT(of_check, return_milliseconds);
  if (return_milliseconds.fails()) return;
  CHECK_THAT(of_check, ReturnFractions(of_check));
  const ReturnedTime measured(lacking, because);
  if (!all_are_whole(of_check.case_runs)) CHECK_THAT(of_check, measured);
}

}  // namespace

TEST_CASE("lab6: `launch_ms` measures the launch, and not the kernel", "[lab6][launch_time]") {
  CHECK_THAT(cases("launch_time"), DifferFromCaseToCase(cases("launch_time")));
  check_times(cases("launch_time"), "did not measure the launch alone", &not_the_launch);
  CHECK_THAT(cases("launch_time"), CallWhatTheyAreGiven());
}

TEST_CASE("lab6: `kernel_ms_host` measures the kernel", "[lab6][host_time]") {
  CHECK_THAT(cases("host_time"), DifferFromCaseToCase(cases("host_time")));
  check_times(cases("host_time"), "did not measure the kernel", &not_as_the_device_measures_by_the_host);
  CHECK_THAT(cases("host_time"), LookAtTheHostsClock());
  CHECK_THAT(cases("host_time"), CallWhatTheyAreGiven());
}

TEST_CASE("lab6: `kernel_ms_host` waits for the device before it reads the clock again", "[lab6][host_waits]") {
  CHECK_THAT(cases("host_waits"), WaitForTheDevice());
}

TEST_CASE("lab6: `kernel_ms_events` measures the kernel", "[lab6][event_time]") {
  CHECK_THAT(cases("event_time"), DifferFromCaseToCase(cases("event_time")));
  check_times(cases("event_time"), "did not measure the kernel", &not_as_the_device_measures);
  CHECK_THAT(cases("event_time"), CallWhatTheyAreGiven());
}

TEST_CASE("lab6: the events enclose the launch, and the second is waited for", "[lab6][event_order]") {
  CHECK_THAT(cases("event_order"), EncloseTheLaunch());
}

TEST_CASE("lab6: a launch or a kernel that fails comes back as a negative time", "[lab6][errors]") {
  CHECK_THAT(cases("errors"), notice_the_error());
  CHECK_THAT(cases("errors"), WorkAgainAfterAnError());
}

TEST_CASE("lab6: the second kernel finds what the first has written", "[lab6][two_stage]") {
  CHECK_THAT(cases("two_stage"), give_right_results());
  CHECK_THAT(cases("two_stage"), have_none({"invalid-launch", "uninitialized-read"}));
  CHECK_THAT(cases("two_stage"), have_none({"memory-errors"}));
  CHECK_THAT(cases("two_stage"), have_none({"races"}));
}

TEST_CASE("lab6: the host does not wait between the two kernels", "[lab6][no_needless_wait]") {
  CHECK_THAT(cases("no_needless_wait"), NeverWaitBetweenLaunches());
}

TEST_CASE("lab6: every event is destroyed, and all device memory is freed", "[lab6][no_leaks]") {
  CHECK_THAT(all_cases(), have_none({"memory-leak"}));
  CHECK_THAT(all_cases(), DestroyTheirEvents());
}

}  // namespace cudalabs
