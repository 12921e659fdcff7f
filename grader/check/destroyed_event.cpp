#include "check/destroyed_event.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "vgpu/cudart/error_text.h"

namespace cudalabs {
namespace {

using Calls = std::vector<WatchedCall>;

constexpr std::string_view kDestroy = "cudaEventDestroy";

/// The last call before `end` that destroyed this event; `end`: none did.
Calls::const_iterator destroyed_before(const Calls& watched, Calls::const_iterator end, std::uint64_t event) {
  const auto destroys = [&](const WatchedCall& call) {
    return call.name == kDestroy && call.status == 0 && call.event == event;
  };
  const auto last = std::find_if(std::make_reverse_iterator(end), watched.rend(), destroys);
  return last == watched.rend() ? end : std::prev(last.base());
}

/// The event of the call is gone.
void say_destroyed(Finding& finding, const WatchedCall& destroyed) {
  finding.note = "the event was destroyed before";
  if (destroyed.outer.known()) finding.note += fmt::format(", by what line {} calls", destroyed.outer.line);
  finding.note += "\nthe call did nothing, and what comes after it may go wrong for this reason alone";
  finding.help = "destroy an event after the last call that uses it";
  if (destroyed.outer.known())
    finding.help += "; of an object that destroys its event each copy does: pass it by reference, and never copy it";
  if (destroyed.where.known())
    finding.other = OtherPlace{"the event is destroyed here", destroyed.where, {}, {}, PlaceRole::destroying};
}

/// Nobody knows which event it was meant to be.
void count_events(Finding& finding, const Calls& watched) {
  const auto refused = std::ranges::find_if(watched, [](const WatchedCall& call) {
    return call.name == kDestroy && call.status == cudaErrorInvalidResourceHandle;
  });
  const auto before = [&](std::string_view name) {
    return std::count_if(watched.begin(), refused,
                         [&](const WatchedCall& one) { return one.status == 0 && one.name.starts_with(name); });
  };
  const auto created = before("cudaEventCreate"), destroyed = before(kDestroy);
  finding.help = "destroy each event once, and only what `cudaEventCreate` has given";
  if (refused == watched.end() || destroyed == 0) return;
  if (created > destroyed) {
    finding.help = fmt::format(
        "of {} events that were created, {} {} destroyed before: is it the same one again here, in the place of "
        "another?",
        created, destroyed, destroyed == 1 ? "was" : "were");
  }
  const auto last = std::find_if(std::make_reverse_iterator(refused), watched.rend(),
                                 [&](const WatchedCall& one) { return one.status == 0 && one.name == kDestroy; });
  if (last != watched.rend() && last->where.known())
    finding.other =
        OtherPlace{"an event is destroyed here, before this call", last->where, {}, {}, PlaceRole::destroying};
}

}  // namespace

void name_destroyed_event(Finding& finding, const WatchedCall& refused, const Calls& watched) {
  if (refused.status != cudaErrorInvalidResourceHandle) return;
  if (refused.name == kDestroy) return count_events(finding, watched);
  const auto call = std::ranges::find_if(watched, [&](const WatchedCall& one) {
    return one.name == refused.name && one.status == refused.status && one.where == refused.where;
  });
  if (call == watched.end()) return;
  for (const std::uint64_t event : {call->event, call->second_event}) {
    const auto destroyed = event == 0 ? call : destroyed_before(watched, call, event);
    if (destroyed != call) return say_destroyed(finding, *destroyed);
  }
}

}  // namespace cudalabs
