// Streams and events as handles: made, asked, destroyed, limited in number.
#include "catch/catch.h"
#include "streams.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("stream handles") {
  Device device;
  cudaStream_t stream = nullptr;
  unsigned int flags = 9;
  int priority = 9;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -2) == cudaSuccess);
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == -2);
  CHECK(cudaStreamGetFlags(nullptr, &flags) == cudaSuccess);
  CHECK(flags == 0);
  CHECK(cudaStreamGetFlags(stream, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(cudaStreamLegacy) == cudaSuccess);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  CHECK(cudaStreamCreateWithFlags(&stream, 2) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  int least = 9, greatest = 9;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least >= greatest);
}

TEST_CASE("event handles") {
  Device device;
  const cudaEvent_t event = new_event(), recorded = new_event(), untimed = new_event(cudaEventDisableTiming);
  const cudaStream_t stream = new_stream();
  float milliseconds = 0;
  REQUIRE(cudaEventRecord(recorded, stream) == cudaSuccess);
  REQUIRE(cudaEventRecord(untimed, stream) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);  // never recorded
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, event, 0) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, recorded, event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(&milliseconds, recorded, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, recorded, recorded) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(nullptr, stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecordWithFlags(recorded, stream, 2) == cudaErrorInvalidValue);
  CHECK(cudaEventRecordWithFlags(recorded, stream, 0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, nullptr, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(stream, recorded, 2) == cudaErrorInvalidValue);
  CHECK(cudaEventQuery(reinterpret_cast<cudaEvent_t>(stream)) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
  cudaEvent_t other = nullptr;
  CHECK(cudaEventCreateWithFlags(&other, cudaEventInterprocess | cudaEventDisableTiming) == cudaErrorInvalidValue);
  CHECK(cudaEventCreate(nullptr) == cudaErrorInvalidValue);
}

TEST_CASE("handles are limited in number") {
  SessionLimits limits;
  limits.streams = 2;  // one of them the default one
  limits.events = 1;
  Device device(device_model("t4"), limits);
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamCreate(&stream) == cudaErrorMemoryAllocation);
  CHECK(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaEventCreate(&event) == cudaErrorMemoryAllocation);
}

TEST_CASE("handles do not survive a reset") {
  Device device;
  const cudaStream_t stream = new_stream();
  const cudaEvent_t event = new_event();
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
}
