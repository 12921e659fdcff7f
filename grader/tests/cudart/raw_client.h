// A client that says whatever a test wants.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "catch/catch.h"
#include "fake_virtual_gpu.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server/session.h"

namespace cudalabs::vgpu {

/// A session whose client is the test itself, byte by byte.
class RawClient {
 public:
  RawClient() {
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends_) == 0);
    VirtualGpuOptions options;
    options.model = device_model("t4");
    gpu_ = std::make_unique<VirtualGpu>(options);
    channel_ = std::make_unique<SocketChannel>(ends_[0]);
    session_ = std::make_unique<Session>(*channel_, *gpu_, options.model);
    server_ = std::thread([this] {
      session_->serve();
      ::shutdown(ends_[0], SHUT_RDWR);
    });
  }
  ~RawClient() {
    if (server_.joinable()) finish();
  }

  void send(const void* bytes, std::size_t count) { REQUIRE(::send(ends_[1], bytes, count, MSG_NOSIGNAL) >= 0); }
  template <class T>
  void send(const T& value) {
    send(&value, sizeof value);
  }
  template <class T>
  void request(wire::Op op, const T& payload, std::uint16_t call = 0) {
    send(wire::RequestHeader{sizeof payload, op, call, 0, 0});
    send(payload);
  }
  void request(wire::Op op) { send(wire::RequestHeader{0, op, 0, 0, 0}); }
  template <class T>
  bool receive(T& value) {
    return ::recv(ends_[1], &value, sizeof value, MSG_WAITALL) == static_cast<ssize_t>(sizeof value);
  }
  /// The status of the next frame, whose content is dropped; -1 when the session is over.
  int status() {
    wire::FrameHeader frame;
    if (!receive(frame)) return -1;
    std::vector<char> rest(frame.bytes);
    if (!rest.empty()) ::recv(ends_[1], rest.data(), rest.size(), MSG_WAITALL);
    return frame.status;
  }
  template <class Result>
  Result answer() {
    wire::FrameHeader frame;
    Result result;
    REQUIRE(receive(frame));
    REQUIRE(frame.status == cudaSuccess);
    REQUIRE(frame.bytes == sizeof result);
    REQUIRE(receive(result));
    return result;
  }
  void greet() {
    request(wire::Op::hello, wire::Hello{});
    answer<wire::DeviceInfo>();
  }
  std::uint64_t allocate(std::uint64_t bytes) {
    request(wire::Op::allocate, wire::Allocate{bytes});
    return answer<wire::Address>().address;
  }
  ServerReport finish() {
    ::close(ends_[1]);
    server_.join();
    ::close(ends_[0]);
    return session_->report();
  }
  int descriptor() const { return ends_[1]; }

 private:
  int ends_[2];
  std::unique_ptr<VirtualGpu> gpu_;
  std::unique_ptr<SocketChannel> channel_;
  std::unique_ptr<Session> session_;
  std::thread server_;
};

}  // namespace cudalabs::vgpu
