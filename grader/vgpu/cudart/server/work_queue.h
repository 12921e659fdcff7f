// The device's work, done in the order it was issued by one thread, while the connection goes on being served.
//
// All streams share the one queue. That is an order every stream's promises allow, and it makes runs repeat exactly.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace cudalabs::vgpu {

class WorkQueue {
 public:
  using Ticket = std::uint64_t;  // tickets count up from 1

  /// Without a thread of its own, work is done when it is waited for: all in one order, whatever the clock.
  explicit WorkQueue(bool own_thread = true);
  /// Waits for the work in progress, drops what has not begun.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Issues work; `work` must not throw.
  Ticket issue(std::function<void()> work);
  Ticket last_issued() const;
  bool done(Ticket ticket) const;
  std::size_t pending() const;
  /// Waits until `ticket` is done. Asks `give_up` now and then; false when that said yes first.
  bool wait(Ticket ticket, const std::function<bool()>& give_up);
  /// For a program that does not wait, and asks again: without a thread, does the work up to `ticket`.
  void advance(Ticket ticket);

 private:
  void run();
  bool do_until(Ticket ticket, const std::function<bool()>& give_up);

  mutable std::mutex mutex_;
  std::condition_variable issued_, finished_;
  std::deque<std::function<void()>> work_;
  Ticket last_issued_ = 0, last_done_ = 0;
  bool stopping_ = false;
  std::thread thread_;  // last: starts when all else is there; none where work is done when it is waited for
};

}  // namespace cudalabs::vgpu
