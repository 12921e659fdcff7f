// The session's streams and events.
#include "vgpu/cudart/server/session_types.h"

#include <algorithm>

namespace cudalabs::vgpu {
namespace {

constexpr std::uint64_t kLegacyStream = 1;

using Clock = std::chrono::steady_clock;

}  // namespace

void Session::add_default_stream() {
  order_.add(StreamOrder::kDefault, true);
  streams_[StreamOrder::kDefault] = {};
}

std::optional<StreamId> Session::stream_of(std::uint64_t handle) {
  const StreamId stream = handle == kLegacyStream ? StreamOrder::kDefault : handle;
  if (order_.known(stream)) return stream;
  if (!wire::is_per_thread_stream(stream) || streams_.size() >= limits_.streams) return std::nullopt;
  order_.add(stream, true);
  streams_[stream] = {};
  return stream;
}

std::shared_ptr<Session::Event> Session::event_of(std::uint64_t handle) const {
  const auto found = events_.find(handle);
  return found == events_.end() ? nullptr : found->second;
}

bool Session::copies_wait_in(StreamId stream) const {
  return std::ranges::any_of(deferred_, [=](const auto& copy) { return copy.second->stream == stream; });
}

void Session::stream_create(Request& request) {
  const auto info = request.as<wire::StreamCreate>();
  if ((info.flags & ~wire::kStreamOfGraph) > 1) return reply(request, cudaErrorInvalidValue);
  if (streams_.size() >= limits_.streams) return reply(request, cudaErrorMemoryAllocation);
  const StreamId stream = next_handle_++;
  order_.add(stream, (info.flags & cudaStreamNonBlocking) == 0);
  streams_[stream].info = info;
  request.stream = stream;
  reply(request, cudaSuccess, wire::Handle{stream});
}

void Session::stream_destroy(Request& request) {
  const auto handle = request.as<wire::Handle>().id;
  request.stream = handle;
  if (handle < wire::kReservedStreams || !stream_of(handle)) return reply(request, cudaErrorInvalidResourceHandle);
  const bool watched = [&] {
    const std::scoped_lock lock(mutex_);
    return races_.knows(handle);
  }();
  order_.remove(handle, watched || copies_wait_in(handle) || !waits_.empty());
  streams_.erase(handle);
  reply(request, cudaSuccess);
}

void Session::stream_synchronize(Request& request) {
  request.stream = request.as<wire::Handle>().id;
  const auto stream = stream_of(request.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (must_ask_again([&] { return order_.next(*stream); })) return;
  if (*stream == StreamOrder::kDefault) {
    // The default stream ends after all blocking streams; the queue is one, so its end is theirs.
    order_.issue(*stream);
    drain();
  } else {
    wait_for(streams_.at(*stream).ticket);
  }
  hand_over(order_.reach(*stream));
  reply(request, told_error_);
}

void Session::stream_query(Request& request) {
  request.stream = request.as<wire::Handle>().id;
  const auto stream = stream_of(request.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  if (is_held(*stream)) return answer_not_yet(request);
  const bool all = *stream == StreamOrder::kDefault;
  if (!found_done(all ? queue_.last_issued() : streams_.at(*stream).ticket)) return reply(request, cudaErrorNotReady);
  if (*stream == StreamOrder::kDefault) order_.issue(*stream);
  hand_over(order_.reach(*stream));
  reply(request, told_error_);
}

void Session::stream_wait(Request& request) {
  const auto [stream_handle, event_handle] = request.as<wire::StreamEvent>();
  request.stream = stream_handle;
  request.events.first = event_handle;
  const auto stream = stream_of(stream_handle);
  const auto event = event_of(event_handle);
  if (!stream || !event) return reply(request, cudaErrorInvalidResourceHandle);
  if (event->recorded) {
    order_.wait(*stream, event->progress);
    auto& ticket = streams_.at(*stream).ticket;
    ticket = std::max(ticket, event->ticket);
  }
  {
    const std::scoped_lock lock(mutex_);
    races_.wait(*stream, event_handle, request.origin());
  }
  reply(request, cudaSuccess);
}

void Session::stream_info(Request& request) {
  request.stream = request.as<wire::Handle>().id;
  const auto stream = stream_of(request.stream);
  if (!stream) return reply(request, cudaErrorInvalidResourceHandle);
  reply(request, cudaSuccess, streams_.at(*stream).info);
}

void Session::event_create(Request& request) {
  const auto flags = request.as<wire::EventCreate>().flags;
  if (flags > (cudaEventBlockingSync | cudaEventDisableTiming)) return reply(request, cudaErrorInvalidValue);
  if (events_.size() >= limits_.events) return reply(request, cudaErrorMemoryAllocation);
  const std::uint64_t handle = next_handle_++;
  events_[handle] = std::make_shared<Event>();
  events_[handle]->flags = flags;
  request.events.first = handle;
  request.events.without_time = (flags & cudaEventDisableTiming) != 0;
  reply(request, cudaSuccess, wire::Handle{handle});
}

void Session::event_destroy(Request& request) {
  request.events.first = request.as<wire::Handle>().id;
  const auto found = events_.find(request.events.first);
  const bool known = found != events_.end();
  if (known) {
    event_progress_ -= found->second->progress.size();
    events_.erase(found);
    const std::scoped_lock lock(mutex_);
    races_.events().destroy(request.events.first);
  }
  reply(request, known ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

void Session::event_record(Request& request) {
  const auto [stream_handle, event_handle] = request.as<wire::StreamEvent>();
  request.stream = stream_handle;
  request.events.first = event_handle;
  const auto stream = stream_of(stream_handle);
  const auto event = event_of(event_handle);
  if (!stream || !event) return reply(request, cudaErrorInvalidResourceHandle);
  const std::size_t others = event_progress_ - event->progress.size();
  if (order_.reach(*stream).size() + others >= limits_.event_progress) return reply(request, cudaErrorMemoryAllocation);
  // A new time each record: work that was issued before may still be about to set the old one.
  event->time = std::make_shared<Clock::time_point>();
  event->number = perform(*stream, [time = event->time] { *time = Clock::now(); });
  event->stream = *stream;
  event->recorded = true;
  event->asked_too_early = false;
  event->ticket = streams_.at(*stream).ticket;
  event->progress = order_.reach(*stream);
  event_progress_ = others + event->progress.size();
  {
    const std::scoped_lock lock(mutex_);
    races_.events().record(event_handle, {request.origin(), event->stream, event->number});
  }
  reply(request, cudaSuccess);
}

void Session::note_host_wait(const Request& request) {
  const std::scoped_lock lock(mutex_);
  races_.events().host_waits(request.events.first);
}

void Session::event_query(Request& request) {
  request.events.first = request.as<wire::Handle>().id;
  const auto event = event_of(request.events.first);
  if (!event) return reply(request, cudaErrorInvalidResourceHandle);
  if (event->recorded) {
    if (waits_.hold(event->progress)) return answer_not_yet(request);
    if (!found_done(event->ticket)) return reply(request, cudaErrorNotReady);
    note_host_wait(request);
    hand_over(event->progress);
  }
  reply(request, told_error_);
}

void Session::event_synchronize(Request& request) {
  request.events.first = request.as<wire::Handle>().id;
  const auto event = event_of(request.events.first);
  if (!event) return reply(request, cudaErrorInvalidResourceHandle);
  if (event->recorded) {
    if (must_ask_again([&] { return event->progress; })) return;
    wait_for(event->ticket);
    note_host_wait(request);
    hand_over(event->progress);
  }
  reply(request, told_error_);
}

void Session::event_elapsed(Request& request) {
  const auto [start_handle, end_handle] = request.as<wire::EventPair>();
  const auto start = event_of(start_handle), end = event_of(end_handle);
  request.events.first = start_handle;
  request.events.second = end_handle;
  const auto timed = [](const auto& event) {
    return event && event->recorded && !(event->flags & cudaEventDisableTiming);
  };
  if (!timed(start) || !timed(end)) return reply(request, cudaErrorInvalidResourceHandle);
  request.events.begins_before = !last_launch_.empty() && includes(before_launch_, {{start->stream, start->number}});
  request.events.ends_after = !last_launch_.empty() && includes(end->progress, last_launch_);
  const bool held = waits_.hold(start->progress) || waits_.hold(end->progress);
  if (held || !found_done(std::max(start->ticket, end->ticket))) {
    end->asked_too_early = true;
    return reply(request, cudaErrorNotReady);
  }
  if (told_error_ != cudaSuccess) return reply(request, told_error_);
  // Who is told "not ready" and asks until there is an answer has waited; who is answered at once was lucky.
  if (end->asked_too_early) hand_over(end->progress);
  // Other streams' work may be over as well, on this device; only what was promised counts.
  request.encloses =
      request.events.begins_before && request.events.ends_after && includes(promised_, {{end->stream, end->number}});
  const std::chrono::duration<float, std::milli> elapsed = *end->time - *start->time;
  reply(request, cudaSuccess, wire::Elapsed{elapsed.count(), 0});
}

}  // namespace cudalabs::vgpu
