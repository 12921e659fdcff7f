// What a capture forbids: waits for what is captured, orders by other events, calls that may be unsafe.
#include <thread>

#include "catch/catch.h"
#include "graphs.h"

using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

TEST_CASE("waiting for what is captured is refused, and ends the capture") {
  Writer writer;
  Device device;
  int* const cell = new_ints();
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  const cudaEvent_t event = new_event();
  begin(stream, cudaStreamCaptureModeRelaxed);
  SECTION("the stream") {
    CHECK(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
  }
  SECTION("a question for the stream") {
    CHECK(cudaStreamQuery(stream) == cudaErrorStreamCaptureUnsupported);
  }
  SECTION("the device") {
    CHECK(cudaDeviceSynchronize() == cudaErrorStreamCaptureUnsupported);
  }
  SECTION("an event") {
    REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
    CHECK(cudaEventSynchronize(event) == cudaErrorCapturedEvent);
  }
  SECTION("a question for an event") {
    REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
    CHECK(cudaEventQuery(event) == cudaErrorCapturedEvent);
  }
  CHECK(status_of(stream) == cudaStreamCaptureStatusInvalidated);
  launch_as_compiled(kernel("empty"), 1, 1, {}, 0, stream);
  CHECK(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  ends_with(stream, cudaErrorStreamCaptureInvalidated);
  REQUIRE(cudaFree(cell) == cudaSuccess);
  const ServerReport report = device.finish();
  CHECK(report.protocol_error.empty());
}

TEST_CASE("events of other captures, and of none, do not order what is captured") {
  Device device;
  const cudaStream_t one = new_stream(), other = new_stream();
  const cudaEvent_t event = new_event();
  SECTION("one of no capture") {
    REQUIRE(cudaEventRecord(event, other) == cudaSuccess);
    begin(one);
    CHECK(cudaStreamWaitEvent(one, event, 0) == cudaErrorStreamCaptureIsolation);
  }
  SECTION("one of another capture") {
    begin(one);
    begin(other);
    REQUIRE(cudaEventRecord(event, other) == cudaSuccess);
    CHECK(cudaStreamWaitEvent(one, event, 0) == cudaErrorStreamCaptureMerge);
    ends_with(other, cudaErrorStreamCaptureInvalidated);
  }
  ends_with(one, cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("an event of a capture that has ended is of no use until it is recorded again") {
  Device device;
  const cudaStream_t one = new_stream(), other = new_stream();
  const cudaEvent_t event = new_event();
  begin(one);
  REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
  end(one);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidValue);
  CHECK(cudaEventSynchronize(event) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(other, event, 0) == cudaErrorInvalidValue);
  begin(one);
  CHECK(cudaStreamWaitEvent(one, event, 0) == cudaErrorInvalidValue);
  ends_with(one, cudaErrorStreamCaptureInvalidated);
  REQUIRE(cudaEventRecord(event, one) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(other, event, 0) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
}

TEST_CASE("the default stream waits for blocking streams, and therefore for none that captures") {
  Writer writer;
  Device device;
  int* const cell = new_ints();
  int value = 1;
  const bool blocking = GENERATE(true, false);
  const cudaStream_t stream = new_stream(blocking ? cudaStreamDefault : cudaStreamNonBlocking);
  begin(stream, cudaStreamCaptureModeRelaxed);
  const cudaError_t expected = blocking ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  SECTION("a launch") {
    int* to = cell;
    launch_as_compiled(kernel("write"), 1, 1, {&to, &value});
    CHECK(cudaGetLastError() == expected);
  }
  SECTION("a copy") {
    CHECK(cudaMemcpy(cell, &value, 4, cudaMemcpyHostToDevice) == expected);
  }
  SECTION("a fill") {
    CHECK(cudaMemset(cell, 0, 4) == expected);
  }
  if (blocking) {
    ends_with(stream, cudaErrorStreamCaptureInvalidated);
  } else {
    CHECK(nodes_of(end(stream)).empty());
  }
}

TEST_CASE("what may be unsafe is refused as the modes of the capture and of the thread say") {
  Device device;
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
  void* memory = nullptr;
  const auto allocate = [&] { return cudaMalloc(&memory, 16); };
  const auto allocate_elsewhere = [&](cudaStreamCaptureMode mode) {
    cudaError_t status = cudaErrorUnknown;
    std::thread([&] {
      status = cudaThreadExchangeStreamCaptureMode(&mode);
      if (status == cudaSuccess) status = allocate();
    }).join();
    return status;
  };
  SECTION("global: for all threads that have not said that they may") {
    begin(stream, cudaStreamCaptureModeGlobal);
    CHECK(allocate_elsewhere(cudaStreamCaptureModeRelaxed) == cudaSuccess);
    CHECK(allocate_elsewhere(cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    CHECK(status_of(stream) == cudaStreamCaptureStatusActive);
    CHECK(allocate_elsewhere(cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    ends_with(stream, cudaErrorStreamCaptureInvalidated);
  }
  SECTION("thread local: for the thread itself") {
    begin(stream, cudaStreamCaptureModeThreadLocal);
    CHECK(allocate_elsewhere(cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(allocate() == cudaErrorStreamCaptureUnsupported);
    ends_with(stream, cudaErrorStreamCaptureInvalidated);
  }
  SECTION("a thread may exchange its mode for a while") {
    begin(stream);
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    REQUIRE(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
    CHECK(mode == cudaStreamCaptureModeGlobal);
    CHECK(allocate() == cudaSuccess);
    REQUIRE(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
    CHECK(mode == cudaStreamCaptureModeRelaxed);
    end(stream);
  }
  SECTION("questions and waits for other streams and events are unsafe") {
    const cudaStream_t other = new_stream(cudaStreamNonBlocking);
    const cudaEvent_t event = new_event();
    const cudaError_t refused = cudaErrorStreamCaptureUnsupported;
    begin(stream);
    SECTION("a stream's wait") {
      CHECK(cudaStreamSynchronize(other) == refused);
    }
    SECTION("a stream's question") {
      CHECK(cudaStreamQuery(other) == refused);
    }
    SECTION("an event's question") {
      CHECK(cudaEventQuery(event) == refused);
    }
    SECTION("memory of another stream") {
      CHECK(cudaMallocAsync(&memory, 16, other) == refused);
    }
    ends_with(stream, cudaErrorStreamCaptureInvalidated);
  }
  SECTION("relaxed: for nobody") {
    begin(stream, cudaStreamCaptureModeRelaxed);
    CHECK(allocate() == cudaSuccess);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
    end(stream);
  }
  cudaStreamCaptureMode none = static_cast<cudaStreamCaptureMode>(7);
  CHECK(cudaThreadExchangeStreamCaptureMode(&none) == cudaErrorInvalidValue);
}

TEST_CASE("graphs are made while a stream captures, but none is launched in it, as on an H100") {
  Device device;
  const cudaStream_t stream = new_stream(cudaStreamNonBlocking), other = new_stream(cudaStreamNonBlocking);
  const cudaGraphExec_t executable = instantiated(new_graph());
  const auto mode =
      GENERATE(cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed);
  begin(stream, mode);
  SECTION("a launch") {
    CHECK(cudaGraphLaunch(executable, stream) == cudaErrorStreamCaptureUnsupported);
    ends_with(stream, cudaErrorStreamCaptureInvalidated);
  }
  SECTION("an upload") {
    CHECK(cudaGraphUpload(executable, stream) == cudaErrorStreamCaptureUnsupported);
    ends_with(stream, cudaErrorStreamCaptureInvalidated);
  }
  SECTION("a launch beside it") {
    CHECK(cudaGraphLaunch(executable, other) == cudaSuccess);
    end(stream);
  }
  SECTION("a new graph") {
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphAddEmptyNode(&node, new_graph(), nullptr, 0) == cudaSuccess);
    end(stream);
  }
  SECTION("an executable graph") {
    cudaGraphExec_t second = nullptr;
    const bool relaxed = mode == cudaStreamCaptureModeRelaxed;
    CHECK(cudaGraphInstantiate(&second, new_graph(), 0) == (relaxed ? cudaSuccess : cudaErrorStreamCaptureUnsupported));
    if (relaxed) {
      end(stream);
    } else {
      ends_with(stream, cudaErrorStreamCaptureInvalidated);
    }
  }
}

TEST_CASE("what cannot be captured is refused") {
  Device device;
  const cudaStream_t stream = new_stream();
  begin(stream);
  SECTION("a question for its flags") {
    unsigned flags = 0;
    CHECK(cudaStreamGetFlags(stream, &flags) == cudaErrorStreamCaptureUnsupported);
  }
  SECTION("a callback") {
    CHECK(cudaStreamAddCallback(
              stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0) == cudaErrorStreamCaptureUnsupported);
  }
  SECTION("a kernel that there is not") {
    launch_as_compiled(kernel("absent"), 1, 1, {}, 0, stream);
    CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
  }
  SECTION("a launch with too many threads") {
    launch_as_compiled(kernel("empty"), 1, 4096, {}, 0, stream);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    ends_with(stream, cudaErrorStreamCaptureInvalidated);
    CHECK(has_finding(device.finish(), "invalid-launch"));
    return;
  }
  SECTION("a free of what no node allocates, after which the capture goes on") {
    CHECK(cudaFreeAsync(&device, stream) == cudaErrorInvalidValue);
    CHECK(nodes_of(end(stream)).empty());
    return;
  }
  ends_with(stream, cudaErrorStreamCaptureInvalidated);
}
