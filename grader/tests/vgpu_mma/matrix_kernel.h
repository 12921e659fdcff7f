// Kernels in PTX that work on matrices in one array of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/virtual_gpu.h"

namespace matrix_kernel {

using namespace cudalabs::vgpu;

/// `kernel(.param .u64 data)`: %rd1 is `data`, %r1 the thread's number. There are 40 registers of each kind.
inline std::string module_with(const std::string& body) {
  return R"(.version 8.0
.target sm_80
.address_size 64
.file 1 "k.cu"
.visible .entry kernel(.param .u64 data)
{
  .reg .pred %p<40>;
  .reg .b16 %rs<40>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<40>;
  .reg .f32 %f<40>;
  .reg .f64 %fd<40>;
  .shared .align 32 .b8 tile[4096];
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
)" + body +
         R"(
  ret;
}
)";
}

struct Run {
  std::vector<std::byte> data;
  std::vector<cudalabs::Finding> findings;
  std::vector<std::string> refusals;

  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const cudalabs::Finding& finding : findings) all.push_back(finding.id);
    return all;
  }
  template <class T>
  T at(std::size_t byte) const {
    T value;
    std::memcpy(&value, data.data() + byte, sizeof value);
    return value;
  }
};

/// One block over `data`, which comes back as the kernel leaves it.
inline Run run(const std::string& body, std::vector<std::byte> data, std::uint32_t threads = 32) {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(module_with(body));
  const std::uint64_t array = gpu.allocate(data.size(), 0);
  REQUIRE(gpu.copy_in(array, std::as_bytes(std::span(data))));
  Run run;
  const LaunchConfig config{.grid = {1, 1, 1}, .block = {threads, 1, 1}};
  gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1)));
  for (const ptx::Refusal& refusal : gpu.refusals()) run.refusals.push_back(ptx::describe(refusal));
  run.data = std::move(data);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(run.data)), array));
  run.findings = gpu.findings();
  return run;
}

/// "{%r4, %r5}"
inline std::string registers(const std::string& kind, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "{%" : ", %") + kind + std::to_string(first + i);
  return text + "}";
}

}  // namespace matrix_kernel
