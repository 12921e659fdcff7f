// Threads that wait for launches, so that none has to start any.
#include "vgpu/exec/worker_pool.h"

#include <algorithm>
#include <utility>

#include "vgpu/usable_processors.h"

namespace cudalabs::vgpu::exec {

WorkerPool::WorkerPool(unsigned workers) {
  if (workers == 0) workers = usable_processors();
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
    failure_ = nullptr;
  }
  if (count_ > 1) begun_.notify_all();
  do_job(job, 0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return busy_ == 0; });
  job_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerPool::do_job(const std::function<void(unsigned)>& job, unsigned number) {
  try {
    job(number);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
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
    do_job(*job, number);
    lock.lock();
    if (--busy_ == 0) ended_.notify_one();
  }
}

}  // namespace cudalabs::vgpu::exec
