// The runtime API calls in the order they came; the first ones in full, all of them counted. Queries from one place
// that are not answered yet are one call.
#pragma once

#include <cstdint>
#include <vector>

#include "vgpu/cudart/call_names.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::vgpu {

class CallLog {
 public:
  static constexpr std::size_t kMaxCalls = 20'000;

  /// `call` must be below wire::kCallCount; 0 (no API call) is not logged.
  void add(std::uint16_t call, std::uint64_t stream, const CallOrigin& origin, int status, bool dropped = false,
           bool waits = false, bool encloses = false) {
    if (call == 0) return;
    constexpr int kNotReady = 600;  // cudaErrorNotReady: a program that asks until something is done does so in a loop
    if (status == kNotReady && !entries_.empty() && entries_.back().call == call &&
        entries_.back().origin.address == origin.address && entries_.back().status == kNotReady)
      return;
    ++count_;
    if (entries_.size() < kMaxCalls)
      entries_.push_back({call, stream, origin, status, dropped, waits, encloses, after_clock_});
    after_clock_ = false;
  }
  /// The program has read a clock since the call before.
  void look_at_clock() { after_clock_ = true; }
  std::uint64_t count() const { return count_; }
  std::vector<ApiCall> calls() const {
    std::vector<ApiCall> calls;
    for (const Entry& entry : entries_)
      calls.push_back({wire::kCallNames[entry.call], entry.stream, entry.origin.address, entry.status, entry.dropped,
                       entry.waits, entry.encloses, entry.after_clock, entry.origin.outer});
    return calls;
  }

 private:
  struct Entry {
    std::uint16_t call;
    std::uint64_t stream;
    CallOrigin origin;
    int status;
    bool dropped, waits, encloses, after_clock;
  };
  std::vector<Entry> entries_;
  std::uint64_t count_ = 0;
  bool after_clock_ = false;
};

}  // namespace cudalabs::vgpu
