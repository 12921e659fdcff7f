#include "check/checks/lab6_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "check/checks/lab6_times.h"
#include "vgpu/cudart/error_text.h"

namespace cudalabs::lab6 {
namespace {

using Calls = std::vector<WatchedCall>;
using Call = Calls::const_iterator;

/// "`cudaEventRecord` (timing.cu:49)"
std::string named(const WatchedCall& call) {
  return fmt::format("`{}`{}", call.name, place(call));
}

/// Both handles of the default stream.
bool same_stream(const WatchedCall& a, const WatchedCall& b) {
  constexpr std::uint64_t kLegacyDefault = 1;
  const auto number = [](std::uint64_t handle) { return handle == kLegacyDefault ? 0 : handle; };
  return number(a.stream) == number(b.stream);
}

bool answered(const WatchedCall& call) {
  return call.status == 0;
}

/// The call that asks for the time: one that was answered, where there is one.
Call time_asked(const Calls& calls) {
  const auto asks = [](const WatchedCall& call) { return call.name == "cudaEventElapsedTime"; };
  const auto last =
      std::find_if(calls.rbegin(), calls.rend(), [&](const WatchedCall& call) { return asks(call) && answered(call); });
  return last != calls.rend() ? std::prev(last.base()) : std::ranges::find_if(calls, asks);
}

/// The last call before `end` that records the event; `end` where none does.
Call recorded(const Calls& calls, std::uint64_t event, Call end) {
  Call found = end;
  for (Call call = calls.begin(); call != end; ++call)
    if (is_record(*call) && answered(*call) && call->event == event) found = call;
  return found;
}

/// A pair of events: the launch, the question for the time between them, and where they are recorded.
struct Pair {
  Call launch, asked, first, second;

  bool has_first() const { return first != asked; }
  bool has_second() const { return second != asked; }
  bool first_after() const { return has_first() && first > launch; }
  bool second_before() const { return has_second() && second < launch; }
};

/// An event that no call has recorded: the one that was recorded in its place, if another was recorded twice.
std::string never_recorded(const Calls& calls, const Pair& pair) {
  const bool neither = !pair.has_first() && !pair.has_second();
  if (neither) return "none of the two events of " + named(*pair.asked) + " is recorded: `cudaEventRecord` does that";
  const std::string_view which = pair.has_first() ? "second" : "first";
  const Call there = pair.has_first() ? pair.first : pair.second;
  std::string text = fmt::format("the {} event that {} is given was never recorded", which, named(*pair.asked));
  const auto once_more = [&](const WatchedCall& call) {
    return is_record(call) && answered(call) && call.event == there->event;
  };
  const Call earlier = std::find_if(calls.begin(), there, once_more);
  if (earlier == there) return text;
  return text + fmt::format(": {} and {} record the same event; record the other one {}", named(*earlier),
                            named(*there), pair.has_first() ? "after the launch" : "before the launch");
}

std::string in_wrong_order(const Pair& pair) {
  if (pair.first_after() && pair.second_before()) {
    return fmt::format(
        "{} is given the later event first: its first event is recorded after the launch, by {}, and its second one "
        "before it, by {}; exchange the two",
        named(*pair.asked), named(*pair.first), named(*pair.second));
  }
  if (pair.first_after()) {
    return fmt::format("{} records the first event after the launch: record it before `launch()`{}", named(*pair.first),
                       pair.asked->ends_after ? "; the second is right" : "");
  }
  if (!pair.second_before()) return {};
  return fmt::format("{} records the second event before the launch{}: record the second after `launch()`",
                     named(*pair.second),
                     pair.has_first() ? fmt::format(", as {} does the first", named(*pair.first)) : std::string());
}

std::string in_another_stream(const Pair& pair) {
  constexpr std::string_view kHelp =
      "the kernel is in the default stream, for which a stream made with `cudaStreamNonBlocking` does not wait; "
      "`cudaEventRecord` means the default stream where it is given none";
  const auto astray = [&](Call record, bool in_order) {
    return record != pair.asked && !in_order && !same_stream(*record, *pair.launch);
  };
  const bool first = astray(pair.first, pair.asked->begins_before);
  const bool second = astray(pair.second, pair.asked->ends_after);
  if (first && second) {
    return fmt::format(
        "{} and {} record both events in another stream than the kernel's, which does not wait for it: {}",
        named(*pair.first), named(*pair.second), kHelp);
  }
  if (first) {
    return fmt::format("{} records the first event in another stream than the kernel's, and it may happen late: {}",
                       named(*pair.first), kHelp);
  }
  if (!second) return {};
  return fmt::format(
      "{} records the second event in another stream than the kernel's, which does not wait for the kernel: {}",
      named(*pair.second), kHelp);
}

/// Both events are recorded, and still there is no time between them.
std::string without_time(const Calls& calls, const Pair& pair) {
  const Call created = std::ranges::find(calls, "cudaEventCreateWithFlags", &WatchedCall::name);
  return fmt::format(
      "{} failed, although both events were recorded: events that are created with `cudaEventDisableTiming`{} have no "
      "time; create both with `cudaEventCreate`",
      named(*pair.asked), created == calls.end() ? std::string() : place(*created));
}

/// Both events stand where they should.
std::string not_waited_for(const Calls& calls, const Pair& pair) {
  const auto waits_for_first = [&](const WatchedCall& call) {
    return call.name == "cudaEventSynchronize" && call.event == pair.asked->event;
  };
  const Call wait = std::find_if(calls.begin(), pair.asked, waits_for_first);
  const std::string text =
      fmt::format("{} is asked before anything has waited for the second event", named(*pair.asked));
  if (wait == pair.asked) return text;
  return fmt::format("{}: {} waits for the first one; wait for the second", text, named(*wait));
}

}  // namespace

std::string trouble_with_events(const Calls& calls) {
  const Call asked = time_asked(calls);
  if (asked == calls.end() || asked->encloses || asked->event == 0 || asked->second_event == 0) return {};
  const auto launches = [](const WatchedCall& call) { return is_launch(call) && answered(call); };
  const auto last = std::find_if(std::make_reverse_iterator(asked), calls.rend(), launches);
  if (last == calls.rend()) return {};
  const Call launch = std::prev(last.base());
  if (asked->event == asked->second_event) {
    return fmt::format("{} is given the same event twice: give it the event before the launch and the one after it",
                       named(*asked));
  }
  const Pair pair{launch, asked, recorded(calls, asked->event, asked), recorded(calls, asked->second_event, asked)};
  // An event of an earlier call has a time as well.
  if (!answered(*asked) && (!pair.has_first() || !pair.has_second())) return never_recorded(calls, pair);
  if (asked->status == cudaErrorInvalidResourceHandle) return without_time(calls, pair);
  if (std::string text = in_wrong_order(pair); !text.empty()) return text;
  if (std::string text = in_another_stream(pair); !text.empty()) return text;
  return asked->begins_before && asked->ends_after ? not_waited_for(calls, pair) : std::string();
}

}  // namespace cudalabs::lab6
