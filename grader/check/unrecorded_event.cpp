#include "check/unrecorded_event.h"

#include <fmt/format.h>

#include <algorithm>

#include "vgpu/cudart/error_text.h"

namespace cudalabs {
namespace {

using Calls = std::vector<WatchedCall>;

/// Calls before `end` that succeeded, are of this event, and have a name that begins so.
std::vector<const WatchedCall*> calls_of(const Calls& watched, Calls::const_iterator end, std::uint64_t event,
                                         std::string_view name) {
  std::vector<const WatchedCall*> found;
  for (auto call = watched.begin(); call != end; ++call)
    if (call->status == 0 && call->event == event && call->name.starts_with(name)) found.push_back(&*call);
  return found;
}

}  // namespace

void name_unrecorded_event(Finding& finding, const WatchedCall& refused, const Calls& watched) {
  if (refused.status != cudaErrorInvalidResourceHandle || refused.name != "cudaEventElapsedTime") return;
  const auto asked = std::ranges::find_if(watched, [&](const WatchedCall& call) {
    return call.name == refused.name && call.status == refused.status && call.where == refused.where;
  });
  if (asked == watched.end()) return;
  const auto is_unrecorded = [&](std::uint64_t event) {
    return event != 0 && !calls_of(watched, asked, event, "cudaEventCreate").empty() &&
           calls_of(watched, asked, event, "cudaEventRecord").empty();
  };
  const bool first = is_unrecorded(asked->event), second = is_unrecorded(asked->second_event);
  if (!first && !second) return;
  const auto which = [&] {
    return first && second ? "none of its two events was"
           : first         ? "its first event was never"
                           : "its second event was never";
  };
  finding.message += fmt::format(": {} recorded", which());
  finding.help = "record one event before the launch and the other after it, with `cudaEventRecord`";
  const auto records = calls_of(watched, asked, first ? asked->second_event : asked->event, "cudaEventRecord");
  if (first == second || records.size() < 2 || !records.back()->where.known()) return;
  finding.help = fmt::format("lines {} and {} record the same event: record the {} one in one of them",
                             records.front()->where.line, records.back()->where.line, first ? "first" : "second");
  finding.other = OtherPlace{"the other event is recorded here once more", records.back()->where, {}, {}};
}

}  // namespace cudalabs
