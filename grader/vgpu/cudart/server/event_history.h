// What a program does with events, for the words about a race that one of them was to prevent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "vgpu/cudart/server/stream_order.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu {

class EventHistory {
 public:
  /// An event that was recorded: it stands for what its stream had been given before.
  struct Record {
    CallOrigin origin;
    StreamId stream = 0;
    std::uint64_t number = 0;  // in the stream

    bool operator==(const Record&) const = default;
  };

  /// A stream was told to wait for an event that nobody had recorded yet, which does nothing.
  struct EmptyWait {
    CallOrigin origin;
    std::uint64_t after = 0;  // the last operation that had been issued, of any stream
    std::uint64_t event = 0;
    std::optional<Record> recorded = {};  // of the event, after the wait
  };

  /// A stream was told to wait for an event of its own, which changes nothing. No other stream waits for that record.
  struct OwnWait {
    CallOrigin origin;
    Record record;
  };

  /// A record that nobody had waited for when the event was recorded again, in another stream.
  struct LostRecord {
    std::uint64_t number = 0;  // of the lost one, in its stream
    CallOrigin replaced_by;
  };

  /// What was known when an operation was issued to a stream.
  struct Known {
    std::optional<EmptyWait> empty_wait = {};    // the last one of its stream
    std::map<StreamId, Record> waits = {};       // of its stream, the last for an event of each stream
    std::map<StreamId, LostRecord> lost = {};    // of the events that its stream, or the host, waits for
    std::map<StreamId, OwnWait> own_waits = {};  // by who waits, the last
  };
  Known known_to(StreamId stream) const;

  void record(std::uint64_t event, const Record& record);
  /// `stream` is told to wait for it; `after` is the last operation that was issued, of any stream.
  void wait(StreamId stream, std::uint64_t event, const CallOrigin& origin, std::uint64_t after);
  /// The host waits for it, or asks for it.
  void host_waits(std::uint64_t event);
  void destroy(std::uint64_t event) { events_.erase(event); }
  void forget();

 private:
  struct Event {
    Record record;
    bool waited_for = false;  // by another stream, or the host
    std::map<StreamId, LostRecord> lost = {};
  };
  void note_lost(std::map<StreamId, LostRecord>& into, const Event& event) const;

  static constexpr std::size_t kMostEvents = 1024, kMostStreams = 1024, kMostWaits = 16;

  std::map<std::uint64_t, Event> events_;
  std::map<StreamId, EmptyWait> empty_waits_;
  std::map<StreamId, std::map<StreamId, Record>> waits_;  // by who waits, and for whom
  std::map<StreamId, std::map<StreamId, LostRecord>> lost_;
  std::map<StreamId, LostRecord> lost_to_host_;
  std::map<StreamId, OwnWait> own_waits_;
};

}  // namespace cudalabs::vgpu
