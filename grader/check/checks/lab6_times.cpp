#include "check/checks/lab6_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "check/checks/lab6_units.h"
#include "check/measured_cases.h"
#include "datasets/array.h"
#include "source/call_text.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs::lab6 {
namespace {

// How much a time may be off: the way to the device and back, and a busy machine, or `kLess` less than the device's.
constexpr double kShare = 0.25, kPatience = 30, kLess = 0.05;

/// Never twice the kernel's, also on a machine that needs less than 40 ms for it: who launches it twice measures that.
bool is_the_kernels(double milliseconds, const Kernel& kernel) {
  const double patience = std::min(kPatience, kernel.longest / 2);
  return milliseconds >= (1 - kLess) * kernel.shortest && milliseconds <= (1 + kShare) * kernel.longest + patience;
}

constexpr double kStepOfFloat = 500;
constexpr std::string_view kWholeSeconds =
    "is a reading of the clock kept in whole seconds, or in a `float`, which has room for seven digits?";

bool after_clock(const WatchedCall& call) {
  return call.after_clock;
}

/// What a reading of the clock can lose, seen from a wrong time: the runner's clocks have been on for months, and a
/// second ends after the first reading. `fits`: whether a time would be right. Empty where it is nothing of this kind.
template <typename Fits>
std::string trouble_with_the_clock(double milliseconds, const Fits& fits) {
  constexpr double kSecond = 1000, kDay = 86'400 * kSecond;
  if (milliseconds < 0 && fits(milliseconds + kSecond))
    return "; that is a second too little: subtract the seconds, too, and not only the nanoseconds (`tv_nsec`)";
  if (std::abs(milliseconds) > kDay)
    return "; that is more than a day: was one of the two readings made in an earlier call, or not at all?";
  if (milliseconds == 0) return fmt::format("; {} Or was the time computed before the second reading?", kWholeSeconds);
  if (milliseconds > 0 && std::fmod(milliseconds, kStepOfFloat) == 0) return fmt::format("; {}", kWholeSeconds);
  return {};
}

/// Of a time that is wrong: the power of ten by which it is too much, where it is one; `fits` as above.
template <typename Fits>
int power_too_much(double milliseconds, const Fits& fits) {
  constexpr std::array<std::pair<int, double>, 3> kFactors{{{3, 1e-3}, {6, 1e-6}, {-3, 1e3}}};
  const auto found =
      std::ranges::find_if(kFactors, [&](const auto& factor) { return fits(factor.second * milliseconds); });
  return milliseconds <= 0 || found == kFactors.end() ? 0 : found->first;
}

std::string beside_the_devices_time(double milliseconds, const Kernel& kernel) {
  return fmt::format("returned {:.4g} ms; by the device's own clock the kernel took {:.4g} ms", milliseconds,
                     kernel.longest);
}

// Who waits for a processor between the clock and the launch, or between the kernel's end and the clock, measures more.
const MeasuredCases kMeasured("lab6_timing", [](const CaseRun& case_run) {
  if (case_run.observed.end != RunEnd::finished) return false;
  const auto is_wrong = [&](std::string_view tag, TimeObjection* objection) {
    return std::ranges::find(case_run.test.spec.tags, tag) != case_run.test.spec.tags.end() &&
           !time_objection(case_run, returned_by(case_run), objection).none();
  };
  return is_wrong("launch_time", &not_the_launch) || is_wrong("host_time", &not_as_the_device_measures) ||
         is_wrong("event_time", &not_as_the_device_measures);
});

}  // namespace

bool is_launch(const WatchedCall& call) {
  return call.name == "cudaLaunchKernel" || call.name == "cudaLaunchKernelExC" ||
         call.name == "cudaLaunchCooperativeKernel";
}

bool is_record(const WatchedCall& call) {
  return call.name == "cudaEventRecord" || call.name == "cudaEventRecordWithFlags";
}

bool is_query(const WatchedCall& call) {
  return call.name == "cudaStreamQuery" || call.name == "cudaEventQuery";
}

std::string place(const WatchedCall& call) {
  if (!call.where.known()) return {};
  const std::string name = call.where.file.substr(call.where.file.rfind('/') + 1);
  const bool called = call.outer.known() && call.outer.file == call.where.file && call.outer.line != call.where.line;
  return fmt::format(" ({}:{}{})", name, call.where.line,
                     called ? fmt::format(", called in line {}", call.outer.line) : std::string());
}

std::string by_macro(const WatchedCall& call, std::string_view source) {
  const auto macro = call_by_macro(source, call.where.line, call.name);
  return macro ? fmt::format(", which the macro `{}` calls in line {},", macro->macro, macro->line) : std::string();
}

