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

  /// An event that was recorded.
  struct Record {
    CallOrigin origin;
    StreamId stream = 0;
    std::uint64_t number = 0;  // in the stream
  };

  /// An operation is issued; what it touches is told later.
  Ticket issue(Operation operation);
  /// The stream is told to wait for an event that nobody has recorded yet, which does nothing.
  void empty_wait(StreamId stream, std::uint64_t event, const CallOrigin& origin);
  /// The event is recorded; streams that were told to wait for it earlier do not.
  void recorded(std::uint64_t event, const Record& record);
  /// The stream is told to wait for an event.
  void wait(StreamId stream, const Record& event);
  /// In any order; an operation that failed touched nothing.
  void done(Ticket ticket, TouchedBytes touched);
  /// The host touches a byte of unified memory, at `origin`. All operations are done; what was promised of them the
  /// host may rely on.
  void host_access(const CallOrigin& origin, std::uint64_t address, bool writes);
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
  struct Entry;
  struct EmptyWait {
    CallOrigin origin;
    Ticket after = 0;  // the last operation that had been issued, of any stream
    std::uint64_t event = 0;
    std::optional<Record> recorded = {};  // of the event, after the wait
    /// It was meant to wait for the operation.
    bool was_for(const Entry& entry) const;
  };
  struct Entry {
    Operation operation;
    Ticket ticket = 0;
    std::optional<EmptyWait> empty_wait = {};  // the last one of its stream
    std::map<StreamId, Record> waits = {};     // of its stream, the last for an event of each stream
    bool pending = true;
    TouchedBytes touched;
  };
  void compare(const Entry& earlier, const Entry& later);
  void add(const Entry& earlier, const Entry& later);
  void forget_promised();

  static constexpr std::size_t kMostEntries = 1024, kMostFindings = 20, kMostWaits = 16;

  std::map<Ticket, Entry> entries_;
  std::size_t pending_ = 0;
  std::map<StreamId, EmptyWait> empty_waits_;
  std::map<StreamId, std::map<StreamId, Record>> waits_;  // by who waits, and for whom
  Progress promised_;
  Ticket last_ = 0;
  bool full_ = false;
  std::vector<HostFinding> findings_;
  // By place in the list: reads of what an earlier operation writes, and writes to what one only reads.
  std::set<std::size_t> early_reads_, overwrites_;
};

}  // namespace cudalabs::vgpu
