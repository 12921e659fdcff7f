// What the runtime layer costs: a call's round trip, a launch, copies of several sizes. Prints medians of one run.
//
// Client and server are threads of one process here and talk through a socket pair, as two processes would.
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "vgpu/cudart/include/cuda_runtime_api.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server/session.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function, const char* device_name,
                            int thread_limit, uint3*, uint3*, dim3*, dim3*, int*);
}

namespace {

using namespace cudalabs::vgpu;
using Clock = std::chrono::steady_clock;

constexpr char kEmptyKernel[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry empty()\n{\n\tret;\n}\n";
constexpr char kStub = 0;

void register_kernel() {
  static struct {
    unsigned int magic = 0x466243b1, version = 1;
    const void* image = kEmptyKernel;
    void* unused = nullptr;
  } wrapper;
  __cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), &kStub, nullptr, "empty", -1, nullptr, nullptr, nullptr,
                         nullptr, nullptr);
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fmt::print(stderr, "{}\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Microseconds, median of `count`.
template <class Body>
double median_us(int count, Body&& body) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    body();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + count / 2, times.end());
  return times[static_cast<std::size_t>(count) / 2];
}

void measure() {
  void* device = nullptr;
  constexpr std::size_t kLargest = 64u << 20;
  check(cudaMalloc(&device, kLargest));
  std::vector<char> host(kLargest, 1);
  const auto launch = [] {
    void* no_arguments[1] = {};
    check(cudaLaunchKernel(&kStub, dim3(1), dim3(32), no_arguments, 0, nullptr));
  };
  fmt::print("{:<34} {:>10}\n", "", "us");
  fmt::print("{:<34} {:>10.1f}\n", "round trip (cudaStreamQuery)",
             median_us(20'000, [] { check(cudaStreamQuery(nullptr)); }));
  fmt::print("{:<34} {:>10.1f}\n", "launch and synchronise", median_us(2'000, [&] {
               launch();
               check(cudaDeviceSynchronize());
             }));
  fmt::print("\n{:<34} {:>10} {:>10}\n", "copy, bytes", "us", "GB/s");
  for (const std::size_t bytes : {std::size_t{4}, std::size_t{4} << 10, std::size_t{256} << 10, kLargest}) {
    const int count = bytes == kLargest ? 15 : 500;
    const auto print = [&](const char* direction, double us) {
      fmt::print("{:<34} {:>10.1f} {:>10.2f}\n", fmt::format("{} {}", direction, bytes), us,
                 static_cast<double>(bytes) / us / 1e3);
    };
    print("to the device",
          median_us(count, [&] { check(cudaMemcpy(device, host.data(), bytes, cudaMemcpyHostToDevice)); }));
    print("to the host",
          median_us(count, [&] { check(cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost)); }));
  }
}

}  // namespace

int main() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 1;
  ::setenv(wire::kConnectionVariable, std::to_string(ends[1]).c_str(), 1);
  register_kernel();
  VirtualGpuOptions options;
  options.model = device_model("t4");
  VirtualGpu gpu(options);
  SocketChannel channel(ends[0]);
  Session session(channel, gpu, options.model);
  std::thread server([&] { session.serve(); });
  measure();
  ::shutdown(ends[1], SHUT_RDWR);
  server.join();
  return 0;
}
