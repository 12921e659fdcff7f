// The times that lab 6's functions return, held against those of the clock of the virtual GPU's own process.
#pragma once

#include <string>
#include <string_view>

#include "check/submission_run.h"

namespace cudalabs::lab6 {

bool is_launch(const WatchedCall& call);
bool is_record(const WatchedCall& call);
/// It says whether the device is done, and does not wait.
bool is_query(const WatchedCall& call);
/// " (timing.cu:26)", or " (timing.cu:26, called in line 40)" of one that a function of the same file makes; empty
/// where it is not known.
std::string place(const WatchedCall& call);
/// ", which the macro `CHECK` calls in line 15," where the call's line has only that; empty: it has the call.
std::string by_macro(const WatchedCall& call, std::string_view source);

/// What the kernel took, in milliseconds, launch by launch: the first one often more than the others; and what a call
/// of `launch()` cost the host: what the case says that it costs at least, and what the runner saw it cost.
struct Kernel {
  double shortest = 0, longest = 0;
  double host_least = 0, host_seen = 0;
};

/// What the case's function returned, in milliseconds.
double returned_by(const CaseRun& case_run);

/// What is wrong with a time.
struct TimeFault {
  std::string text;        // nothing: empty
  bool explained = false;  // it says why
  int power = 0;           // it is 10 to this power times what it can be: 3 of microseconds; 0: nothing of the kind
  std::string seen = {};   // of such a one: the text without the reason

  bool none() const { return text.empty(); }
};
using TimeObjection = TimeFault(double milliseconds, const Kernel& kernel);

/// Of a run that came to its end: what `objection` has against `returned`, for the kernel that the run launched.
TimeFault time_objection(const CaseRun& case_run, double returned, TimeObjection* objection);

/// Of a time that is longer than the launch: the call that waits for the kernel before the clock is read again. Empty
/// where there is none.
std::string wait_in_time(const Observation& run);

/// Of a launch that is timed while the device may still have other work: the call between the reading of the clock and
/// the launch, as the runner marks it, that waits for that work, whether or not it was done by then. Empty where there
/// is none.
std::string wait_before_launch(const Observation& run);

/// Of a time of the host's clock that is as long as several of the run's kernels: which they are. Empty where it is
/// not.
std::string kernels_in_time(const Observation& run, double milliseconds);

/// Of a run with several launches while the clock ran, and of a time that holds all of their kernels, as these took on
/// this machine: that it does. However busy the machine is, so that one of them may have taken as long as all should.
/// Empty where it is not so, as of a mean.
std::string launches_in_time(const Observation& run, double milliseconds);

/// Of a run in which a kernel was launched, and not waited for, before the clock was read and the measured one was
/// launched: whatever time came out, it is not that one's alone. Empty where it is not so.
std::string kernel_before_clock(const Observation& run);

/// Of a run in which a launch failed and no call told the program so: the question for the last error that another
/// thread of the host asks. Empty where there is none.
std::string asked_in_another_thread(const Observation& run);

/// Of a time that is the same in all cases.
std::string same_as_the_others(const Observation& run, double milliseconds, bool has_destructor = false);

/// Of a run in which a launch failed, so that the function returned `returned`, and then the function was called once
/// more: what is wrong with `later`, which that call returned, where the error is to blame. Nothing: empty.
std::string trouble_after_an_error(const Observation& run, double returned, double later);

/// Of a run in which no call waits after the last launch: what was called in its place, and whether the clock was read.
std::string nothing_waits(const Observation& run);

/// At least what `launch()` is known to cost the host, and not so much that it is the kernel.
TimeObjection not_the_launch;
/// What the device itself measured, or a little more: the way to the device and back, and a busy machine.
TimeObjection not_as_the_device_measures;
/// The same of a clock of the host.
TimeObjection not_as_the_device_measures_by_the_host;
TimeObjection not_negative;

}  // namespace cudalabs::lab6
