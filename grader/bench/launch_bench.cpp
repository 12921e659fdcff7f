// Generates a module of many kernels and launches them in turn.
#include "bench/launch_bench.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "vgpu/virtual_gpu.h"

namespace cudalabs::bench {
namespace {

constexpr int kLaunches = 2000;
constexpr std::uint32_t kThreads = 64;

/// A branch, a loop, a barrier, shared and global memory: about 100 instructions with source places.
std::string kernel_text(int number) {
  std::string text = fmt::format(R"(
.visible .entry small_{}(.param .u64 data)
{{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 values_{}[{}];
  .loc 1 {} 1
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1];
  shl.b32 %r3, %r1, 2;
  mov.u32 %r4, values_{};
  add.u32 %r3, %r3, %r4;
  st.shared.u32 [%r3], %r2;
  bar.sync 0;
  mov.u32 %r5, 0;
loop:
)",
                                 number, number, kThreads * 4, 100 * number + 1, number);
  for (int line = 2; line < 80; ++line)
    text += fmt::format("  .loc 1 {} 1\n  add.u32 %r2, %r2, {};\n", 100 * number + line, line);
  return text + fmt::format(R"(  .loc 1 {} 1
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 2;
  @%p1 bra loop;
  .loc 1 {} 1
  setp.gt.u32 %p2, %r1, 40;
  @%p2 bra done;
  st.global.u32 [%rd1], %r2;
done:
  ret;
}}
)",
                            100 * number + 80, 100 * number + 81);
}

double microseconds(const std::string& ptx, int kernels, bool checks) {
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("t4");
  options.check_races = checks;
  options.check_initialized = checks;
  options.count = checks;
  vgpu::VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const std::vector<std::uint32_t> data(kThreads, 1);
  const vgpu::DeviceAddress address = gpu.allocate(data.size() * sizeof(std::uint32_t));
  gpu.copy_in(address, std::as_bytes(std::span(data)));
  std::vector<std::string> names;
  for (int i = 0; i < kernels; ++i) names.push_back(fmt::format("small_{}", i));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kLaunches; ++i) {
    const vgpu::LaunchOutcome outcome =
        gpu.launch(module, names[static_cast<std::size_t>(i % kernels)], {.grid = {1, 1, 1}, .block = {kThreads, 1, 1}},
                   std::as_bytes(std::span(&address, 1)));
    if (outcome.status != vgpu::LaunchStatus::ok) throw std::runtime_error("a small launch did not run");
  }
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / kLaunches;
}

}  // namespace

LaunchTime time_small_launches(int kernels) {
  std::string ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"small.cu\"\n";
  for (int i = 0; i < kernels; ++i) ptx += kernel_text(i);
  return {microseconds(ptx, kernels, false), microseconds(ptx, kernels, true)};
}

}  // namespace cudalabs::bench
