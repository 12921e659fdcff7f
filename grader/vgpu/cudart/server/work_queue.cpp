// The device's work, in order, on its own thread.
#include "vgpu/cudart/server/work_queue.h"

#include <chrono>
#include <utility>

namespace cudalabs::vgpu {
namespace {

constexpr auto kGiveUpInterval = std::chrono::milliseconds(20);

}  // namespace

WorkQueue::WorkQueue(bool own_thread) {
  if (own_thread) thread_ = std::thread([this] { run(); });
}

WorkQueue::~WorkQueue() {
  if (!thread_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  issued_.notify_one();
  thread_.join();
}

WorkQueue::Ticket WorkQueue::issue(std::function<void()> work) {
  Ticket ticket = 0;
  {
    const std::scoped_lock lock(mutex_);
    work_.push_back(std::move(work));
    ticket = ++last_issued_;
  }
  issued_.notify_one();
  return ticket;
}

WorkQueue::Ticket WorkQueue::last_issued() const {
  const std::scoped_lock lock(mutex_);
  return last_issued_;
}

bool WorkQueue::done(Ticket ticket) const {
  const std::scoped_lock lock(mutex_);
  return last_done_ >= ticket;
}

std::size_t WorkQueue::pending() const {
  const std::scoped_lock lock(mutex_);
  return last_issued_ - last_done_;
}

bool WorkQueue::wait(Ticket ticket, const std::function<bool()>& give_up) {
  if (!thread_.joinable()) return do_until(ticket, give_up);
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  // Not only when nothing is done for a while: there may be much work, all of it short.
  auto ask_at = Clock::now() + kGiveUpInterval;
  while (last_done_ < ticket) {
    finished_.wait_until(lock, ask_at);
    if (last_done_ >= ticket || Clock::now() < ask_at) continue;
    lock.unlock();
    if (give_up()) return false;
    lock.lock();
    ask_at = Clock::now() + kGiveUpInterval;
  }
  return true;
}

void WorkQueue::advance(Ticket ticket) {
  if (!thread_.joinable()) do_until(ticket, [] { return false; });
}

bool WorkQueue::do_until(Ticket ticket, const std::function<bool()>& give_up) {
  std::unique_lock lock(mutex_);
  while (last_done_ < ticket && !work_.empty()) {
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
    lock.lock();
    if (++last_done_ >= ticket) break;
    lock.unlock();
    if (give_up()) return false;
    lock.lock();
  }
  return true;
}

void WorkQueue::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    issued_.wait(lock, [this] { return stopping_ || !work_.empty(); });
    if (stopping_) return;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
    lock.lock();
    ++last_done_;
    finished_.notify_all();
  }
}

}  // namespace cudalabs::vgpu
