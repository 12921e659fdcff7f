// Operations of different streams, and of the host in unified memory, that touch the same while nothing orders them.
//
// The device does them in the order of their issue, so a program without order gets right results here, by luck. What
// it may rely on, StreamOrder knows; two operations that neither comes after the other by its promises are a race.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vgpu/cudart/server/event_history.h"
#include "vgpu/cudart/server/launch_watch.h"
#include "vgpu/cudart/server/stream_order.h"
#include "vgpu/touched_bytes.h"

namespace cudalabs::vgpu {

class StreamRaces {
 public:
  using Ticket = std::uint64_t;

  struct Operation {
    std::string name;   // "cudaMemcpyAsync", or of a kernel
    CallOrigin origin;  // of the call
    StreamId stream = 0;
    std::uint64_t number = 0;  // in the stream
    Progress after;            // all that it comes after
    bool blocking = true;      // its stream and the default stream wait for each other
    bool kernel = false;       // a launch
    bool of_graph = false;     // its stream is the runtime library's, for nodes of a graph
  };

  /// An operation is issued; what it touches is told later.
  Ticket issue(Operation operation);
  /// The stream is told to wait for an event.
  void wait(StreamId stream, std::uint64_t event, const CallOrigin& origin) {
    events_.wait(stream, event, origin, last_);
  }
  EventHistory& events() { return events_; }
  /// In any order; an operation that failed touched nothing.
  void done(Ticket ticket, TouchedBytes touched);
  /// The host touches a byte of unified memory, at `origin`. All operations are done; what was promised of them the
  /// host may rely on.
  void host_access(const CallOrigin& origin, std::uint64_t address, bool writes);
  /// What comes after an operation of `stream` comes after `progress`, too.
  void learn(StreamId stream, std::uint64_t number, const Progress& progress);
  /// Of the operation that wrote to some of these bytes last, and is done: itself and all that it comes after.
  Progress last_writer(const ByteRange& bytes) const;
  /// Operations that nothing has waited for touched some of these bytes.
  bool unwaited(const ByteRange& bytes) const;
  /// Whatever is issued from now on comes after `progress`.
  void promise(const Progress& progress);
  /// All operations are over, and streams begin anew.
  void forget();
  /// Operations of the stream are remembered.
  bool knows(StreamId stream) const;
  /// Too many operations are remembered: the rest of the program is not looked at.
  bool full() const { return full_; }

  /// One for each pair of calls, and for each call that the host does not wait for. Of two calls in a loop, one of
  /// which may read too early and be overwritten too early, that it reads too early comes first, and says the other.
  std::vector<HostFinding> findings() const;

 private:
  struct Entry {
    Operation operation;
    Ticket ticket = 0;
    EventHistory::Known events = {};  // when it was issued
    bool pending = true;
    std::uint64_t done = 0;  // a number that counts up, unless it is pending
    TouchedBytes touched;
  };
  void compare(const Entry& earlier, const Entry& later);
  void add(const Entry& earlier, const Entry& later);
  /// The later one was to wait by this, which is no such wait.
  static bool was_for(const EventHistory::EmptyWait& wait, const Entry& earlier);
  /// Where events were used to order the two, and do not: says where, and why. Nothing where none was.
  static void name_event(HostFinding& race, const Entry& earlier, const Entry& later);
  void forget_promised();

  static constexpr std::size_t kMostEntries = 1024, kMostFindings = 20;

  std::map<Ticket, Entry> entries_;
  std::size_t pending_ = 0;
  EventHistory events_;
  Progress promised_;
  Ticket last_ = 0;
  std::uint64_t done_ = 0;
  bool full_ = false;
  std::vector<HostFinding> findings_;
  // By place in the list: reads of what an earlier operation writes, and writes to what one only reads.
  std::set<std::size_t> early_reads_, overwrites_;
};

}  // namespace cudalabs::vgpu
