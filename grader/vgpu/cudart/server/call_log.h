// The runtime API calls in the order they came; the first ones in full, all of them counted. Questions from one
// place that get the same answer, one after the other, are one call.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/cudart/call_names.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu {

class CallLog {
 public:
  static constexpr std::size_t kMaxCalls = 20'000;

  /// The events that a call is about, and where they stand, as in ApiCall.
  struct Events {
    std::uint64_t first = 0, second = 0;
    bool begins_before = false, ends_after = false, without_time = false;
  };
  /// `call` must be below wire::kCallCount; 0 (no API call) is not logged.
  void add(std::uint16_t call, std::uint64_t stream, const CallOrigin& origin, int status, bool dropped = false,
           bool waits = false, bool encloses = false, Events events = {0, 0, false, false, false}) {
    if (call == 0) return;
    if (repeats_last(call, origin, status)) {
      ++entries_.back().times;
      return;
    }
    ++count_;
    if (entries_.size() < kMaxCalls)
      entries_.push_back(
          {call, stream, origin, status, dropped, waits, encloses, after_clock_, events, 1, first_of_function_});
    after_clock_ = false;
    first_of_function_ = false;
  }
  /// Who calls the program goes on to its next function.
  void next_function() { first_of_function_ = true; }
  /// The program has read a clock since the call before.
  void look_at_clock() { after_clock_ = true; }
  std::uint64_t count() const { return count_; }
  std::vector<ApiCall> calls() const {
    std::vector<ApiCall> calls;
    for (const Entry& entry : entries_)
      calls.push_back({wire::kCallNames[entry.call], entry.stream, entry.origin.address, entry.status, entry.dropped,
                       entry.waits, entry.encloses, entry.after_clock, entry.origin.outer, entry.events.first,
                       entry.events.second, entry.events.begins_before, entry.events.ends_after,
                       entry.events.without_time, entry.times, entry.first_of_function});
    return calls;
  }

 private:
  struct Entry {
    std::uint16_t call;
    std::uint64_t stream;
    CallOrigin origin;
    int status;
    bool dropped, waits, encloses, after_clock;
    Events events;
    std::uint64_t times;
    bool first_of_function;
  };
  /// A program that asks until something is done does so in a loop.
  bool repeats_last(std::uint16_t call, const CallOrigin& origin, int status) const {
    constexpr int kNotReady = 600;  // cudaErrorNotReady
    const bool asks =
        status == kNotReady || call == wire::call("cudaEventQuery") || call == wire::call("cudaStreamQuery");
    if (!asks || entries_.empty()) return false;
    const Entry& last = entries_.back();
    return last.call == call && last.origin.address == origin.address && last.status == status;
  }

  std::vector<Entry> entries_;
  std::uint64_t count_ = 0;
  bool after_clock_ = false;
  bool first_of_function_ = false;
};

}  // namespace cudalabs::vgpu
