// Threads that wait for launches, so that none has to start any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cudalabs::vgpu::exec {

class WorkerPool {
 public:
  /// `workers` threads take part in a run, the caller's own among them; 0: one per core.
  explicit WorkerPool(unsigned workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }

  /// Calls job(0) … job(count - 1), each on a thread of its own, and returns when all have. count <= size(). Throws
  /// what the first of them to fail threw.
  void run(unsigned count, const std::function<void(unsigned)>& job);

 private:
  void serve(unsigned number);
  void do_job(const std::function<void(unsigned)>& job, unsigned number);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  const std::function<void(unsigned)>* job_ = nullptr;
  std::uint64_t round_ = 0;
  unsigned count_ = 0;
  unsigned busy_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
};

}  // namespace cudalabs::vgpu::exec
