// Host functions: called by a thread of the runtime's own, after the work before them and before the work behind them.
#include <atomic>
#include <thread>

#include "catch/catch.h"
#include "streams.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

struct Called {
  std::atomic<int> value = 0;
  static void add_one(void* data) { ++static_cast<Called*>(data)->value; }
  static void add_status(cudaStream_t, cudaError_t status, void* data) {
    static_cast<Called*>(data)->value += 10 + status;
  }
};

}  // namespace

TEST_CASE("a host function is not called before the stream has come to it") {
  BusyKernel busy;
  Device device;
  const cudaStream_t stream = new_stream();
  busy.start(stream);
  Called called;
  REQUIRE(cudaLaunchHostFunc(stream, Called::add_one, &called) == cudaSuccess);
  CHECK(called.value == 0);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  busy.gate.open();
  SECTION("who waits for the stream waits for it, too") {
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  }
  SECTION("so does who waits for the device") {
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  SECTION("what the stream is given later comes after it") {
    busy.start(stream);
    CHECK(called.value == 1);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  }
  SECTION("and it is called when nobody waits for the runtime") {
    while (called.value == 0) std::this_thread::yield();
  }
  SECTION("or when the program asks until it has been") {
    while (cudaStreamQuery(stream) == cudaErrorNotReady) std::this_thread::yield();
  }
  CHECK(called.value == 1);
}

TEST_CASE("host functions are called in their order, and callbacks are told how the work went") {
  Device device;
  const cudaStream_t stream = new_stream();
  Called called;
  REQUIRE(cudaLaunchHostFunc(stream, Called::add_one, &called) == cudaSuccess);
  REQUIRE(cudaStreamAddCallback(stream, Called::add_status, &called, 0) == cudaSuccess);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(called.value == 11);
  CHECK(cudaLaunchHostFunc(stream, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamAddCallback(stream, nullptr, nullptr, 0) == cudaErrorInvalidValue);
  const auto nowhere = reinterpret_cast<cudaStream_t>(std::uintptr_t{0x7777});
  CHECK(cudaLaunchHostFunc(nowhere, Called::add_one, &called) == cudaErrorInvalidResourceHandle);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(called.value == 11);
}

TEST_CASE("a host function must not call the runtime") {
  Device device;
  static std::atomic<int> status;
  status = cudaSuccess;
  REQUIRE(cudaLaunchHostFunc(
              nullptr, [](void*) { status = cudaDeviceSynchronize(); }, nullptr) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(status == cudaErrorNotPermitted);
}
