// Which work a program may rely on having finished.
#include "vgpu/cudart/server/stream_order.h"

#include <algorithm>

namespace cudalabs::vgpu {

void merge(Progress& into, const Progress& from) {
  for (const auto& [stream, count] : from) {
    auto& known = into[stream];
    known = std::max(known, count);
  }
}

bool includes(const Progress& whole, const Progress& part) {
  return std::ranges::all_of(part, [&](const auto& of_stream) {
    const auto found = whole.find(of_stream.first);
    return found != whole.end() && found->second >= of_stream.second;
  });
}

void StreamOrder::add(StreamId stream, bool blocking) {
  streams_[stream].blocking = blocking;
}

void StreamOrder::remove(StreamId stream, bool wanted) {
  merge(removed_, reach(stream));
  streams_.erase(stream);
  if (wanted) return;
  removed_.erase(stream);
  for (auto& [other, state] : streams_) state.after.erase(stream);
}

std::uint64_t StreamOrder::issue(StreamId stream) {
  State& state = streams_.at(stream);
  // The programming guide's rule of implicit synchronisation: the default stream waits for all blocking streams, and
  // they wait for it.
  if (stream == kDefault) {
    for (const auto& [other, other_state] : streams_)
      if (other != stream && other_state.blocking) merge(state.after, reach(other));
  } else if (state.blocking) {
    merge(state.after, reach(kDefault));
  }
  return ++state.issued;
}

Progress StreamOrder::next(StreamId stream) const {
  StreamOrder after = *this;
  after.issue(stream);
  return after.reach(stream);
}

Progress StreamOrder::reach(StreamId stream) const {
  const State& state = streams_.at(stream);
  Progress progress = state.after;
  auto& own = progress[stream];
  own = std::max(own, state.issued);
  return progress;
}

Progress StreamOrder::reach_all() const {
  Progress progress = removed_;
  for (const auto& [stream, state] : streams_) merge(progress, reach(stream));
  return progress;
}

void StreamOrder::wait(StreamId stream, const Progress& progress) {
  merge(streams_.at(stream).after, progress);
}

void StreamOrder::learn(StreamId stream, std::uint64_t number, const Progress& progress) {
  const Progress operation{{stream, number}};
  for (auto& [id, state] : streams_)
    if (includes(reach(id), operation)) merge(state.after, progress);
  if (includes(removed_, operation)) merge(removed_, progress);
}

}  // namespace cudalabs::vgpu
