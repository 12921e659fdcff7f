// The session's inner types, shared by its files.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "vgpu/cudart/call_names.h"
#include "vgpu/cudart/server/session.h"

namespace cudalabs::vgpu {

/// A request in hand; `stream` is what the call log shows.
struct Session::Request {
  wire::RequestHeader header;
  std::span<const std::byte> payload;
  std::uint64_t stream = 0;
  bool status_dropped = false;             // nobody gets the answer's status
  bool encloses = false;                   // as in ApiCall
  CallLog::Events events = {};             // likewise
  std::string_view unsupported_part = {};  // of the call; empty: all of it

  CallOrigin origin() const { return {header.origin, header.outer}; }
  /// The call that the program made, as its source has it.
  std::string_view call_name() const {
    if (header.driver_call == 0) return wire::kCallNames[header.call];
    const std::string_view name = wire::kDriverCallNames[header.driver_call];
    return name.substr(0, std::min(name.find("_v"), name.find("_pts")));
  }
  /// What both APIs have under two names.
  std::string_view invalid_value() const {
    return header.driver_call == 0 ? "cudaErrorInvalidValue" : "CUDA_ERROR_INVALID_VALUE";
  }
  std::string_view allocation_call() const { return header.driver_call == 0 ? "cudaMalloc" : "cuMemAlloc"; }
  /// The operation's struct; its size was checked.
  template <class T>
  T as() const {
    T value;
    std::memcpy(static_cast<void*>(&value), payload.data(), sizeof value);
    return value;
  }
};

struct Session::Operation {
  std::size_t bytes;  // of its struct
  bool open_ended;    // more bytes may follow the struct
  bool carries_bulk;  // handles a dead context itself, to get at the data behind the struct
  void (Session::*serve)(Request&);
};

struct Session::Kernel {
  KernelDescription description;
  std::string display;  // for people
  std::uint32_t gpu_module = 0;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t max_dynamic_shared_bytes = 0;
  bool large_clusters = false;  // of more blocks than every device has
  std::uint32_t ptx_version = 0;
};

/// A launch as it was issued.
struct Session::IssuedLaunch {
  CallOrigin origin;
  StreamRaces::Ticket race_ticket = 0;
  StreamId stream = 0;
  std::uint64_t in_stream = 0;      // its number there
  std::uint64_t in_session = 0;     // and among all launches, from 1 on
  std::uint64_t function_call = 0;  // of the caller
};

struct Session::Module {
  std::uint32_t gpu_module = 0;
  std::vector<Kernel> kernels;
};

struct Session::Event {
  std::uint32_t flags = 0;
  bool recorded = false;
  bool asked_too_early = false;  // for the time from another event to it, since it was recorded
  WorkQueue::Ticket ticket = 0;
  StreamId stream = 0;
  std::uint64_t number = 0;  // in the stream
  Progress progress;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;  // set by the work with `ticket`
};

/// An asynchronous copy to the host.
struct Session::Deferred {
  StreamId stream = 0;
  std::uint64_t number = 0;  // in the stream
  WorkQueue::Ticket ticket = 0;
  std::vector<std::byte> data;
  std::string name;  // of the call
  CallOrigin origin;
};

/// An asynchronous copy from page-locked memory: its work waits in the queue until the source may be read.
struct Session::Source {
  CallOrigin origin;
  std::vector<std::byte> data;
  bool released = false;
};

/// What of a call there is not, in words; empty: all of it. In session_unsupported.cpp.
std::string_view part_name(wire::UnsupportedPart part);

/// The client is gone.
struct Disconnected {};

/// The client said something that no client says.
struct ProtocolViolation {
  std::string what;
};

template <class Result>
void Session::reply(const Request& request, cudaError_t status, const Result& result) {
  if (status == cudaSuccess) {
    reply_bytes(request, status, std::as_bytes(std::span(&result, 1)));
  } else {
    reply(request, status);
  }
}

template <class Reached>
bool Session::must_ask_again(const Reached& reached) {
  return !waits_.empty() && answer_if_held(reached());
}

template <class Work>
std::uint64_t Session::perform(StreamId stream, Work work) {
  if (idle() && waits_.empty()) {
    work();
    streams_.at(stream).ticket = queue_.last_issued();
    return order_.issue(stream);
  }
  issue(stream, std::move(work));
  return order_.issue(stream);
}

}  // namespace cudalabs::vgpu
