// Runs a kernel written as PTX whose one parameter is an array of 32-bit words that it fills.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu {

struct KernelRun {
  LaunchStatus status = LaunchStatus::ok;
  std::vector<std::uint32_t> words;
  std::vector<Finding> findings;

  std::vector<std::string> ids() const {
    std::vector<std::string> all;
    for (const Finding& finding : findings) all.push_back(finding.id);
    return all;
  }
};

/// PTX of a module with the body of `kernel(.param .u64 out)`; %rd1 is `out` and %r1 the thread's number. There are
/// 30 registers of each kind: %p, %rs, %r, %rd, %f, %fd. `functions` stand before the kernel.
inline std::string module_with(const std::string& body, const std::string& functions = {}) {
  return R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "k.cu"
)" + functions +
         R"(
.visible .entry kernel(.param .u64 out)
{
  .reg .pred %p<30>;
  .reg .b16 %rs<30>;
  .reg .b32 %r<30>;
  .reg .b64 %rd<30>;
  .reg .f32 %f<30>;
  .reg .f64 %fd<30>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
)" + body +
         R"(
  ret;
}
)";
}

/// One block of `threads` threads; `words` of output, zero at first.
inline KernelRun run_kernel(const std::string& ptx, std::uint32_t threads, std::size_t words,
                            VirtualGpuOptions options = {}) {
  options.model = device_model("a100");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const std::uint64_t array = gpu.allocate(words * 4, 0);
  REQUIRE(gpu.fill(array, 0, words * 4));
  KernelRun run;
  const LaunchConfig config{.grid = {1, 1, 1}, .block = {threads, 1, 1}};
  run.status = gpu.launch(module, "kernel", config, std::as_bytes(std::span(&array, 1))).status;
  for (const ptx::Refusal& refusal : gpu.refusals()) FAIL_CHECK(ptx::describe(refusal));
  run.words.resize(words);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(run.words)), array));
  run.findings = gpu.findings();
  return run;
}

}  // namespace cudalabs::vgpu
