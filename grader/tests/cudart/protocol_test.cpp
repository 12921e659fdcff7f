// The session against clients that do not use the library: broken messages, impossible sizes, sudden ends.
#include <cstring>

#include "raw_client.h"

using namespace cudalabs::vgpu;

TEST_CASE("a client that never says anything") {
  RawClient client;
  const ServerReport report = client.finish();
  CHECK(report.protocol_error.empty());
  CHECK_FALSE(report.said_goodbye);
  CHECK(report.findings.empty());
}

TEST_CASE("a client that vanishes in the middle of") {
  RawClient client;
  client.greet();
  const std::uint64_t address = client.allocate(1000);
  SECTION("a header") {
    client.send("abc", 3);
  }
  SECTION("a request") {
    client.send(wire::RequestHeader{sizeof(wire::Copy), wire::Op::copy_in, 0, 0, 0});
    client.send("abc", 3);
  }
  SECTION("data") {
    client.request(wire::Op::copy_in, wire::Copy{{address, 1000, 1000, 1}, 0, 0, 0});
    client.send("abc", 3);
  }
  SECTION("what an asynchronous copy is to read") {
    client.request(wire::Op::copy_in, wire::Copy{{address, 1000, 1000, 1}, 0, 1, 1});
    client.send(std::vector<char>(1000).data(), 1000);
    client.request(wire::Op::copy_source, wire::CopySource{client.answer<wire::Delivery>().id, 1000});
    client.send("abc", 3);
  }
  SECTION("data nobody wants") {
    client.request(wire::Op::copy_in, wire::Copy{{1, 1000, ~0ull, 1}, 0, 0, 0});
    client.send("abc", 3);
  }
  SECTION("device code") {
    client.request(wire::Op::load_module, wire::LoadModule{wire::kMaxImageBytes});
    client.send(".version", 8);
  }
  SECTION("an answer") {
    client.request(wire::Op::copy_out, wire::Copy{{address, 1000, 1000, 1}, 0, 0, 0});
  }
  const ServerReport report = client.finish();
  CHECK(report.protocol_error.empty());
  CHECK(report.internal_error.empty());
  CHECK_FALSE(report.said_goodbye);
  CHECK(report.findings.empty());  // a client that was killed is not blamed for memory it kept
}

TEST_CASE("messages no client sends end the session") {
  RawClient client;
  std::string expected;
  SECTION("no greeting") {
    client.request(wire::Op::synchronize);
    expected = "no greeting";
  }
  SECTION("an unknown operation") {
    client.send(wire::RequestHeader{0, static_cast<wire::Op>(wire::kOpCount), 0, 0, 0});
    expected = "unknown operation";
  }
  SECTION("an unknown function") {
    client.send(wire::RequestHeader{sizeof(wire::Hello), wire::Op::hello, 9999, 0, 0});
    expected = "unknown API function";
  }
  SECTION("a huge request") {
    client.send(wire::RequestHeader{0xffffffff, wire::Op::hello, 0, 0, 0});
    expected = "a request of";
  }
  SECTION("a short request") {
    client.send(wire::RequestHeader{1, wire::Op::hello, 0, 0, 0});
    expected = "with 1 bytes";
  }
  SECTION("a launch that is shorter than a launch") {
    client.greet();
    client.send(wire::RequestHeader{8, wire::Op::launch, 0, 0, 0});
    expected = "with 8 bytes";
  }
  SECTION("a launch whose parameters are cut short") {
    client.greet();
    wire::Launch launch;
    launch.parameter_bytes = 100;
    client.request(wire::Op::launch, launch);
    expected = "cut short";
  }
  SECTION("a copy of more bytes than there are numbers") {
    client.greet();
    client.request(wire::Op::copy_in, wire::Copy{{1, 1ull << 40, 1ull << 40, 1ull << 40}, 0, 0, 0});
    expected = "a copy of more bytes";
  }
  SECTION("a call with a status that is none") {
    client.greet();
    client.request(wire::Op::note, wire::Note{-1, 0, 0, {}});
    expected = "a call that returned -1";
  }
  SECTION("an asynchronous copy that reads more than it was to copy") {
    client.greet();
    client.request(wire::Op::copy_in, wire::Copy{{client.allocate(8), 8, 8, 1}, 0, 1, 1});
    client.send("01234567", 8);
    client.request(wire::Op::copy_source, wire::CopySource{client.answer<wire::Delivery>().id, 9});
    expected = "a copy whose size changes";
  }
  SECTION("a call with a status that is none, which has seen an error") {
    client.greet();
    client.request(wire::Op::note, wire::Note{-256, cudaErrorInvalidValue, 0, {}}, wire::call("cudaGetLastError"));
    expected = "a call that returned -256";
  }
  SECTION("a call that has seen an error that is none") {
    client.greet();
    client.request(wire::Op::note, wire::Note{0, 1 << 30, 0, {}}, wire::call("cudaGetLastError"));
    expected = "a call that returned 1073741824";
  }
  SECTION("ranges of no kind") {
    client.greet();
    client.request(wire::Op::ranges, wire::Ranges{static_cast<wire::Ranges::Action>(99)});
    expected = "ranges of no kind";
  }
  SECTION("endless device code") {
    client.greet();
    client.request(wire::Op::load_module, wire::LoadModule{wire::kMaxImageBytes + 1});
    expected = "device code of";
  }
  CHECK(client.status() == -1);
  const ServerReport report = client.finish();
  CHECK(report.protocol_error.find(expected) != std::string::npos);
  CHECK(report.internal_error.empty());
}