std::string wait_in_time(const Observation& run) {
  const auto& calls = run.watched;
  const auto launch = std::find_if(calls.rbegin(), calls.rend(), is_launch).base();
  const auto wait = std::find_if(launch, calls.end(), [](const WatchedCall& call) { return call.waits; });
  if (wait == calls.end() || std::any_of(launch, std::next(wait), after_clock)) return {};
  if (!run.clock_after_watched && std::none_of(std::next(wait), calls.end(), after_clock)) return {};
  return fmt::format("; `{}`{} waits for the kernel before the clock is read again", wait->name, place(*wait));
}

std::string wait_before_launch(const Observation& run) {
  const auto& calls = run.watched;
  const auto launch = std::ranges::find(calls, "cudaProfilerStop", &WatchedCall::name);
  if (launch == calls.end()) return {};
  // Backwards: between the wait and the launch no clock is read, but before the wait one was.
  for (auto call = launch; call != calls.begin(); --call) {
    const auto before = std::prev(call);
    if (call->after_clock) return {};
    if (!before->waits) continue;
    if (std::none_of(calls.begin(), call, after_clock)) return {};
    return fmt::format("; `{}`{} waits for what the device did before, while the clock runs: wait first", before->name,
                       place(*before));
  }
  return {};
}

std::string same_as_the_others(const Observation& run, double milliseconds, bool has_destructor) {
  std::string text = fmt::format("returned {:.4g} ms, exactly as in all the others", milliseconds);
  const bool reads_clock = run.clock_after_watched || std::ranges::any_of(run.watched, after_clock);
  if (!reads_clock) return text + ": times that are measured differ";
  text += ", although a clock is read: ";
  if (milliseconds == 0 && has_destructor && run.clock_after_watched)
    return text + "is the time written by a destructor? It runs after the value of `return` has been taken";
  return std::fmod(milliseconds, kStepOfFloat) == 0 ? text.append(kWholeSeconds)
                                                    : text + "is the difference of its two readings returned?";
}

std::string trouble_after_an_error(const Observation& run, double returned, double later) {
  if (returned >= 0 || later >= 0) return {};
  // The runner calls this again between the two.
  const auto begin = std::ranges::find(run.watched, "cudaProfilerStart", &WatchedCall::name);
  const auto fails = [](const WatchedCall& call) { return is_launch(call) && call.status != 0; };
  const auto failed = std::find_if(run.watched.begin(), begin, fails);
  if (begin == run.watched.end() || failed == begin || std::any_of(begin, run.watched.end(), fails)) return {};
  // Nor is it the launch's fault where something else fails, such as a time that is asked for before it is there.
  const auto fails_by_itself = [&](const WatchedCall& call) {
    return call.status != 0 && call.status != failed->status;
  };
  if (std::any_of(begin, run.watched.end(), fails_by_itself)) return {};
  const auto finds_error = [](const WatchedCall& call) {
    return call.status != 0 && (call.name == "cudaGetLastError" || call.name == "cudaPeekAtLastError");
  };
  const auto found = std::find_if(begin, run.watched.end(), finds_error);
  // A time that comes out negative by itself is no error that is told.
  if (found == run.watched.end() && returned != later) return {};
  const std::string text = fmt::format("returned {:.4g} in the next call, in which no launch failed", later);
  if (found == run.watched.end()) return text;
  return fmt::format("{}: `{}`{} still found the error of the launch before{}", text, found->name, place(*found),
                     found->name == "cudaPeekAtLastError"
                         ? "; it clears none, and `cudaGetLastError()` does"
                         : ", which nothing had cleared; call `cudaGetLastError()` after every launch, also after one "
                           "that failed");
}

namespace {

/// What such a call does in the place of a wait; empty: nobody takes it for one.
std::string_view instead_of_a_wait(const WatchedCall& call) {
  if (call.name.starts_with("cudaStreamWaitEvent")) return "makes a stream wait, and not the host";
  if (is_record(call)) return "puts the event into a stream, and waits for nothing";
  return {};
}

/// Of what was called after the launch, what is taken for a wait first of all: the last of its kind.
const WatchedCall* taken_for_wait(std::span<const WatchedCall> calls) {
  const WatchedCall* found = nullptr;
  for (const WatchedCall& call : calls) {
    if (call.status != 0 || instead_of_a_wait(call).empty()) continue;
    if (found == nullptr || is_record(*found) || !is_record(call)) found = &call;
  }
  return found;
}

}  // namespace

