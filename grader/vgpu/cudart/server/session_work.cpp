// The session's work for the device: in the streams' order, waited for, promised to the program, cut off at the end.
#include <algorithm>
#include <chrono>
#include <utility>

#include "vgpu/cudart/server/session_types.h"

namespace cudalabs::vgpu {

cudaError_t Session::context_error() const {
  const std::scoped_lock lock(mutex_);
  return context_error_;
}

bool Session::gone() const {
  return stopping_ || (end_by_ ? std::chrono::steady_clock::now() >= *end_by_ : channel_.hung_up());
}

void Session::issue(StreamId stream, std::function<void()> work) {
  if (is_held(stream)) {
    // A device would let the host wait for room, which never comes.
    if (waits_.parked() >= limits_.pending_work) return abandon_waits("there is no room for more work behind it");
    return waits_.park({stream, order_.next(stream), std::move(work)});
  }
  streams_.at(stream).ticket = issue_now(std::move(work));
}

WorkQueue::Ticket Session::issue_now(std::function<void()> work) {
  // Like a full launch queue on a real device: issuing waits for room.
  const WorkQueue::Ticket last = queue_.last_issued();
  if (queue_.pending() >= limits_.pending_work) wait_quietly(last - limits_.pending_work + 1);
  return queue_.issue([this, ticket = last + 1, work = std::move(work)] {
    if (ending_ || context_error() != cudaSuccess) return;
    work();
    const std::scoped_lock lock(mutex_);
    if (context_error_ != cudaSuccess) failed_at_ = ticket;
  });
}

void Session::wait_quietly(WorkQueue::Ticket ticket) {
  release_sources();
  if (!queue_.wait(ticket, [this] { return gone(); })) throw Disconnected{};
}

void Session::wait_for(WorkQueue::Ticket ticket) {
  wait_quietly(ticket);
  see_done(ticket);
}

bool Session::found_done(WorkQueue::Ticket ticket) {
  if (ticket <= seen_done_) return true;
  release_sources();
  if (ticket <= asked_) queue_.advance(ticket);
  const bool done = ticket <= asked_ && queue_.done(ticket);
  asked_ = std::max(asked_, ticket);
  if (done) see_done(ticket);
  return done;
}

void Session::see_done(WorkQueue::Ticket ticket) {
  seen_done_ = std::max(seen_done_, ticket);
  const std::scoped_lock lock(mutex_);
  if (context_error_ != cudaSuccess && failed_at_ <= seen_done_) told_error_ = context_error_;
}

void Session::release_sources() {
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [id, source] : sources_) source->released = true;
  }
  source_released_.notify_all();
  sources_.clear();
}

StreamRaces::Ticket Session::watch(const Request& request, StreamId stream, std::uint64_t number, std::string name) {
  StreamRaces::Operation operation;
  operation.kernel = !name.empty();
  operation.name = name.empty() ? std::string(request.call_name()) : std::move(name);
  operation.origin = request.origin();
  operation.stream = stream;
  operation.number = number;
  operation.after = order_.reach(stream);
  operation.blocking = (streams_.at(stream).info.flags & cudaStreamNonBlocking) == 0;
  operation.of_graph = (streams_.at(stream).info.flags & wire::kStreamOfGraph) != 0;
  const std::scoped_lock lock(mutex_);
  return races_.issue(std::move(operation));
}

void Session::watch(const Request& request, StreamId stream, std::uint64_t number, TouchedBytes touched) {
  const StreamRaces::Ticket ticket = watch(request, stream, number);
  use_mapped();
  if (!waits_.empty() && waits_.hold({{stream, number}})) {
    // It touches them when the wait is over.
    return waits_.park({stream, order_.reach(stream), [this, ticket, stream, number, touched = std::move(touched)] {
                          note_host_return(stream, number, touched);
                          const std::scoped_lock lock(mutex_);
                          races_.done(ticket, touched);
                        }});
  }
  note_host_return(stream, number, touched);
  const std::scoped_lock lock(mutex_);
  races_.done(ticket, std::move(touched));
}

void Session::promise(const Progress& progress) {
  merge(promised_, progress);
  {
    const std::scoped_lock lock(mutex_);
    races_.promise(progress);
  }
  waited_ = waited_ || (!launched_.empty() && includes(progress, launched_));
}

void Session::hand_over(const Progress& progress) {
  promise(progress);
  std::string output;
  {
    const std::scoped_lock lock(mutex_);
    output.swap(output_);
  }
  const std::uint64_t room = limits_.handed_output_bytes - handed_output_;
  if (output.size() > room) {
    output.resize(room);
    if (room > 0) output += "\n[what kernels print is cut here: it is too much]\n";
    handed_output_ = limits_.handed_output_bytes;
  } else {
    handed_output_ += output.size();
  }
  if (transfers_ != nullptr) transfers_->print(output);
  if (!output.empty())
    send_frame(wire::FrameKind::output, cudaSuccess, {}, std::as_bytes(std::span(output.data(), output.size())));
  for (auto next = deferred_.begin(); next != deferred_.end();) {
    const auto& [id, copy] = *next;
    const auto reached = progress.find(copy->stream);
    if (reached == progress.end() || reached->second < copy->number || !queue_.done(copy->ticket)) {
      ++next;
      continue;
    }
    const wire::Delivery delivery{id, copy->data.size()};
    send_frame(wire::FrameKind::delivery, cudaSuccess, std::as_bytes(std::span(&delivery, 1)), copy->data);
    staged_bytes_ -= copy->data.size();
    next = deferred_.erase(next);
  }
  if (has_mapped_ && !progress.empty()) return_to_host(&progress);
}

void Session::finish() {
  release_sources();
  // Also for a client that crashed: what is found must not depend on how far its kernels had come by then.
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits_.end_seconds));
  end_by_ = deadline;
  if (said_goodbye_ && !waits_.empty()) end_waits();
  const auto late = [&] { return stopping_ || std::chrono::steady_clock::now() >= deadline; };
  if (!queue_.wait(queue_.last_issued(), late)) {
    interrupted_ = true;
    ending_ = true;
    gpu_.interrupt();
    queue_.wait(queue_.last_issued(), [this] {
      gpu_.interrupt();  // again: the launch that is running now may have begun after the first
      return false;
    });
  }
  // A program that was killed, or whose context died, had no chance to free anything.
  if (said_goodbye_ && context_error() == cudaSuccess) note_leaks();
}

}  // namespace cudalabs::vgpu
