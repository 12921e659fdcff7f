// Default streams of threads: what has an order, what races, and the names that programs call for them.
#include <atomic>
#include <thread>

#include "catch/catch.h"
#include "streams.h"

extern "C" {
cudaError_t cudaMemset_ptds(void* pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync_ptsz(void* pointer, int value, size_t bytes, cudaStream_t stream);
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream);
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* function, void** arguments);
}

namespace cudalabs::vgpu::test {
namespace {

struct Bytes {
  Bytes() { REQUIRE(cudaMalloc(reinterpret_cast<void**>(&first), 64) == cudaSuccess); }
  char* first = nullptr;
};

/// What a thread of its own does; the caller goes on when it has, but it ends only with this object.
class Beside {
 public:
  template <class Body>
  explicit Beside(Body body)
      : thread_([this, body] {
          body();
          done_ = true;
          done_.notify_one();
          ended_.wait(false);
        }) {
    done_.wait(false);
  }
  ~Beside() {
    ended_ = true;
    ended_.notify_one();
    thread_.join();
  }

 private:
  std::atomic<bool> done_ = false, ended_ = false;
  std::thread thread_;
};

cudaError_t set_in(char* to, cudaStream_t stream) {
  return cudaMemsetAsync_ptsz(to, 1, 16, stream);
}

bool has_race(Device& device) {
  return has_finding(device.finish(), "stream-race");
}

}  // namespace

TEST_CASE("the default streams of two threads do not wait for each other") {
  Device device;
  const Bytes memory;
  cudaError_t beside = cudaErrorUnknown;
  const Beside thread([&] { beside = set_in(memory.first, nullptr); });
  CHECK(beside == cudaSuccess);
  SECTION("both write") {
    CHECK(set_in(memory.first + 8, nullptr) == cudaSuccess);
    const ServerReport report = device.finish();
    REQUIRE(has_finding(report, "stream-race"));
    CHECK(report.findings[0].message ==
          "`cudaMemsetAsync` and an earlier call of it write to the same memory, in either order");
    CHECK(report.findings[0].help.find("each thread of the host has a default stream of its own") == 0);
  }
  SECTION("a fill that is not asynchronous is in the thread's stream, too") {
    CHECK(cudaMemset_ptds(memory.first + 8, 1, 8) == cudaSuccess);
    CHECK(has_race(device));
  }
  SECTION("the same by the stream's handle") {
    CHECK(cudaMemsetAsync(memory.first + 8, 1, 8, cudaStreamPerThread) == cudaSuccess);
    CHECK(has_race(device));
  }
  SECTION("in other memory") {
    CHECK(set_in(memory.first + 16, nullptr) == cudaSuccess);
    CHECK_FALSE(has_race(device));
  }
  SECTION("the legacy default stream waits for both") {
    CHECK(set_in(memory.first + 8, cudaStreamLegacy) == cudaSuccess);
    CHECK(set_in(memory.first + 8, nullptr) == cudaSuccess);
    CHECK_FALSE(has_race(device));
  }
  SECTION("plain names mean the legacy default stream") {
    CHECK(cudaMemset(memory.first + 8, 1, 8) == cudaSuccess);
    CHECK_FALSE(has_race(device));
  }
  SECTION("the host waits for this thread's stream, which is not the other one's") {
    CHECK(cudaStreamSynchronize_ptsz(nullptr) == cudaSuccess);
    CHECK(set_in(memory.first + 8, nullptr) == cudaSuccess);
    CHECK(has_race(device));
  }
}

TEST_CASE("a thread that waits for its default stream, or for an event there, comes after it") {
  Device device;
  const Bytes memory;
  const cudaEvent_t event = new_event();
  const bool by_event = GENERATE(false, true);
  const Beside thread([&] {
    set_in(memory.first, nullptr);
    if (by_event) cudaEventRecord(event, cudaStreamPerThread);
    if (!by_event) cudaStreamSynchronize_ptsz(nullptr);
  });
  if (by_event) CHECK(cudaStreamWaitEvent(cudaStreamPerThread, event, 0) == cudaSuccess);
  CHECK(set_in(memory.first, nullptr) == cudaSuccess);
  CHECK_FALSE(has_race(device));
}

TEST_CASE("a thread's default stream goes with the thread, and its work is not forgotten") {
  SessionLimits limits;
  limits.streams = 4;
  Device device(device_model("t4"), limits);
  const Bytes memory;
  for (int i = 0; i < 20; ++i) {
    cudaError_t status = cudaErrorUnknown;
    std::thread([&] {
      status = set_in(memory.first + 32, nullptr);
      if (status == cudaSuccess) status = cudaStreamSynchronize_ptsz(nullptr);
    }).join();
    REQUIRE(status == cudaSuccess);
  }
  std::thread([&] { set_in(memory.first, nullptr); }).join();
  CHECK(set_in(memory.first + 8, nullptr) == cudaSuccess);
  CHECK(has_race(device));
}

TEST_CASE("a thread's default stream is blocking, captures for its thread, and cannot be destroyed") {
  Device device;
  unsigned int flags = 9;
  CHECK(cudaStreamGetFlags(cudaStreamPerThread, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamDefault);
  CHECK(cudaStreamDestroy(cudaStreamPerThread) == cudaErrorInvalidResourceHandle);
  REQUIRE(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  const Beside thread([&] {
    cudaStreamIsCapturing(cudaStreamPerThread, &status);
    set_in(nullptr, nullptr);
  });
  CHECK(status == cudaStreamCaptureStatusNone);
  CHECK(cudaStreamIsCapturing(cudaStreamPerThread, &status) == cudaSuccess);
  CHECK(status == cudaStreamCaptureStatusActive);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(cudaStreamPerThread, &graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("a launch by its configuration is in the thread's default stream") {
  Device device;
  BusyKernel busy;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = configuration.blockDim = dim3(1);
  REQUIRE(cudaLaunchKernelExC_ptsz(&configuration, kernel("wait"), nullptr) == cudaSuccess);
  CHECK(cudaStreamQuery(cudaStreamPerThread) == cudaErrorNotReady);
  cudaError_t other = cudaErrorUnknown;
  const Beside thread([&] { other = cudaStreamQuery(cudaStreamPerThread); });
  CHECK(other == cudaSuccess);
  busy.gate.open();
  CHECK(cudaStreamSynchronize_ptsz(nullptr) == cudaSuccess);
}

}  // namespace cudalabs::vgpu::test
