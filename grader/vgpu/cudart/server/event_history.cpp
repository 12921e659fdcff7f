// What a program does with events. A text of any length may make them for ever: only so many are remembered.
#include "vgpu/cudart/server/event_history.h"

namespace cudalabs::vgpu {
namespace {

template <class Map>
bool has_room(const Map& map, const typename Map::key_type& key, std::size_t most) {
  return map.size() < most || map.contains(key);
}

}  // namespace

EventHistory::Known EventHistory::known_to(StreamId stream) const {
  Known known;
  if (const auto wait = empty_waits_.find(stream); wait != empty_waits_.end()) known.empty_wait = wait->second;
  if (const auto waits = waits_.find(stream); waits != waits_.end()) known.waits = waits->second;
  if (const auto lost = lost_.find(stream); lost != lost_.end()) known.lost = lost->second;
  for (const auto& [other, lost] : lost_to_host_)
    if (has_room(known.lost, other, kMostWaits)) known.lost[other] = lost;
  known.own_waits = own_waits_;
  return known;
}

void EventHistory::record(std::uint64_t event, const Record& record) {
  for (auto& [stream, wait] : empty_waits_)
    if (wait.event == event && !wait.recorded) wait.recorded = record;
  if (!has_room(events_, event, kMostEvents)) return;
  const auto [found, is_new] = events_.try_emplace(event);
  Event& known = found->second;
  const Record before = known.record;
  if (known.waited_for) known.lost.clear();
  if (!is_new && !known.waited_for && has_room(known.lost, before.stream, kMostWaits))
    known.lost[before.stream] = {before.number, record.origin};
  known.lost.erase(record.stream);
  known.record = record;
  known.waited_for = false;
}

void EventHistory::wait(StreamId stream, std::uint64_t event, const CallOrigin& origin, std::uint64_t after) {
  const auto found = events_.find(event);
  if (found == events_.end()) {
    if (events_.size() < kMostEvents && has_room(empty_waits_, stream, kMostStreams))
      empty_waits_[stream] = {origin, after, event};
    return;
  }
  Event& known = found->second;
  const StreamId recorded_in = known.record.stream;
  const auto own = own_waits_.find(recorded_in);
  const bool was_own = own != own_waits_.end() && own->second.record == known.record;
  if (stream != recorded_in) {
    known.waited_for = true;
    if (was_own) own_waits_.erase(own);
  } else if (!known.waited_for && !was_own && has_room(own_waits_, stream, kMostWaits)) {
    own_waits_[stream] = {origin, known.record};
  }
  if (has_room(waits_, stream, kMostStreams) && has_room(waits_[stream], recorded_in, kMostWaits))
    waits_[stream][recorded_in] = known.record;
  if (!known.lost.empty() && has_room(lost_, stream, kMostStreams)) note_lost(lost_[stream], known);
}

void EventHistory::host_waits(std::uint64_t event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  found->second.waited_for = true;
  note_lost(lost_to_host_, found->second);
}

void EventHistory::forget() {
  *this = {};
}

void EventHistory::note_lost(std::map<StreamId, LostRecord>& into, const Event& event) const {
  for (const auto& [stream, lost] : event.lost)
    if (has_room(into, stream, kMostWaits)) into[stream] = lost;
}

}  // namespace cudalabs::vgpu