TEST_CASE("a client of another version is told so") {
  RawClient client;
  client.request(wire::Op::hello, wire::Hello{77, 0});
  CHECK(client.status() == cudaErrorInsufficientDriver);
  client.request(wire::Op::synchronize);
  CHECK(client.finish().protocol_error == "no greeting");
}

TEST_CASE("handles and addresses that were made up") {
  RawClient client;
  client.greet();
  const std::uint64_t address = client.allocate(1000);
  const auto refused = [&](wire::Op op, const auto& payload, cudaError_t expected) {
    CAPTURE(static_cast<int>(op));
    client.request(op, payload);
    CHECK(client.status() == expected);
  };
  for (const std::uint64_t handle : {std::uint64_t{3}, std::uint64_t{77}, ~std::uint64_t{0}}) {
    for (const wire::Op op :
         {wire::Op::stream_destroy, wire::Op::stream_synchronize, wire::Op::stream_query, wire::Op::stream_info,
          wire::Op::event_destroy, wire::Op::event_query, wire::Op::event_synchronize})
      refused(op, wire::Handle{handle}, cudaErrorInvalidResourceHandle);
    for (const wire::Op op : {wire::Op::stream_wait, wire::Op::event_record})
      refused(op, wire::StreamEvent{handle, handle}, cudaErrorInvalidResourceHandle);
    refused(wire::Op::event_elapsed, wire::EventPair{handle, handle}, cudaErrorInvalidResourceHandle);
    refused(wire::Op::fill, wire::Fill{{address, 1, 1, 1}, handle, 0, 0}, cudaErrorInvalidResourceHandle);
  }
  refused(wire::Op::stream_create, wire::StreamCreate{99, 0}, cudaErrorInvalidValue);
  refused(wire::Op::event_create, wire::EventCreate{99, 0}, cudaErrorInvalidValue);
  refused(wire::Op::allocate, wire::Allocate{0}, cudaErrorInvalidValue);
  refused(wire::Op::allocate, wire::Allocate{~0ull}, cudaErrorMemoryAllocation);
  refused(wire::Op::release, wire::Address{address + 1}, cudaErrorInvalidValue);
  refused(wire::Op::release, wire::Address{0}, cudaErrorInvalidValue);
  using Action = wire::Ranges::Action;
  constexpr std::uint64_t kPiece = 2 << 20;
  for (const Action action : {Action::free, Action::release, Action::map, Action::unmap, Action::set_access,
                              Action::look_up, Action::retain}) {
    refused(wire::Op::ranges, wire::Ranges{action, 3, address, kPiece, 77, 0}, cudaErrorInvalidValue);
    refused(wire::Op::ranges, wire::Ranges{action, 3, ~0ull, ~0ull, ~0ull, ~0ull}, cudaErrorInvalidValue);
  }
  refused(wire::Op::ranges, wire::Ranges{Action::reserve, 0, 0, 4097, 0, 0}, cudaErrorInvalidValue);
  refused(wire::Op::ranges, wire::Ranges{Action::reserve, 0, 0, 4096, 0, (4 << 20) + 1}, cudaErrorInvalidValue);
  refused(wire::Op::ranges, wire::Ranges{Action::reserve, 0, 0, 4096, 0, 1ull << 63}, cudaErrorMemoryAllocation);
  refused(wire::Op::ranges, wire::Ranges{Action::create, 0, 0, kPiece + 1, 0, 0}, cudaErrorInvalidValue);
  refused(wire::Op::ranges, wire::Ranges{Action::create, 0, 0, 1ull << 62, 0, 0}, cudaErrorMemoryAllocation);
  refused(wire::Op::kernel_attributes, wire::KernelHandle{0, 0}, cudaErrorInvalidDeviceFunction);
  refused(wire::Op::set_attribute, wire::SetAttribute{{~0u, ~0u}, 8, 0}, cudaErrorInvalidDeviceFunction);
  refused(wire::Op::occupancy, wire::Occupancy{{1, 1}, 32, 0, 0}, cudaErrorInvalidDeviceFunction);
  refused(wire::Op::cluster_occupancy, wire::ClusterOccupancy{{1, 1}}, cudaErrorInvalidDeviceFunction);
  refused(wire::Op::launch, wire::Launch{}, cudaErrorInvalidDeviceFunction);

  const wire::Rows bad_rows[] = {
      {address, 0, 1001, 1},       {address - 1, 0, 1, 1}, {address + 999, 0, 2, 1}, {address, ~0ull, 1, 2},
      {address, ~0ull, 1, ~0ull},  {address, 500, 500, 3}, {~0ull, 0, 1, 1},         {0, 0, 1, 1},
      {address, 1ull << 63, 1, 3}, {address, 501, 500, 2},
  };
  for (const wire::Rows& rows : bad_rows) {
    CAPTURE(rows.address - address, rows.pitch, rows.width, rows.height);
    refused(wire::Op::fill, wire::Fill{rows, 0, 0, 0}, cudaErrorInvalidValue);
    refused(wire::Op::copy_out, wire::Copy{rows, 0, 0, 0}, cudaErrorInvalidValue);
    refused(wire::Op::copy_within, wire::CopyWithin{rows, rows, 0, 0, 0}, cudaErrorInvalidValue);
  }
  refused(wire::Op::fill, wire::Fill{{address, 4, 5, 2}, 0, 0, 0}, cudaErrorInvalidPitchValue);
  refused(wire::Op::copy_within, wire::CopyWithin{{address, 1, 1, 1}, {address, 2, 2, 1}, 0, 0, 0},
          cudaErrorInvalidValue);
  // After all that the session still works.
  refused(wire::Op::fill, wire::Fill{{address, 500, 500, 2}, 0, 0, 0}, cudaSuccess);
  CHECK(client.finish().protocol_error.empty());
}

