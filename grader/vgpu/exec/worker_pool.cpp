// Threads that wait for launches, so that none has to start any.
#include "vgpu/exec/worker_pool.h"

#include <algorithm>

namespace cudalabs::vgpu::exec {

WorkerPool::WorkerPool(unsigned workers) {
  if (workers == 0) workers = std::max(1u, std::thread::hardware_concurrency());
  threads_.reserve(workers - 1);
  for (unsigned number = 1; number < workers; ++number) {
    threads_.emplace_back([this, number] { serve(number); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(unsigned count, const std::function<void(unsigned)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    count_ = std::min(count, size());
    busy_ = count_ - 1;
    ++round_;
  }
  if (count_ > 1) begun_.notify_all();
  job(0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return busy_ == 0; });
  job_ = nullptr;
}

void WorkerPool::serve(unsigned number) {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return stopping_ || round_ != seen; });
    if (stopping_) return;
    seen = round_;
    if (number >= count_) continue;
    const std::function<void(unsigned)>* job = job_;
    lock.unlock();
    (*job)(number);
    lock.lock();
    if (--busy_ == 0) ended_.notify_one();
  }
}

}  // namespace cudalabs::vgpu::exec
