// Calls of a virtual GPU with much memory, each timed once.
#include "bench/memory_bench.h"

#include <chrono>
#include <stdexcept>

#include "vgpu/virtual_gpu.h"

namespace cudalabs::bench {

std::vector<MemoryTime> time_memory() {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("h200");
  vgpu::VirtualGpu gpu(options);
  std::vector<MemoryTime> times;
  const auto time = [&](const char* name, auto call) {
    const auto begin = std::chrono::steady_clock::now();
    if (!call()) throw std::runtime_error(name);
    const auto taken = std::chrono::steady_clock::now() - begin;
    times.push_back({name, std::chrono::duration<double, std::milli>(taken).count()});
  };
  vgpu::DeviceAddress address = 0;
  std::vector<std::byte> host(kGiB / 4, std::byte{1});
  time("allocate 1 GiB", [&] { return (address = gpu.allocate(kGiB)) != 0; });
  time("fill it", [&] { return gpu.fill(address, 0, kGiB); });
  time("fill it again", [&] { return gpu.fill(address, 1, kGiB); });
  time("free it", [&] { return gpu.free(address); });
  time("allocate 1 GiB once more", [&] { return (address = gpu.allocate(kGiB)) != 0; });
  time("copy 256 MiB to it", [&] { return gpu.copy_in(address, host); });
  time("copy 256 MiB from it", [&] { return gpu.copy_out(host, address); });
  time("copy 256 MiB within it", [&] { return gpu.copy(address + kGiB / 2, address, kGiB / 4); });
  return times;
}

}  // namespace cudalabs::bench