TEST_CASE("data for a copy that is refused is skipped") {
  RawClient client;
  client.greet();
  std::vector<char> data(300'000, 'x');
  client.request(wire::Op::copy_in, wire::Copy{{12345, data.size(), data.size(), 1}, 0, 0, 0});
  std::thread sender([&] {
    for (std::size_t sent = 0; sent < data.size();) {
      const ssize_t count = ::send(client.descriptor(), data.data() + sent, data.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
  });
  CHECK(client.status() == cudaErrorInvalidValue);
  sender.join();
  client.request(wire::Op::synchronize);
  CHECK(client.status() == cudaSuccess);
}

TEST_CASE("a note says only what a library answers by itself") {
  struct Said {
    std::uint16_t call;
    wire::Note note;
    bool may;
  };
  const std::vector<Said> said = {
      {wire::call("cudaGetDeviceCount"), {0, 0, 0}, true},
      {wire::call("cudaGetDeviceCount"), {cudaErrorInvalidValue, 0, 0}, true},
      {wire::call("cudaMemcpy"), {cudaErrorInvalidMemcpyDirection, 0, 0}, true},
      {wire::call("cudaGetLastError"), {0, cudaErrorInvalidValue, 0}, true},
      {wire::call("cudaIpcGetMemHandle"), {cudaErrorNotSupported, 0, 0}, true},
      {wire::call("cudaGraphLaunch"), {0, 0, 0}, true},
      {wire::call("cudaGraphExecUpdate"), {cudaErrorGraphExecUpdateFailure, 0, 0}, true},
      {wire::call("cudaStreamSynchronize"), {cudaErrorStreamCaptureUnsupported, 0, 0}, true},
      {wire::call("cudaGraphAddNode"), {cudaErrorNotSupported, 0, 0, {}, wire::UnsupportedPart::semaphore_node}, true},
      {wire::call("cudaGraphAddNode"), {cudaErrorNotSupported, 0, 0, {}, wire::UnsupportedPart{99}}, false},
      {wire::call("cudaStreamCreate"), {cudaErrorInvalidValue, 0, 0}, true},
      {wire::call("cudaMallocManaged"), {cudaErrorMemoryAllocation, 0, 0}, true},
      {wire::call("cudaMalloc"), {cudaErrorInvalidValue, 0, 0}, true},
      {wire::call("cudaMallocManaged"), {0, 0, 0}, false},
      {wire::call("cudaDeviceSynchronize"), {0, 0, 0}, false},
      {wire::call("cudaStreamSynchronize"), {0, 0, 0}, false},
      {wire::call("cudaLaunchKernel"), {0, 0, 0}, false},
      {wire::call("cudaEventRecord"), {0, 0, 0}, false},
      {wire::call("cudaIpcGetMemHandle"), {0, 0, 0}, false},
      {wire::call("cudaMalloc"), {cudaErrorMemoryAllocation, 0, 0}, false},
      {wire::call("cudaMemcpy"), {cudaErrorLaunchFailure, 0, 0}, false},
      {wire::call("cudaMemcpy"), {0, cudaErrorInvalidValue, 0}, false},
      {wire::call("cudaGetLastError"), {0, cudaErrorLaunchOutOfResources, 0}, false},
      {wire::call("cudaGetLastError"), {cudaErrorInvalidValue, 0, 0}, false},
      {wire::call("cudaGetLastError"), {0, 9999, 0}, false},
      {0, {0, 0, 0}, false},
  };
  for (const auto& [call, note, may] : said) {
    INFO(wire::kCallNames[call] << " " << note.status << " " << note.seen_error);
    RawClient client;
    client.greet();
    client.request(wire::Op::note, note, call);
    if (may) client.request(wire::Op::synchronize);
    CHECK(client.status() == (may ? int{cudaSuccess} : -1));
    CHECK(client.finish().protocol_error.empty() == may);
  }
}

TEST_CASE("an error that a call was answered with may be shown later") {
  RawClient client;
  client.greet();
  client.request(wire::Op::stream_query, wire::Handle{77});
  CHECK(client.status() == cudaErrorInvalidResourceHandle);
  client.request(wire::Op::note, wire::Note{0, cudaErrorInvalidResourceHandle, 0}, wire::call("cudaPeekAtLastError"));
  client.request(wire::Op::note, wire::Note{cudaErrorInvalidResourceHandle, 0, 0}, wire::call("cudaLaunchHostFunc"));
  client.request(wire::Op::synchronize);
  CHECK(client.status() == cudaSuccess);
  CHECK(client.finish().protocol_error.empty());
}

TEST_CASE("the call log is bounded and counts on") {
  RawClient client;
  client.greet();
  constexpr std::size_t kCalls = CallLog::kMaxCalls + 5;
  for (std::size_t i = 0; i < kCalls; ++i) client.request(wire::Op::note, wire::Note{}, wire::call("cudaGetLastError"));
  client.request(wire::Op::synchronize);
  CHECK(client.status() == cudaSuccess);
  const ServerReport report = client.finish();
  CHECK(report.calls.size() == CallLog::kMaxCalls);
  CHECK(report.call_count == kCalls);
}
