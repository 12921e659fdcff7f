// Streams that wait for a value in memory (cuStreamWaitValue32 and its kin), and the work that comes after such waits.
//
// The device's queue is one, and does work in the order of its issue. Work behind a wait that is not over stands beside
// the queue until the wait is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "vgpu/cudart/origins.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server/stream_order.h"

namespace cudalabs::vgpu {

/// Whether a wait of this kind is over when the memory holds `now`; both are numbers of so many bytes.
bool is_over(wire::MemoryOperation::Kind wait, std::uint32_t bytes, std::uint64_t now, std::uint64_t value);

struct ValueWait {
  StreamId stream = 0;
  std::uint64_t number = 0;  // in the stream
  Progress after;            // all that it comes after
  wire::MemoryOperation operation;
  CallOrigin origin;
  std::string name;  // of the call
};

/// Work of a stream that comes after a wait.
struct WaitingWork {
  StreamId stream = 0;
  Progress after;  // with itself
  std::function<void()> work;
};

class StreamWaits {
 public:
  bool empty() const { return waits_.empty(); }
  /// Something in `progress` is a wait that is not over, or comes after one.
  bool hold(const Progress& progress) const;
  void add(ValueWait wait) { waits_.push_back(std::move(wait)); }
  void park(WaitingWork work) { parked_.push_back(std::move(work)); }
  std::size_t size() const { return waits_.size(); }
  std::size_t parked() const { return parked_.size(); }

  /// Those that come after no other wait: what they wait for decides.
  std::vector<const ValueWait*> foremost() const;
  /// The wait is over. It must be one of these.
  ValueWait take(const ValueWait* wait);
  /// The first work that may go on, in the order of its issue.
  std::optional<WaitingWork> next();
  void clear();

 private:
  std::deque<ValueWait> waits_;
  std::deque<WaitingWork> parked_;
};

/// What streams have written by cuStreamWriteValue32 and its kin, by place: which write a wait was over with.
class WrittenValues {
 public:
  struct Write {
    std::uint64_t value = 0;
    std::uint32_t bytes = 0;
    Progress progress;  // all that comes before the write, and itself
    CallOrigin origin;
  };
  void note(std::uint64_t address, Write write);
  /// The write from which on the memory, which holds `now`, has had values that end the wait; null: nobody knows.
  const Write* ending(const wire::MemoryOperation& wait, std::uint64_t now) const;
  /// The last one; null: none is known.
  const Write* last(std::uint64_t address) const;
  void clear();

 private:
  static constexpr std::size_t kMostPlaces = 4096, kMostOfPlace = 64, kMostProgress = 1 << 19;
  std::map<std::uint64_t, std::deque<Write>> writes_;
  std::size_t progress_ = 0;  // streams that all of them remember, together
};

}  // namespace cudalabs::vgpu