std::string nothing_waits(const Observation& run) {
  const auto launch = std::find_if(run.watched.rbegin(), run.watched.rend(), is_launch).base();
  const auto query = std::find_if(launch, run.watched.end(), [](const WatchedCall& call) {
    return is_query(call) && call.status == cudaErrorNotReady;
  });
  if (query != run.watched.end()) {
    return fmt::format(
        "`{}`{} does not wait for the kernel: it returned cudaErrorNotReady, for the device was still at work",
        query->name, place(*query));
  }
  std::string text = "after the launch nothing waits for the device";
  if (const WatchedCall* other = taken_for_wait({launch, run.watched.end()}))
    text = fmt::format("`{}`{} {}: {}", other->name, place(*other), instead_of_a_wait(*other), text);
  const bool reads = run.clock_after_watched || std::any_of(launch, run.watched.end(), after_clock);
  return reads ? text + ", so the clock is read while the kernel runs" : text;
}

namespace {

/// The kernels that ran while the clock did, as far as the calls tell: those that were launched before it was read for
/// the last time before the last launch, and that nothing has waited for, and those launched after that.
struct TimedKernels {
  std::size_t before = 0, during = 0;
  double milliseconds = 0;            // of all of them together
  const WatchedCall* last = nullptr;  // the last call before the clock was read; null: it was not
};

TimedKernels timed_kernels(const Observation& run) {
  const auto& calls = run.watched;
  std::vector<std::size_t> launches;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (is_launch(calls[i]) && calls[i].status == 0) launches.push_back(i);
  }
  if (launches.size() < 2 || run.launch_seconds.size() < launches.size()) return {};
  const auto seconds = std::span(run.launch_seconds).last(launches.size());
  std::size_t begin = launches.back() + 1;
  while (begin > 0 && !calls[begin - 1].after_clock) --begin;
  if (begin == 0) return {};
  --begin;
  TimedKernels timed;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto from = calls.begin() + static_cast<std::ptrdiff_t>(std::min(launches[i], begin));
    const auto until = calls.begin() + static_cast<std::ptrdiff_t>(begin);
    if (std::any_of(from, until, [](const WatchedCall& call) { return call.waits; })) continue;
    timed.milliseconds += seconds[i] * 1e3;
    ++(launches[i] < begin ? timed.before : timed.during);
  }
  if (begin > 0) timed.last = &calls[begin - 1];
  return timed;
}

/// "wait for it first, after `cudaGetLastError` (timing.cu:33)"
std::string wait_first(const TimedKernels& timed) {
  const bool named = timed.last != nullptr && timed.last->where.known() && !is_launch(*timed.last);
  return "wait for it first" +
         (named ? fmt::format(", after `{}`{}", timed.last->name, place(*timed.last)) : std::string());
}

}  // namespace

std::string kernels_in_time(const Observation& run, double milliseconds) {
  const TimedKernels timed = timed_kernels(run);
  const bool all_of_them = is_the_kernels(milliseconds, {0.75 * timed.milliseconds, timed.milliseconds});
  if (timed.before + timed.during < 2 || !all_of_them) return {};
  if (timed.before == 0) return fmt::format("; `launch()` is called {} times while the clock runs", timed.during);
  return "; a kernel that was launched before still ran when the clock was read: " + wait_first(timed);
}

std::string launches_in_time(const Observation& run, double milliseconds) {
  const TimedKernels timed = timed_kernels(run);
  if (timed.before != 0 || timed.during < 2 || milliseconds < (1 - kLess) * timed.milliseconds) return {};
  return fmt::format("; `launch()` is called {} times while the clock runs", timed.during);
}

std::string kernel_before_clock(const Observation& run) {
  const TimedKernels timed = timed_kernels(run);
  if (timed.before == 0 || timed.during == 0) return {};
  return "; a kernel was launched before the clock was read, nothing waits for it, and the time holds what is left of "
         "it, too: " +
         wait_first(timed);
}

// The runtime keeps the last error for each thread of the host: after a launch that failed, and before any call has
// told its error, only another thread is told that there is none.
std::string asked_in_another_thread(const Observation& run) {
  const auto& calls = run.after_failure;
  if (calls.empty() || !is_launch(calls.front()) || calls.front().status == 0) return {};
  const auto asked = std::ranges::find_if(calls, [](const WatchedCall& call) {
    return call.status == 0 && (call.name == "cudaGetLastError" || call.name == "cudaPeekAtLastError");
  });
  const bool told_before =
      std::any_of(std::next(calls.begin()), asked, [](const auto& call) { return call.status != 0; });
  if (asked == calls.end() || told_before || !asked->where.known()) return {};
  return fmt::format(
      "; `{}`{} returned no error: it asks in another thread of the host than the one that launched, and each thread "
      "has its own last error. Ask in the thread that calls `launch()`",
      asked->name, place(*asked));
}

double returned_by(const CaseRun& case_run) {
  return datasets::values_of<double>(case_run.observed.outputs.at(0)).at(0);
}

