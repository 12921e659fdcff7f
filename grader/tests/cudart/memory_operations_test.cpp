// The session against clients whose streams write values and wait for them.
#include <string>
#include <utility>

#include "raw_client.h"

namespace cudalabs::vgpu::test::of_memory_operations {
namespace {

using Kind = wire::MemoryOperation::Kind;

struct Message {
  wire::MemoryOperations head;
  wire::MemoryOperation operation;
};

}  // namespace

TEST_CASE("operations on words of memory that no client sends") {
  const auto last_of = [](auto&& act) {
    RawClient client;
    client.greet();
    const std::uint64_t address = client.allocate(64);
    const int status = act(client, address);
    return std::pair(status, client.finish().protocol_error);
  };
  const auto operation = [](std::uint64_t address, std::uint32_t bytes, std::uint32_t kind) {
    return wire::MemoryOperation{address, 1, bytes, static_cast<Kind>(kind)};
  };
  for (const auto& [bytes, kind] : {std::pair{4u, 5u}, std::pair{3u, 0u}, std::pair{0u, 1u}, std::pair{4u, ~0u}}) {
    CAPTURE(bytes, kind);
    const auto [status, error] = last_of([&](RawClient& client, std::uint64_t address) {
      client.request(wire::Op::memory_operations, Message{{0, 1}, operation(address, bytes, kind)});
      return client.status();
    });
    CHECK(status == -1);
    CHECK(error == "an operation on memory of no kind");
  }
  for (const std::uint32_t count : {0u, 2u, 256u, ~0u}) {
    CAPTURE(count);
    const auto [status, error] = last_of([&](RawClient& client, std::uint64_t address) {
      client.request(wire::Op::memory_operations, Message{{0, count}, operation(address, 4, 0)});
      return client.status();
    });
    CHECK(status == -1);
    CHECK(error.find("operations on memory in 24 bytes") != std::string::npos);
  }
  // Addresses are looked at like those of a copy, and a stream that is none is told so.
  for (const std::uint64_t behind : {64ull, 2ull, 1ull << 62}) {
    const auto [status, error] = last_of([&](RawClient& client, std::uint64_t address) {
      client.request(wire::Op::memory_operations, Message{{0, 1}, operation(address + behind, 4, 0)});
      return client.status();
    });
    CHECK(status == cudaErrorInvalidValue);
    CHECK(error.empty());
  }
  CHECK(last_of([&](RawClient& client, std::uint64_t address) {
          client.request(wire::Op::memory_operations, Message{{77, 1}, operation(address, 4, 0)});
          return client.status();
        }).first == cudaErrorInvalidResourceHandle);
}

TEST_CASE("a client that asks for what waits is told so, and ends the waits or leaves them") {
  RawClient client;
  client.greet();
  const std::uint64_t address = client.allocate(64);
  client.request(wire::Op::stream_create, wire::StreamCreate{1, 0});
  const std::uint64_t stream = client.answer<wire::Handle>().id;
  client.request(wire::Op::memory_operations, Message{{stream, 1}, {address, 99, 4, Kind::wait_equal}});
  CHECK(client.status() == cudaSuccess);
  client.request(wire::Op::stream_synchronize, wire::Handle{stream});
  CHECK(client.status() == cudaErrorNotReady);
  client.request(wire::Op::fill, wire::Fill{{address, 64, 64, 1}, stream, 7, 1});
  CHECK(client.status() == cudaSuccess);
  client.request(wire::Op::stream_destroy, wire::Handle{stream});
  CHECK(client.status() == cudaSuccess);
  SECTION("it gives them up") {
    client.request(wire::Op::give_up_waits);
    CHECK(client.status() == cudaSuccess);
    client.request(wire::Op::synchronize);
    CHECK(client.status() == cudaErrorLaunchTimeout);
  }
  SECTION("it writes the value") {
    client.request(wire::Op::memory_operations, Message{{0, 1}, {address, 99, 4, Kind::write}});
    CHECK(client.status() == cudaSuccess);
    client.request(wire::Op::synchronize);
    CHECK(client.status() == cudaSuccess);
  }
  SECTION("it goes away") {}
  const ServerReport report = client.finish();
  CHECK(report.protocol_error.empty());
  CHECK(report.internal_error.empty());
}

TEST_CASE("work behind a wait that is never over has an end") {
  RawClient client;
  client.greet();
  const std::uint64_t address = client.allocate(64);
  client.request(wire::Op::memory_operations, Message{{0, 1}, {address, 99, 4, Kind::wait_equal}});
  CHECK(client.status() == cudaSuccess);
  int status = cudaSuccess;
  std::size_t fills = 0;
  for (; status == cudaSuccess && fills < 2 * SessionLimits{}.pending_work; ++fills) {
    client.request(wire::Op::fill, wire::Fill{{address, 64, 64, 1}, 0, 7, 1});
    status = client.status();
  }
  CHECK(status == cudaErrorLaunchTimeout);
  CHECK(fills <= SessionLimits{}.pending_work + 2);
  const ServerReport report = client.finish();
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].id == "endless-wait");
}

}  // namespace cudalabs::vgpu::test::of_memory_operations
