// The few CUDA objects the ladder benchmark holds: checked calls, device memory that frees itself, events.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace cudalabs::ladder {

inline void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Device memory for `count` values of T.
template <typename T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)), "cudaMalloc");
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(other.count_) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Time on the device between two points of the default stream.
class Stopwatch {
 public:
  Stopwatch() {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start() { check(cudaEventRecord(start_), "cudaEventRecord"); }
  void stop() { check(cudaEventRecord(stop_), "cudaEventRecord"); }
  /// Waits for `stop()` to be reached.
  double milliseconds() {
    check(cudaEventSynchronize(stop_), "the timed work");
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, start_, stop_), "cudaEventElapsedTime");
    return static_cast<double>(elapsed);
  }

 private:
  cudaEvent_t start_{}, stop_{};
};

}  // namespace cudalabs::ladder