TimeFault time_objection(const CaseRun& case_run, double returned, TimeObjection* objection) {
  const Observation& run = case_run.observed;
  if (std::isnan(returned)) return {"returned NaN"};
  const auto host_least = static_cast<double>(case_run.test.spec.parameters.at("host_us")) * 1e-3;
  const double host_seen = std::max(host_least, datasets::values_of<double>(run.outputs.at(2)).at(0));
  // The last ones: before, the function may have been called with another kernel.
  const auto launched = [](const WatchedCall& call) { return is_launch(call) && call.status == 0; };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(run.watched, launched));
  const std::size_t wanted = std::min(count, run.launch_seconds.size());
  if (wanted == 0) return objection(returned, {});
  const auto [shortest, longest] = std::ranges::minmax(std::span(run.launch_seconds).last(wanted));
  return objection(returned, {shortest * 1e3, longest * 1e3, host_least, host_seen});
}

/// At least what `launch()` is known to cost the host, which differs from case to case, so that no constant fits; and
/// above it at most half of what the kernel takes: on a machine with nothing else to do it is a hundredth, and who
/// waits for the kernel gets all of it. On a slow machine, half of the kernel would leave room for one number in all
/// cases.
TimeFault not_the_launch(double milliseconds, const Kernel& kernel) {
  constexpr double kMostAbove = 40;
  if (kernel.shortest <= 0) return {"launched no kernel"};
  const double above = std::min(kernel.shortest / 2, kMostAbove);
  const auto within = [&](double time) { return time >= kernel.host_least && time <= kernel.host_seen + above; };
  if (milliseconds > 0 && within(milliseconds)) return {};
  const std::string text =
      fmt::format("returned {:.4g} ms; `launch()` took the host {:.4g} ms, and the kernel {:.4g} ms", milliseconds,
                  kernel.host_seen, kernel.shortest);
  // It may have waited for the kernel, too.
  const auto launch_or_kernel = [&](double time) {
    return within(time) || is_the_kernels(time - kernel.host_seen, kernel);
  };
  const int power = power_too_much(milliseconds, launch_or_kernel);
  if (const std::string why = trouble_with_the_clock(milliseconds, within); !why.empty())
    return {text + why, true, power, text};
  if (power > 0) return {text + times_too_much(power), true, power, text};
  if (milliseconds > 0 && milliseconds == std::floor(kernel.host_seen)) {
    return {
        text + ": a whole number, whose fraction was cut off; compute in `double`, and convert no time to an integer",
        true};
  }
  if (milliseconds < 0)
    return {text + "; no time is negative: subtract the first reading of the clock from the second", true};
  // A thousandth may as well be the time of nothing at all.
  const bool beyond_waiting = milliseconds > kernel.host_seen + 2 * kernel.longest + kPatience;
  return beyond_waiting ? TimeFault{text + "; not even waiting takes so long: are these milliseconds?", true}
                        : TimeFault{text, false, power, text};
}

TimeFault not_as_the_device_measures(double milliseconds, const Kernel& kernel) {
  if (kernel.shortest <= 0) return {"launched no kernel"};
  if (is_the_kernels(milliseconds, kernel)) return {};
  const std::string text = beside_the_devices_time(milliseconds, kernel);
  if (is_the_kernels(-milliseconds, kernel)) return {text + "; subtract the earlier time from the later one", true};
  const int power = power_too_much(milliseconds, [&](double time) { return is_the_kernels(time, kernel); });
  if (power != 0) return {text + times_too_much(power), true, power, text};
  const bool a_thousand_times = milliseconds / 1000 >= (1 - kLess) * kernel.shortest;
  return a_thousand_times ? TimeFault{text + ": are these milliseconds?", true} : TimeFault{text};
}

TimeFault not_as_the_device_measures_by_the_host(double milliseconds, const Kernel& kernel) {
  TimeFault fault = not_as_the_device_measures(milliseconds, kernel);
  if (fault.none() || kernel.shortest <= 0 || is_the_kernels(-milliseconds, kernel)) return fault;
  const auto fits = [&](double time) { return is_the_kernels(time, kernel); };
  const std::string why = trouble_with_the_clock(milliseconds, fits);
  return why.empty() ? fault
                     : TimeFault{beside_the_devices_time(milliseconds, kernel) + why, true, fault.power, fault.seen};
}

TimeFault not_negative(double milliseconds, const Kernel&) {
  if (milliseconds < 0) return {};
  constexpr double kWrap = 4'294'967'296, kMostError = 1000;  // 2^32; errors of the runtime have smaller numbers
  if (const double error = kWrap - milliseconds; error > 0 && error < kMostError && std::floor(error) == error) {
    return {fmt::format("returned {:.0f}, which is 2^32 - {:.0f} and not negative: minus a number without a sign has "
                        "none either; convert the number of the error to `int` before the minus",
                        milliseconds, error),
            true};
  }
  return {fmt::format("returned {:.4g}, which is not negative, after a launch or a kernel that failed", milliseconds)};
}

}  // namespace cudalabs::lab6
