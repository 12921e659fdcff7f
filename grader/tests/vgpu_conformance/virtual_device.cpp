// Kernels with two parameters on the virtual GPU.
#include "virtual_device.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "vgpu/exec/program.h"
#include "vgpu/ptx/module.h"

namespace cudalabs::conformance {

namespace {

vgpu::VirtualGpuOptions options() {
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("h200");
  options.workers = 1;
  options.check_races = options.check_initialized = options.count = false;
  options.instruction_limit = 10'000'000;
  return options;
}

}  // namespace

VirtualDevice::VirtualDevice() : gpu_(options()) {}

std::optional<std::vector<std::byte>> VirtualDevice::run(const std::string& ptx, const std::string& kernel,
                                                         const reference::Launch& launch,
                                                         std::span<const std::byte> input, std::uint64_t output_bytes) {
  std::uint32_t module = 0;
  try {
    module = gpu_.load_module(ptx);
  } catch (const vgpu::UnsupportedPtx&) {
    return std::nullopt;
  } catch (const vgpu::ptx::ParseError&) {
    return std::nullopt;
  }
  const std::array<vgpu::DeviceAddress, 2> addresses{gpu_.allocate(input.size()), gpu_.allocate(output_bytes)};
  bool copied = gpu_.copy_in(addresses[0], input) && gpu_.fill(addresses[1], 0, output_bytes);
  vgpu::LaunchConfig config;
  std::ranges::copy(launch.grid, config.grid.begin());
  std::ranges::copy(launch.block, config.block.begin());
  const vgpu::LaunchStatus status = gpu_.launch(module, kernel, config, std::as_bytes(std::span(addresses))).status;
  std::vector<std::byte> output(output_bytes);
  copied = gpu_.copy_out(output, addresses[1]) && copied;
  copied = gpu_.free(addresses[0]) && gpu_.free(addresses[1]) && copied;
  gpu_.unload_module(module);
  if (status == vgpu::LaunchStatus::refused) return std::nullopt;
  if (status != vgpu::LaunchStatus::ok || !copied) {
    throw std::runtime_error("the virtual GPU ended the launch with status " +
                             std::to_string(static_cast<int>(status)));
  }
  return output;
}

}  // namespace cudalabs::conformance
